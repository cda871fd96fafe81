//! What MCP has no field for: the facts of a contract, under one `_meta` key of ours, which is the
//! only place that every SDK carries through.

use serde::Serialize;
use toolcontract_protocol::{Provenance, RiskLevel, manifest::Deprecation};

use crate::model::Tool;

/// The facts. Absent where they are the default that a reader assumes.
#[derive(Debug, Serialize)]
pub(super) struct Facts<'a> {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    availability: &'a str,
    risk: RiskLevel,
    requires_approval: bool,
    speculation_safe: bool,
    idempotent: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    additive: bool,
    events: &'a [String],
    provenance: &'a Provenance,
    #[serde(skip_serializing_if = "Option::is_none")]
    deprecated: Option<&'a Deprecation>,
}

impl<'a> Facts<'a> {
    pub(super) fn of(tool: &'a Tool) -> Self {
        let contract = &tool.contract;
        Self {
            version: contract.version,
            group: contract.group.as_deref(),
            availability: &tool.manifest.availability,
            risk: contract.risk,
            requires_approval: contract.requires_approval,
            speculation_safe: contract.speculation_safe,
            idempotent: contract.idempotent,
            additive: contract.additive,
            events: &contract.events,
            provenance: &contract.provenance,
            deprecated: tool.manifest.deprecated.as_ref(),
        }
    }
}
