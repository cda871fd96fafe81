//! What is served at one time: a registry, and the definitions of its tools, made once.

use std::{collections::BTreeMap, sync::Arc};

use rmcp::model::{ErrorData, ListToolsResult, Tool};
use toolcontract_protocol::Principal;

use super::definition::{About, definition};
use crate::registry::Registry;

/// How a cursor begins; the name of the last tool of the page before follows.
const AFTER: &str = "after:";

/// A registry with what its definitions say beside the contracts, by the names of tools.
#[derive(Debug, Clone)]
pub struct Served {
    /// The tools, and what governs their calls.
    pub registry: Registry,
    /// What is not in a contract. A tool that is not here has only what its contract says.
    pub about: BTreeMap<String, About>,
}

impl From<Registry> for Served {
    fn from(registry: Registry) -> Self {
        Self {
            registry,
            about: BTreeMap::new(),
        }
    }
}

/// [`Served`] with the definitions.
#[derive(Debug)]
pub(super) struct Catalog {
    pub(super) registry: Registry,
    tools: BTreeMap<String, Tool>,
}

impl Catalog {
    pub(super) fn new(served: Served) -> Arc<Self> {
        let nothing = About::default();
        let Served { registry, about } = served;
        let tools = registry
            .contracts()
            .map(|contract| {
                let about = about.get(&contract.name).unwrap_or(&nothing);
                (contract.name.clone(), definition(contract, about))
            })
            .collect();
        Arc::new(Self { registry, tools })
    }

    /// The page behind `cursor` of what `principal` may use at all, in the order of names.
    pub(super) fn page(
        &self,
        principal: &Principal,
        cursor: Option<&str>,
        size: usize,
    ) -> Result<ListToolsResult, ErrorData> {
        let after = match cursor {
            None => None,
            Some(cursor) => Some(cursor.strip_prefix(AFTER).ok_or_else(|| {
                ErrorData::invalid_params("this cursor does not come from this server", None)
            })?),
        };
        // A name instead of a number: when the list changes between two pages, none is lost.
        let mut names = self
            .registry
            .offered(principal)
            .map(|contract| contract.name.as_str())
            .skip_while(|name| after.is_some_and(|after| *name <= after))
            .peekable();
        let page: Vec<&str> = names.by_ref().take(size).collect();
        let more = names.peek().is_some();
        let tools = page
            .iter()
            .filter_map(|name| self.tools.get(*name))
            .cloned();
        let mut result = ListToolsResult::with_all_items(tools.collect());
        result.next_cursor = page
            .last()
            .filter(|_| more)
            .map(|last| format!("{AFTER}{last}"));
        Ok(result)
    }
}
