//! What an MCP definition says of a contract: the four hints of the protocol, and under one
//! `_meta` key the facts for which it has no field. The generator and a server at run time write
//! the same.

use serde::Serialize;

use crate::{
    contract::ToolContract, manifest::Deprecation, provenance::Provenance, risk::RiskLevel,
};

/// The four hints of MCP, each stated: their defaults are the worst case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hints {
    /// `readOnlyHint`.
    pub read_only_hint: bool,
    /// `destructiveHint`.
    pub destructive_hint: bool,
    /// `idempotentHint`.
    pub idempotent_hint: bool,
    /// `openWorldHint`.
    pub open_world_hint: bool,
}

impl Hints {
    /// The hints that follow from what `contract` states.
    #[must_use]
    pub fn of(contract: &ToolContract) -> Self {
        Self {
            read_only_hint: contract.read_only,
            destructive_hint: !(contract.read_only || contract.additive),
            idempotent_hint: contract.idempotent,
            open_world_hint: contract.open_world,
        }
    }
}

/// What MCP has no field for. `_meta` is the only place that every SDK carries through. Absent
/// where it is the default that a reader assumes.
#[derive(Debug, Clone, Serialize)]
pub struct Facts<'a> {
    /// Revision of the contract, from 1.
    pub version: u32,
    /// Policy group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<&'a str>,
    /// When the tool exists at all; a tool that is served exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub availability: Option<&'a str>,
    /// How bad one honest call can be.
    pub risk: RiskLevel,
    /// A person must say yes to each call.
    pub requires_approval: bool,
    /// May run twice before its step commits.
    pub speculation_safe: bool,
    /// The same call twice has the effect of one.
    pub idempotent: bool,
    /// What it changes, it only adds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub additive: bool,
    /// The events that a call may emit.
    pub events: &'a [String],
    /// Where the contract came from.
    pub provenance: &'a Provenance,
    /// Set when the tool is on its way out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<&'a Deprecation>,
}

impl<'a> Facts<'a> {
    /// What `contract` states. The manifest's own keys are for whoever holds a manifest.
    #[must_use]
    pub fn of(contract: &'a ToolContract) -> Self {
        Self {
            version: contract.version,
            group: contract.group.as_deref(),
            availability: None,
            risk: contract.risk,
            requires_approval: contract.requires_approval,
            speculation_safe: contract.speculation_safe,
            idempotent: contract.idempotent,
            additive: contract.additive,
            events: &contract.events,
            provenance: &contract.provenance,
            deprecated: None,
        }
    }
}
