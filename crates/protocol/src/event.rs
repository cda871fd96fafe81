//! Facts that are told while a session runs: their envelope, their names, who may emit which.
//!
//! Payloads are data of the catalog (`manifests/events/`); the one payload that is the runtime's
//! own is [`ToolCallProgress`]. Refuses names that are not dotted lower-case words.

mod names;
mod progress;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use names::{Emitter, HOST_EVENTS, HostEvent, MAX_NAME, RESERVED_NAMESPACES, emitter};
pub use progress::ToolCallProgress;

/// The sign of life of a call that is still running.
pub const TOOL_CALL_PROGRESS: &str = "tool.call.progress";

/// One event as it is stored and sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventEnvelope {
    /// `evt_<session>_<sequence>`.
    pub id: String,
    /// Dotted lower-case words, such as `file.created`.
    pub name: String,
    /// When, in UTC with milliseconds: `2026-08-10T12:00:00.000Z`.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
    pub timestamp: String,
    /// The session.
    pub session_id: String,
    /// The turn, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// The sub-agent, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Place among the events of the session, from 1, without gaps.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub sequence: u64,
    /// What the event's manifest says.
    pub payload: Map<String, Value>,
}
