//! Denies the tools that are withheld, for the operator.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use toolcontract_protocol::{AuthzEvalError, Decision, Principal, ToolContract};
use toolcontract_schema::digest::digest;

use crate::{
    authz::{AuthzGate, CHANGED, Evaluation},
    registry::Builder,
};

/// Denies the tools that are withheld. Has no say about others.
#[derive(Debug, Clone)]
pub struct Withheld {
    name: &'static str,
    /// Tool to reason.
    reasons: BTreeMap<String, String>,
    /// Those of them that are not what was adopted.
    changed: BTreeSet<String>,
}

impl Withheld {
    /// Withholds each named tool for the reason beside it.
    #[must_use]
    pub fn new(reasons: impl IntoIterator<Item = (String, String)>) -> Self {
        Self {
            name: "adoption",
            reasons: reasons.into_iter().collect(),
            changed: BTreeSet::new(),
        }
    }

    /// The same, where whoever calls one of `tools` is told that it has changed.
    #[cfg(feature = "mcp")]
    #[must_use]
    pub(crate) fn with_changed(self, tools: impl IntoIterator<Item = String>) -> Self {
        Self {
            changed: tools.into_iter().collect(),
            ..self
        }
    }

    /// The same under another name: a registry has room for one gate of each.
    #[must_use]
    pub fn called(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// The same, where there is anything to withhold: a gate that has nothing to say would stand
    /// in every trace.
    pub(crate) fn add_to(self, builder: Builder) -> Builder {
        match self.reasons.is_empty() {
            true => builder,
            false => builder.operator(self),
        }
    }
}

impl AuthzGate for Withheld {
    fn name(&self) -> &str {
        self.name
    }

    fn check(
        &self,
        contract: &ToolContract,
        _: &Principal,
        _: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        Ok(match self.reasons.get(&contract.name) {
            Some(reason) => Decision::deny(reason.clone()),
            None => Decision::Allow,
        })
    }

    fn check_traced(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Evaluation {
        let result = self.check(contract, principal, input);
        match self.changed.contains(&contract.name) {
            true => Evaluation::of_rule(CHANGED, result),
            false => Evaluation::of(self.name, result),
        }
    }

    fn revision(&self) -> String {
        digest(&self.reasons).unwrap_or_default()
    }

    fn is_pure(&self) -> bool {
        true
    }

    fn withholds(&self, contract: &ToolContract, _: &Principal) -> bool {
        self.reasons.contains_key(&contract.name)
    }
}
