//! How a tool fails, in the words of the protocol.

use serde_json::Value;
use toolcontract_protocol::{ErrorClass, ErrorCode, ToolOutput};

/// A failure that a tool reports. The message is for a model: short, one fact, what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    /// What kind of failure.
    pub class: ErrorClass,
    /// What exactly failed, where the class does not say it.
    pub code: Option<ErrorCode>,
    /// What a model reads.
    pub message: String,
    /// Facts about the failure.
    pub data: Option<Box<Value>>,
}

impl ToolError {
    /// A failure of which only the class is known.
    #[must_use]
    pub fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self {
            class,
            code: None,
            message: message.into(),
            data: None,
        }
    }

    /// The same failure with a code.
    #[must_use]
    pub fn with_code(self, code: ErrorCode) -> Self {
        Self {
            code: Some(code),
            ..self
        }
    }

    /// The same failure with facts.
    #[must_use]
    pub fn with_data(self, data: Value) -> Self {
        Self {
            data: Some(Box::new(data)),
            ..self
        }
    }
}

/// What the system says, without the path that it was about.
impl From<std::io::Error> for ToolError {
    fn from(error: std::io::Error) -> Self {
        use std::io::ErrorKind;
        let class = match error.kind() {
            ErrorKind::NotFound => ErrorClass::NotFound,
            ErrorKind::PermissionDenied => ErrorClass::PermissionDenied,
            ErrorKind::TimedOut => ErrorClass::Timeout,
            _ => ErrorClass::Environment,
        };
        Self::new(class, error.kind().to_string())
    }
}

impl From<ToolError> for ToolOutput {
    fn from(error: ToolError) -> Self {
        Self::Error {
            message: error.message,
            class: error.class,
            code: error.code,
            data: error.data.map(|data| *data),
        }
    }
}
