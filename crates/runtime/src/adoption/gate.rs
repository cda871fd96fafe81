//! Denies the tools that are withheld, for the operator.

use std::collections::BTreeMap;

use serde_json::Value;
use toolcontract_protocol::{AuthzEvalError, Decision, Principal, ToolContract};
use toolcontract_schema::digest::digest;

use crate::{authz::AuthzGate, registry::Builder};

/// Denies the tools that are withheld. Has no say about others.
#[derive(Debug, Clone)]
pub struct Withheld {
    name: &'static str,
    /// Tool to reason.
    reasons: BTreeMap<String, String>,
}

impl Withheld {
    /// Withholds each named tool for the reason beside it.
    #[must_use]
    pub fn new(reasons: impl IntoIterator<Item = (String, String)>) -> Self {
        Self {
            name: "adoption",
            reasons: reasons.into_iter().collect(),
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
