//! Denies the tools that are withheld, for the operator.

use std::collections::BTreeMap;

use serde_json::Value;
use toolcontract_protocol::{AuthzEvalError, Decision, Principal, ToolContract};
use toolcontract_schema::digest::digest;

use crate::authz::AuthzGate;

/// Denies the tools that are withheld. Has no say about others.
#[derive(Debug, Clone, Default)]
pub struct Withheld {
    /// Tool to reason.
    reasons: BTreeMap<String, String>,
}

impl Withheld {
    /// Withholds each named tool for the reason beside it.
    #[must_use]
    pub fn new(reasons: impl IntoIterator<Item = (String, String)>) -> Self {
        Self {
            reasons: reasons.into_iter().collect(),
        }
    }
}

impl AuthzGate for Withheld {
    fn name(&self) -> &str {
        "adoption"
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
