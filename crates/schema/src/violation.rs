//! What is wrong with a value, in words that hold nothing of the value.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing that is wrong with a value. Never holds the value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Violation {
    /// JSON pointer into the value.
    pub pointer: String,
    /// The keyword that refused it.
    pub keyword: String,
    /// What was expected, in words.
    pub expected: String,
    /// What was there: a JSON type or a length; `absent` where nothing was.
    pub got: String,
}

/// All that is wrong with a value, up to the cap that the caller gave. Never empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("the value has {} fault(s)", .violations.len())]
pub struct Violations {
    /// In the order of their pointers.
    pub violations: Vec<Violation>,
    /// There were more than the cap.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// The JSON type of `value`; `integer` for a number without a fraction.
#[must_use]
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() && n.as_f64().is_some_and(|f| f.fract() != 0.0) => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
