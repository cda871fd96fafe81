//! What a model is shown: the tools that its caller may use at all, in the form of its provider.
//!
//! Free of governance facts, and of tools of which every call would be refused.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;
use toolcontract_protocol::{Dialect, Principal, ToolContract};
use toolcontract_schema::{
    Bundle,
    dialect::{Lowered, definition, lower, tool_aliases},
    normal::normalize,
};

use super::{Entry, Inner, Named, Registry};
use crate::{
    authz::{AuthzGate, Enforcement, Source},
    caller::Caller,
    visible,
};

/// The tools that a model is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Advertised {
    /// Whose form the tools are in.
    pub dialect: Dialect,
    /// The tools, in the order of names.
    pub tools: Vec<Offer>,
}

/// One tool as a model is shown it.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The canonical name, which a call of the registry uses.
    pub name: String,
    /// What the provider calls it.
    pub alias: String,
    /// What a model reads.
    pub description: String,
    /// The input schema as the provider is shown it.
    pub lowered: Lowered,
    dialect: Dialect,
}

impl Offer {
    /// The tool as an element of the provider's request field `tools` (of Gemini, of
    /// `functionDeclarations`).
    #[must_use]
    pub fn definition(&self) -> Value {
        definition(&self.alias, &self.description, &self.lowered, self.dialect)
    }

    /// Arguments as the provider sent them, in the contract's form. They are judged by the call.
    #[must_use]
    pub fn restore(&self, arguments: &Value) -> Value {
        self.lowered
            .restore
            .restore(&self.lowered.schema, arguments)
    }
}

impl Advertised {
    /// The tool that the provider calls `alias`.
    #[must_use]
    pub fn by_alias(&self, alias: &str) -> Option<&Offer> {
        self.tools.iter().find(|offer| offer.alias == alias)
    }
}

impl Registry {
    /// What a model is shown on behalf of `caller`: every tool but those that a gate withholds.
    /// The same tools give the same value.
    #[must_use]
    pub fn advertise(&self, dialect: Dialect, caller: &Caller) -> Advertised {
        let inner = &self.inner;
        // Over all tools, so that an alias does not depend on who asks.
        let aliases = tool_aliases(inner.names.iter().map(String::as_str), dialect);
        let tools = inner
            .names
            .iter()
            .filter_map(|name| inner.entries.get(name))
            .filter(|entry| !inner.withholds(entry, caller.principal()))
            .map(|entry| {
                let name = entry.contract.name.clone();
                Offer {
                    alias: aliases.get(&name).cloned().unwrap_or_else(|| name.clone()),
                    name,
                    description: visible::text(&entry.contract.description),
                    lowered: entry.lowered(dialect).clone(),
                    dialect,
                }
            })
            .collect();
        Advertised { dialect, tools }
    }
}

impl Registry {
    /// The contracts of which `principal` may make any call at all, in the order of names: every
    /// one but those that a gate withholds.
    pub fn offered<'r>(
        &'r self,
        principal: &'r Principal,
    ) -> impl Iterator<Item = &'r ToolContract> {
        let inner = &self.inner;
        inner
            .names
            .iter()
            .filter_map(|name| inner.entries.get(name))
            .filter(|entry| !inner.withholds(entry, principal))
            .map(|entry| entry.contract.as_ref())
    }
}

#[cfg(feature = "mcp")]
impl Registry {
    /// Names the policy under which [`Self::offered`] gives the same tools to the same principal.
    /// None where a gate names none: it may withhold something else the next time.
    pub(crate) fn offers_under(&self) -> Option<String> {
        let inner = &self.inner;
        let mut all = String::new();
        for gate in inner.gates.iter().chain(&inner.shell_hooks) {
            let revision = catch_unwind(AssertUnwindSafe(|| gate.port.revision())).ok()?;
            if revision.is_empty() {
                return None;
            }
            all.push_str(&revision);
            all.push('\n');
        }
        Some(all)
    }
}

impl Inner {
    fn withholds(&self, entry: &Entry, principal: &Principal) -> bool {
        // A denial that is only a warning keeps no tool from anybody.
        let counts = |gate: &&Named<dyn AuthzGate>| match self.enforcement {
            Enforcement::Enforce => true,
            Enforcement::Warn => gate.source == Source::Operator,
        };
        let withholds = |gate: &Named<dyn AuthzGate>| {
            let asked = || gate.port.withholds(&entry.contract, principal);
            // Who cannot tell shows nothing.
            catch_unwind(AssertUnwindSafe(asked)).unwrap_or(true)
        };
        self.gates
            .iter()
            .chain(&self.shell_hooks)
            .filter(counts)
            .any(withholds)
    }
}

impl Entry {
    fn lowered(&self, dialect: Dialect) -> &Lowered {
        let [openai, openai_strict, anthropic, gemini] = &self.lowered;
        let kept = match dialect {
            Dialect::Openai => openai,
            Dialect::OpenaiStrict => openai_strict,
            Dialect::Anthropic => anthropic,
            Dialect::Gemini => gemini,
        };
        kept.get_or_init(|| {
            let bundle = Bundle {
                schema: self.contract.input_schema.clone(),
                shared: std::collections::BTreeMap::new(),
            };
            // What has no normal form is lowered as it stands.
            let normal = normalize(&bundle).map_or(bundle.schema, |normal| normal.schema);
            lower(&visible::schema(normal), dialect)
        })
    }
}
