//! What a hook that is a command reads on standard input: one JSON object with the call and the
//! facts of the contract, each as far as it may be relied on.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use toolcontract_protocol::{Principal, ToolContract};

/// The event of a call that is about to be decided.
pub const EVENT: &str = "PreToolUse";

#[derive(Debug, Serialize)]
struct Payload<'c> {
    event: &'static str,
    cwd: String,
    tool: Tool<'c>,
    principal: &'c Principal,
}

#[derive(Debug, Serialize)]
struct Tool<'c> {
    name: &'c str,
    input: &'c Value,
    read_only: bool,
    risk: &'static str,
    requires_approval: bool,
    provenance: &'static str,
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'c str>,
}

/// The payload as text.
pub(super) fn of(
    folder: &Path,
    contract: &ToolContract,
    principal: &Principal,
    input: &Value,
) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&Payload {
        event: EVENT,
        cwd: folder.to_string_lossy().into_owned(),
        tool: Tool {
            name: &contract.name,
            input,
            read_only: contract.trusted_read_only(),
            risk: contract.effective_risk().as_str(),
            requires_approval: contract.requires_approval,
            provenance: contract.provenance.as_str(),
            version: contract.version,
            group: contract.group.as_deref(),
        },
        principal,
    })
}
