//! What a person says a tool may be relied on for.

use serde::{Deserialize, Serialize};
use toolcontract_protocol::{Provenance, RiskLevel, ToolContract};

/// The grade of an adopted tool: these facts hold, whatever the tool claims.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grade {
    /// How bad one honest call can be.
    pub risk: RiskLevel,
    /// Cannot change state.
    pub read_only: bool,
    /// May run twice before its step commits.
    pub speculation_safe: bool,
    /// The same call twice has the effect of one.
    pub idempotent: bool,
    /// What it changes, it only adds.
    pub additive: bool,
    /// Reaches beyond the workspace.
    pub open_world: bool,
    /// A person must say yes to each call.
    pub requires_approval: bool,
}

/// What nobody can be surprised by: risk `high`, and no other fact in the tool's favour.
impl Default for Grade {
    fn default() -> Self {
        Self {
            risk: RiskLevel::High,
            read_only: false,
            speculation_safe: false,
            idempotent: false,
            additive: false,
            open_world: true,
            requires_approval: false,
        }
    }
}

impl Grade {
    /// `contract` with the facts of the grade, as adopted under the pin with `digest`. A tool that
    /// itself asks for a person keeps that.
    #[must_use]
    pub fn apply(&self, contract: &ToolContract, digest: &str) -> ToolContract {
        ToolContract {
            risk: self.risk,
            read_only: self.read_only,
            speculation_safe: self.speculation_safe,
            idempotent: self.idempotent,
            additive: self.additive,
            open_world: self.open_world,
            requires_approval: self.requires_approval || contract.requires_approval,
            provenance: Provenance::Adopted {
                digest: digest.to_owned(),
            },
            ..contract.clone()
        }
    }
}
