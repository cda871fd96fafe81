//! What is served at one time: a registry, and the definitions of its tools, made once.

use std::{
    collections::{BTreeMap, HashSet},
    ops::Bound,
    sync::Arc,
};

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
    /// By the names that clients use.
    tools: BTreeMap<String, Listed>,
}

#[derive(Debug)]
struct Listed {
    /// The name of the contract.
    name: String,
    tool: Tool,
}

impl Catalog {
    pub(super) fn new(served: Served) -> Arc<Self> {
        let nothing = About::default();
        let Served { registry, about } = served;
        let about_of = |name: &str| about.get(name).unwrap_or(&nothing);
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        for contract in registry.contracts() {
            *uses.entry(&contract.name).or_default() += 1;
            if let Some(name) = &about_of(&contract.name).name {
                *uses.entry(name).or_default() += 1;
            }
        }
        let tools = registry
            .contracts()
            .map(|contract| {
                let about = about_of(&contract.name);
                // A name that could mean two tools means neither.
                let shown = about
                    .name
                    .as_deref()
                    .filter(|name| uses.get(name) == Some(&1));
                let shown = shown.unwrap_or(&contract.name).to_owned();
                let tool = definition(&shown, contract, about);
                let name = contract.name.clone();
                (shown, Listed { name, tool })
            })
            .collect();
        Arc::new(Self { registry, tools })
    }

    /// The name of the contract of what clients call `name`.
    pub(super) fn canonical<'n>(&'n self, name: &'n str) -> &'n str {
        self.tools.get(name).map_or(name, |listed| &listed.name)
    }

    /// The page behind `cursor` of what `principal` may use at all, in the order of names.
    pub(super) fn page(
        &self,
        principal: &Principal,
        cursor: Option<&str>,
        size: usize,
    ) -> Result<ListToolsResult, ErrorData> {
        // A name instead of a number: when the list changes between two pages, none is lost.
        let after = match cursor {
            None => Bound::Unbounded,
            Some(cursor) => Bound::Excluded(cursor.strip_prefix(AFTER).ok_or_else(|| {
                ErrorData::invalid_params("this cursor does not come from this server", None)
            })?),
        };
        let offered: HashSet<&str> = self
            .registry
            .offered(principal)
            .map(|contract| contract.name.as_str())
            .collect();
        let mut listed = self
            .tools
            .range::<str, _>((after, Bound::Unbounded))
            .filter(|(_, listed)| offered.contains(listed.name.as_str()))
            .peekable();
        let page = listed.by_ref().take(size);
        let page: Vec<Tool> = page.map(|(_, listed)| listed.tool.clone()).collect();
        let last = listed.peek().and(page.last());
        let next = last.map(|last| format!("{AFTER}{}", last.name));
        let mut result = ListToolsResult::with_all_items(page);
        result.next_cursor = next;
        Ok(result)
    }
}
