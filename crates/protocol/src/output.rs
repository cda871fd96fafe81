//! What a call gives back.
//!
//! Two arms and nothing else: events, timings and decisions never ride an output.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    absent,
    error_code::{ErrorClass, ErrorCode},
    violation::Violations,
};

/// What a call gives back. On the wire `{"ok":{...}}` or `{"error":{...}}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ToolOutput {
    /// The call succeeded.
    Ok {
        /// What a model reads.
        content: String,
        /// The structured result, as the contract's `output_schema` promises. Absent is not `null`.
        #[serde(
            default,
            deserialize_with = "absent::present",
            skip_serializing_if = "Option::is_none"
        )]
        data: Option<Value>,
    },
    /// The call failed or was refused.
    Error {
        /// What a model reads.
        message: String,
        /// What kind of failure it is. A peer that says none means `internal`.
        #[serde(default)]
        class: ErrorClass,
        /// What exactly failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<ErrorCode>,
        /// Facts about the failure: of `invalid_input` and `invalid_output` the `Violations`.
        #[serde(
            default,
            deserialize_with = "absent::present",
            skip_serializing_if = "Option::is_none"
        )]
        data: Option<Value>,
    },
}

impl ToolOutput {
    /// A success that is text only.
    #[must_use]
    pub fn text(content: impl Into<String>) -> Self {
        Self::Ok {
            content: content.into(),
            data: None,
        }
    }

    /// A success with a structured result.
    #[must_use]
    pub fn with_data(content: impl Into<String>, data: Value) -> Self {
        Self::Ok {
            content: content.into(),
            data: Some(data),
        }
    }

    /// A failure of which only the class is known.
    #[must_use]
    pub fn error(class: ErrorClass, message: impl Into<String>) -> Self {
        Self::Error {
            message: message.into(),
            class,
            code: None,
            data: None,
        }
    }

    /// A failure with a code; the class is the code's.
    #[must_use]
    pub fn coded(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::Error {
            message: message.into(),
            class: code.class(),
            code: Some(code),
            data: None,
        }
    }

    /// The input of a call of `tool` is not what its contract says.
    #[must_use]
    pub fn invalid_input(tool: &str, violations: &Violations) -> Self {
        Self::invalid(ErrorClass::InvalidInput, "input", tool, violations)
    }

    /// The output of `tool` is not what its contract says. For the log: a model is not shown it.
    #[must_use]
    pub fn invalid_output(tool: &str, violations: &Violations) -> Self {
        Self::invalid(ErrorClass::InvalidOutput, "output", tool, violations)
    }

    fn invalid(class: ErrorClass, what: &str, tool: &str, violations: &Violations) -> Self {
        Self::Error {
            message: format!("{what} of `{tool}` does not match its contract: {violations}"),
            class,
            code: None,
            data: serde_json::to_value(violations).ok(),
        }
    }

    /// Whether the call succeeded.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        match self {
            Self::Ok { .. } => true,
            Self::Error { .. } => false,
        }
    }
}
