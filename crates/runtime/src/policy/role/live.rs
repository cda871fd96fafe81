//! A role policy that can be replaced while the program runs. One call sees one policy: an answer
//! comes from the policy that was there when it was asked, and what was approved under another
//! one is asked about again.

use std::sync::{Arc, PoisonError, RwLock};

use serde_json::Value;
use toolcontract_protocol::{AuthzEvalError, Decision, Principal, ToolContract};

use super::{gate::NAME, load::RolePolicy};
use crate::authz::{AuthzGate, Evaluation};

/// A role policy that can be replaced. Clones are one policy.
#[derive(Debug, Clone)]
pub struct LivePolicy {
    current: Arc<RwLock<RolePolicy>>,
}

impl LivePolicy {
    /// Starts with `policy`.
    #[must_use]
    pub fn new(policy: RolePolicy) -> Self {
        Self {
            current: Arc::new(RwLock::new(policy)),
        }
    }

    /// Puts `policy` in force for every call that is not decided yet.
    pub fn replace(&self, policy: RolePolicy) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = policy;
    }

    /// The policy in force.
    #[must_use]
    pub fn current(&self) -> RolePolicy {
        let current = self.current.read();
        current.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl AuthzGate for LivePolicy {
    fn name(&self) -> &str {
        NAME
    }

    fn check(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        self.current().check(contract, principal, input)
    }

    fn check_traced(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Evaluation {
        self.current().check_traced(contract, principal, input)
    }

    fn revision(&self) -> String {
        self.current().revision()
    }

    fn is_pure(&self) -> bool {
        true
    }

    fn withholds(&self, contract: &ToolContract, principal: &Principal) -> bool {
        self.current().withholds(contract, principal)
    }

    fn unbound_in(&self, contracts: &[&ToolContract], principal: &Principal) -> Vec<String> {
        self.current().unbound_in(contracts, principal)
    }
}
