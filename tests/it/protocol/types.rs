//! Every type that travels, with the function that reads and writes it again.

use std::path::PathBuf;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use toolcontract_protocol::{
    AuthzEvalError, Decision, ErrorClass, ErrorCode, EventManifest, Manifest, Principal,
    Provenance, RiskLevel, SessionSpec, ToolContract, ToolOutput, ToolRequest, Trace, TraceStep,
    Violation, Violations,
    approval::{ApprovalAnswer, ApprovalBinding, ApprovalRequest, ApprovalResolved},
    contract::ToolSchema,
    decision::Verdict,
    event::{EventEnvelope, ToolCallProgress},
    frame::{ApprovalAnswerIn, CancelIn, ServerFrame, ToolResultIn},
    journal::JournalEntry,
    session::{Accepted, Clamped, RequestError, SessionCreated, SessionState, TurnCreated},
};

/// Reads text as the type and writes it, pretty, as the type writes itself.
pub(crate) type Rewrite = fn(&str) -> Result<String, String>;

macro_rules! types {
    ($($name:ident)+) => {
        /// By name. `written` holds samples of each.
        pub(crate) const TYPES: &[(&str, Rewrite)] = &[$((stringify!($name), rewrite::<$name>)),+];
    };
}

types! {
    ToolContract ToolSchema RiskLevel Provenance Principal
    Decision Verdict AuthzEvalError Trace TraceStep
    ToolOutput ErrorClass ErrorCode Violations Violation
    EventEnvelope ToolCallProgress
    ApprovalRequest ApprovalBinding ApprovalAnswer ApprovalResolved
    SessionSpec SessionCreated SessionState TurnCreated Clamped Accepted RequestError
    ServerFrame ToolRequest ToolResultIn ApprovalAnswerIn CancelIn
    JournalEntry
    Manifest EventManifest
}

/// Text and value are two roads into a type; they must lead to the same place.
fn rewrite<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    text: &str,
) -> Result<String, String> {
    let from_text: T = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let value: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let from_value: T = serde_json::from_value(value).map_err(|e| e.to_string())?;
    assert_eq!(from_text, from_value, "text and value read differently");
    let written = serde_json::to_string_pretty(&from_text).map_err(|e| e.to_string())?;
    let again: T = serde_json::from_str(&written).map_err(|e| e.to_string())?;
    assert_eq!(from_text, again, "what was written reads differently");
    Ok(written + "\n")
}

/// Every file below `tests/data/protocol/<folder>/<Type>/`: type, path, text. Sorted.
pub(crate) fn samples(folder: &str) -> Vec<(String, PathBuf, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("data/protocol")
        .join(folder);
    let mut found = Vec::new();
    for kind in std::fs::read_dir(&root).expect("the folder of samples") {
        let kind = kind.expect("an entry").path();
        let name = kind.file_name().expect("a name").to_string_lossy();
        for file in std::fs::read_dir(&kind).expect("a folder a type") {
            let path = file.expect("an entry").path();
            let text = std::fs::read_to_string(&path).expect("a sample");
            found.push((name.clone().into_owned(), path, text));
        }
    }
    found.sort();
    found
}
