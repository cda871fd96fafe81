//! A call that a session hands to its host.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A call that a session hands to its host, which runs the tool and answers with the same
/// `request_id`. The host knows the contract: it sent it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolRequest {
    /// Names the request within its turn; opaque.
    pub request_id: String,
    /// The tool.
    pub name: String,
    /// The input: valid, authorized, and not to be changed.
    pub input: Value,
}
