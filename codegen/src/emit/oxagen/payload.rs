//! The payload with which Oxagen's tool registry learns of a tool whose code it does not hold.
//!
//! The name is the tool's own: the registry is not held to the naming rule of capabilities.

use serde::Serialize;
use serde_json::Value;
use toolcontract_protocol::{RiskLevel, ToolContract, manifest::Manifest};

use crate::{emit::text::pretty, model::Tool};

/// The input of `publish_tool_declaration`.
#[derive(Debug, Serialize)]
struct Payload<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
    read_only: bool,
    risk_grade: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy_group: Option<&'a str>,
    source: &'static str,
    /// Kept verbatim there: the contract in its wire form.
    manifest: &'a ToolContract,
    /// A contract says nothing of consequences; whoever classifies the tool there does.
    consequence_tags: [&'static str; 0],
    measures: serde_json::Map<String, Value>,
}

/// The text of `declarations/<tool>.json`.
pub(super) fn text(tool: &Tool) -> String {
    let contract = &tool.contract;
    let payload = Payload {
        name: &contract.name,
        description: &contract.description,
        input_schema: &contract.input_schema,
        read_only: contract.read_only,
        risk_grade: grade(contract.risk),
        policy_group: contract.group.as_deref(),
        source: source(&tool.manifest),
        manifest: contract,
        consequence_tags: [],
        measures: serde_json::Map::new(),
    };
    pretty(&payload)
}

/// The registry has a word of its own for the fourth grade.
fn grade(risk: RiskLevel) -> &'static str {
    match risk {
        RiskLevel::Low => "low",
        RiskLevel::Medium => "medium",
        RiskLevel::High => "high",
        RiskLevel::Destructive => "critical",
    }
}

fn source(manifest: &Manifest) -> &'static str {
    if manifest.foundry.is_some() {
        "foundry"
    } else if manifest.command.is_some() {
        "custom"
    } else if manifest.origin.is_some() {
        "mcp"
    } else {
        "builtin"
    }
}
