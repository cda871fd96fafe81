//! What is written down about a call: an intent before it runs, an outcome after.
//!
//! Never holds input or output, only digests. An intent without an outcome is a call of which
//! nobody knows how it ended.

use serde::{Deserialize, Serialize};

use crate::{
    approval::{ApprovalResolved, CallSurface},
    decision::Verdict,
    error_code::{ErrorClass, ErrorCode},
    principal::Principal,
    risk::RiskLevel,
    trace::Trace,
};

/// One entry of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalEntry {
    /// Place in the journal, from 1, without gaps.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub sequence: u64,
    /// When, in UTC with milliseconds: `2026-08-10T12:00:00.000Z`.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
    pub timestamp: String,
    /// The session.
    pub session_id: String,
    /// The call.
    pub call_id: String,
    /// What is written down.
    #[serde(flatten)]
    pub record: Record,
}

/// What is written down, by `entry`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Record {
    /// The call was decided; it runs next, or never.
    Intent(Box<Intent>),
    /// The call ended.
    Outcome(Outcome),
}

/// What was known when a call was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Intent {
    /// The tool's canonical name.
    pub tool: String,
    /// Revision of its contract.
    pub version: u32,
    /// Its effective risk.
    pub risk: RiskLevel,
    /// Who asked for the call.
    pub principal: Principal,
    /// Where the call came in.
    pub surface: CallSurface,
    /// SHA-256 of the tool's definition, lower-case hex.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub definition_digest: String,
    /// SHA-256 of the canonical input, lower-case hex.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub input_digest: String,
    /// The policy that was in force.
    pub policy_revision: String,
    /// What the evaluation came to.
    pub decision: Verdict,
    /// Rule by rule, why.
    pub trace: Trace,
    /// A denial that the settings turned into a warning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub softened: Option<String>,
    /// How the question to a person ended, where one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalResolved>,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcome {
    /// Whether the tool ran. True also when its output was withheld.
    pub ran: bool,
    /// What the caller got.
    pub result: CallResult,
    /// How long the tool ran, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// How many events were let through.
    #[serde(default)]
    pub events_emitted: u64,
    /// How many events were dropped: undeclared, reserved, too large, too many or too late.
    #[serde(default)]
    pub events_dropped: u64,
}

/// What the caller got, by `status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum CallResult {
    /// A success.
    Ok,
    /// A failure or a refusal.
    Error {
        /// What kind.
        class: ErrorClass,
        /// What exactly.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<ErrorCode>,
    },
    /// Nobody knows: the process ended before the call did.
    Unknown,
}
