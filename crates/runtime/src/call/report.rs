//! What a call came to: the part for a model, and the part for whoever runs the program.

use std::time::Duration;

use toolcontract_protocol::{
    ErrorCode, ToolOutput, Trace, approval::ApprovalResolved, decision::Verdict,
};

use crate::ctx::EventCounts;

/// What a call came to. Only `output` is for a model; it tells neither rules nor values.
#[derive(Debug, Clone, PartialEq)]
pub struct CallReport {
    /// The tool's name, as it was called.
    pub tool: String,
    /// The call.
    pub call_id: String,
    /// What the caller gets.
    pub output: ToolOutput,
    /// Content blocks of MCP that are no text, to be shown beside the output of a success.
    pub attachments: Vec<serde_json::Value>,
    /// Whether the tool ran. True also when its output was withheld, and when it was stopped.
    pub ran: bool,
    /// What the evaluation came to. A call that was refused before it is a denial.
    pub verdict: Verdict,
    /// Rule by rule, why.
    pub trace: Trace,
    /// Denials that the settings turned into warnings: who, and why.
    pub softened: Vec<(String, String)>,
    /// How the question to a person ended, where one was asked.
    pub approval: Option<ApprovalResolved>,
    /// SHA-256 of the canonical input, where it was read.
    pub input_digest: Option<String>,
    /// What became of the events of the tool.
    pub events: EventCounts,
    /// How long the tool ran.
    pub duration: Option<Duration>,
    /// For a log, never for a model: the defect of the tool, the fault of the journal.
    pub detail: Option<String>,
    /// Whether the journal has the call.
    pub recorded: Recorded,
}

/// Whether the journal has a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// All of it.
    Whole,
    /// Not, or only its intent.
    Failed,
}

impl CallReport {
    /// The code of a failure.
    #[must_use]
    pub fn code(&self) -> Option<&ErrorCode> {
        match &self.output {
            ToolOutput::Ok { .. } => None,
            ToolOutput::Error { code, .. } => code.as_ref(),
        }
    }
}
