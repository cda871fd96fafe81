//! A role policy as a gate: pure, quick, and complete in its trace.

use serde_json::Value;
use toolcontract_protocol::{AuthzEvalError, Decision, Principal, ToolContract};

use super::load::RolePolicy;
use crate::authz::{AuthzGate, Evaluation};

/// The name under which traces show a role policy.
pub(crate) const NAME: &str = "role-policy";

impl AuthzGate for RolePolicy {
    fn name(&self) -> &str {
        NAME
    }

    fn check(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        self.check_traced(contract, principal, input).result
    }

    fn check_traced(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Evaluation {
        self.policy
            .resolve(contract, principal, input)
            .evaluation(NAME)
    }

    fn revision(&self) -> String {
        self.policy.revision.clone()
    }

    fn is_pure(&self) -> bool {
        true
    }

    fn withholds(&self, contract: &ToolContract, principal: &Principal) -> bool {
        self.policy.withholds(contract, principal)
    }

    fn unbound_in(&self, contracts: &[&ToolContract], principal: &Principal) -> Vec<String> {
        self.policy.unbound_in(contracts, principal)
    }
}
