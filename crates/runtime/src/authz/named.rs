//! Gates to choose by name. There is no default: a runtime without a gate does not compile.

use serde_json::Value;
use toolcontract_protocol::{AuthzEvalError, Decision, Principal, RiskLevel, ToolContract};

use super::gate::AuthzGate;

/// Allows every call. For programs that have no authorization and say so.
#[derive(Debug, Clone, Copy)]
pub struct NoAuthz;

/// Denies every call.
#[derive(Debug, Clone, Copy)]
pub struct DenyAll;

/// Denies what is riskier than the ceiling. Reads the effective risk, so a claim cannot lower it.
#[derive(Debug, Clone, Copy)]
pub struct RiskCeiling(pub RiskLevel);

impl AuthzGate for NoAuthz {
    fn name(&self) -> &str {
        "no-authz"
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
        self.name().to_owned()
    }

    fn is_pure(&self) -> bool {
        true
    }
}

impl AuthzGate for DenyAll {
    fn name(&self) -> &str {
        "deny-all"
    }

    fn check(
        &self,
        _: &ToolContract,
        _: &Principal,
        _: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        Ok(Decision::deny("every call is denied"))
    }

    fn revision(&self) -> String {
        self.name().to_owned()
    }

    fn is_pure(&self) -> bool {
        true
    }

    fn withholds(&self, _: &ToolContract, _: &Principal) -> bool {
        true
    }
}

impl AuthzGate for RiskCeiling {
    fn name(&self) -> &str {
        "risk-ceiling"
    }

    fn check(
        &self,
        contract: &ToolContract,
        _: &Principal,
        _: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        let risk = contract.effective_risk();
        Ok(if risk.within(self.0) {
            Decision::Allow
        } else {
            Decision::deny(format!("risk `{risk}` is above the ceiling `{}`", self.0))
        })
    }

    fn revision(&self) -> String {
        format!("risk-ceiling:{}", self.0)
    }

    fn is_pure(&self) -> bool {
        true
    }

    fn withholds(&self, contract: &ToolContract, _: &Principal) -> bool {
        !contract.effective_risk().within(self.0)
    }
}
