//! What is served at one time: a registry, the definitions of its tools, made once, and the pages
//! of their list, made and encoded once for each policy.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use rmcp::model::{ErrorData, ListToolsResult, MetaObject, Tool};
use serde_json::value::RawValue;
use toolcontract_protocol::Principal;

use super::definition::{About, definition};
use crate::registry::Registry;

/// How a cursor begins; the name of the last tool of the page before follows.
const AFTER: &str = "after:";
/// How many pages are kept. A client may name any tool in a cursor, so there could be as many pages
/// as tools; a client that follows the list asks for few.
const MAX_PAGES: usize = 64;

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

/// [`Served`] with the definitions, and the pages that were made of them.
#[derive(Debug)]
pub(super) struct Catalog {
    pub(super) registry: Registry,
    /// In the order of the names that clients use.
    tools: Vec<Listed>,
    pages: Mutex<Pages>,
}

#[derive(Debug)]
struct Listed {
    /// The name of the contract.
    name: String,
    tool: Tool,
}

/// What was listed under one policy, by era and place of the first tool.
#[derive(Debug, Default)]
struct Pages {
    under: Option<String>,
    made: BTreeMap<(Era, usize), Arc<Page>>,
}

/// Clients before 2026-07-28 are sent another form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Era {
    Legacy,
    Modern,
}

/// One page of the list, of one catalog.
#[derive(Debug)]
pub(super) struct Page {
    /// The places of its tools.
    places: Vec<usize>,
    next: Option<String>,
    meta: Option<MetaObject>,
    /// The result as it is sent, once it was.
    pub(super) sent: OnceLock<Box<RawValue>>,
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
        let tools: BTreeMap<String, Listed> = registry
            .contracts()
            .map(|contract| {
                let about = about_of(&contract.name);
                // A name that could mean two tools means neither, and one that is no key of its own
                // in a client's object of tools is not used.
                let shown = about
                    .name
                    .as_deref()
                    .filter(|name| uses.get(name) == Some(&1) && *name != "__proto__");
                let shown = shown.unwrap_or(&contract.name).to_owned();
                let tool = definition(&shown, contract, about);
                let name = contract.name.clone();
                (shown, Listed { name, tool })
            })
            .collect();
        Arc::new(Self {
            registry,
            tools: tools.into_values().collect(),
            pages: Mutex::default(),
        })
    }

    /// The name of the contract of what clients call `name`.
    pub(super) fn canonical<'n>(&'n self, name: &'n str) -> &'n str {
        let place = self
            .tools
            .binary_search_by(|listed| listed.tool.name.as_ref().cmp(name));
        let listed = place.ok().and_then(|place| self.tools.get(place));
        listed.map_or(name, |listed| &listed.name)
    }

    /// The page behind `cursor` of what `principal` may use at all, in the order of names. The same
    /// page is made once, as long as the policy stays the same. Ask for one principal and one size
    /// only; `sign` is for clients of the later era.
    pub(super) fn page(
        &self,
        principal: &Principal,
        cursor: Option<&str>,
        size: usize,
        era: Era,
        sign: impl FnOnce(&mut MetaObject),
    ) -> Result<Arc<Page>, ErrorData> {
        let first = self.place(cursor)?;
        let under = self.registry.offers_under();
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if under.is_none() || pages.under != under {
            pages.made.clear();
            pages.under = under;
        }
        if let Some(page) = pages.made.get(&(era, first)) {
            return Ok(Arc::clone(page));
        }
        let mut page = self.made(principal, first, size);
        if era == Era::Modern {
            sign(page.meta.get_or_insert_default());
        }
        let page = Arc::new(page);
        if pages.under.is_some() && pages.made.len() < MAX_PAGES {
            pages.made.insert((era, first), Arc::clone(&page));
        }
        Ok(page)
    }

    /// The place of the first tool behind `cursor`.
    fn place(&self, cursor: Option<&str>) -> Result<usize, ErrorData> {
        let Some(cursor) = cursor else { return Ok(0) };
        // A name instead of a number: when the list changes between two pages, none is lost.
        let after = cursor.strip_prefix(AFTER).ok_or_else(|| {
            ErrorData::invalid_params("this cursor does not come from this server", None)
        })?;
        let is_before = |listed: &Listed| listed.tool.name.as_ref() <= after;
        Ok(self.tools.partition_point(is_before))
    }

    fn made(&self, principal: &Principal, first: usize, size: usize) -> Page {
        let offered: HashSet<&str> = self
            .registry
            .offered(principal)
            .map(|contract| contract.name.as_str())
            .collect();
        let mut listed = self
            .tools
            .iter()
            .enumerate()
            .skip(first)
            .filter(|(_, listed)| offered.contains(listed.name.as_str()))
            .peekable();
        let page: Vec<_> = listed.by_ref().take(size).collect();
        let last = listed.peek().and(page.last());
        Page {
            next: last.map(|(_, last)| format!("{AFTER}{}", last.tool.name)),
            places: page.into_iter().map(|(place, _)| place).collect(),
            meta: None,
            sent: OnceLock::new(),
        }
    }

    /// What `page` says, as `rmcp` takes it.
    pub(super) fn result(&self, page: &Page) -> ListToolsResult {
        let places = page.places.iter();
        let listed = places.filter_map(|place| self.tools.get(*place));
        let tools: Vec<Tool> = listed.map(|listed| listed.tool.clone()).collect();
        let mut result = ListToolsResult::with_all_items(tools);
        result.next_cursor.clone_from(&page.next);
        result.meta.clone_from(&page.meta);
        result
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use serde_json::{Value, json};
    use toolcontract_protocol::{AuthzEvalError, Decision, Provenance, ToolContract, ToolOutput};

    use super::*;
    use crate::{
        authz::AuthzGate,
        ctx::{AnyEvent, ToolCtx},
        tool::{BoxFuture, DynTool},
    };

    struct Nothing;

    impl DynTool for Nothing {
        fn call<'a>(&'a self, _: Value, _: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput> {
            Box::pin(async { ToolOutput::text("") })
        }
    }

    /// Withholds `b` once it is closed, and names its policy or not.
    #[derive(Clone)]
    struct Door {
        closed: Arc<AtomicBool>,
        named: bool,
    }

    impl AuthzGate for Door {
        fn name(&self) -> &str {
            "door"
        }

        fn check(
            &self,
            _: &ToolContract,
            _: &Principal,
            _: &Value,
        ) -> Result<Decision, AuthzEvalError> {
            Ok(Decision::Allow)
        }

        fn revision(&self) -> String {
            match self.named {
                true => format!("closed: {}", self.closed.load(Ordering::Relaxed)),
                false => String::new(),
            }
        }

        fn withholds(&self, contract: &ToolContract, _: &Principal) -> bool {
            contract.name == "bb" && self.closed.load(Ordering::Relaxed)
        }
    }

    fn catalog(door: Door, names: impl IntoIterator<Item = String>) -> Arc<Catalog> {
        let schema = json!({ "type": "object" });
        let mut builder = Registry::builder(door);
        for name in names {
            let contract = ToolContract::declared(name, "Does nothing.", schema.clone());
            builder = builder.dyn_tool(Provenance::Declared, contract, Nothing);
        }
        Catalog::new(builder.build().unwrap().into())
    }

    #[test]
    fn a_name_that_clients_cannot_keep_is_not_used() {
        let door = Door {
            closed: Arc::default(),
            named: true,
        };
        let served = ["__proto__", "constructor"].map(|name| (format!("mcp__s__{name}"), name));
        let mut names = served.iter().map(|(name, _)| name.clone());
        let registry = catalog(door, &mut names).registry.clone();
        let about = served.map(|(name, shown)| {
            let about = About {
                name: Some(shown.to_owned()),
                ..About::default()
            };
            (name, about)
        });
        let catalog = Catalog::new(Served {
            registry,
            about: about.into(),
        });
        let names: Vec<&str> = catalog.tools.iter().map(|t| &*t.tool.name).collect();
        assert_eq!(names, ["constructor", "mcp__s____proto__"]);
        assert_eq!(catalog.canonical("constructor"), "mcp__s__constructor");
    }

    #[test]
    fn cursors_that_name_every_tool_fill_no_memory() {
        let door = Door {
            closed: Arc::default(),
            named: true,
        };
        let names: Vec<String> = (0..MAX_PAGES + 8).map(|n| format!("t{n:03}")).collect();
        let catalog = catalog(door, names.clone());
        let page = |cursor: Option<&str>| {
            let era = Era::Modern;
            catalog
                .page(&Principal::User, cursor, 1, era, |_| {})
                .unwrap()
        };
        let mut cursor = None;
        let mut found = Vec::new();
        loop {
            let page = page(cursor.as_deref());
            let tools = catalog.result(&page).tools.into_iter();
            found.extend(tools.map(|tool| tool.name.into_owned()));
            cursor.clone_from(&page.next);
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(found, names);
        assert_eq!(catalog.pages.lock().unwrap().made.len(), MAX_PAGES);
        assert!(Arc::ptr_eq(&page(None), &page(None)));
    }

    #[test]
    fn a_page_is_made_once_for_each_policy_and_era() {
        for named in [true, false] {
            let closed = Arc::new(AtomicBool::new(false));
            let door = Door {
                closed: Arc::clone(&closed),
                named,
            };
            let catalog = catalog(door, ["aa", "bb", "cc"].map(str::to_owned));
            let page = |cursor: Option<&str>, era| {
                let principal = Principal::User;
                catalog.page(&principal, cursor, 2, era, |_| {}).unwrap()
            };
            let names = |page: &Page| -> Vec<String> {
                let tools = catalog.result(page).tools.into_iter();
                tools.map(|tool| tool.name.into_owned()).collect()
            };
            let first = page(None, Era::Modern);
            assert_eq!(names(&first), ["aa", "bb"]);
            assert_eq!(first.next.as_deref(), Some("after:bb"));
            let last = page(Some("after:bb"), Era::Modern);
            assert_eq!((names(&last), &last.next), (vec!["cc".to_owned()], &None));
            // Every cursor behind the same tool is the same page.
            let also_last = page(Some("after:bzz"), Era::Modern);
            assert_eq!(Arc::ptr_eq(&last, &also_last), named);
            assert_eq!(Arc::ptr_eq(&first, &page(None, Era::Modern)), named);
            assert!(!Arc::ptr_eq(&first, &page(None, Era::Legacy)));

            closed.store(true, Ordering::Relaxed);
            assert_eq!(names(&page(None, Era::Modern)), ["aa", "cc"]);
            assert!(names(&page(Some("after:zz"), Era::Modern)).is_empty());
        }
    }
}
