//! What is wrong with a value, in words that hold nothing of the value.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing that is wrong with a value. Never holds the value.
///
/// Serialized, it is what `invalid_input` carries: `{ pointer, keyword, expected, got }`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Violation {
    /// JSON pointer into the value; cut off, with `…`, beyond 300 characters.
    pub pointer: String,
    /// The keyword that refused it.
    pub keyword: String,
    /// What was expected, in words; cut off, with `…`, beyond 300 characters.
    pub expected: String,
    /// What was there: a JSON type, or a length such as `3 characters`; `absent` where nothing was.
    pub got: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() {
            "the value"
        } else {
            &self.pointer
        };
        write!(f, "`{place}`: expected {}, got {}", self.expected, self.got)
    }
}

/// All that is wrong with a value, up to the cap that the caller gave. Never empty.
///
/// Serialized: `{ "violations": [...], "truncated": true }`, the flag only where there was more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub struct Violations {
    /// In the order of their pointers.
    pub violations: Vec<Violation>,
    /// There were more than the cap.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.violations.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            violation.fmt(f)?;
        }
        if self.truncated {
            f.write_str("; and more")?;
        }
        Ok(())
    }
}

impl Violations {
    /// Sorted, without duplicates, at most `cap` and at least one: what is refused has a reason.
    pub(crate) fn new(mut found: Vec<Violation>, cap: usize) -> Self {
        found.sort();
        found.dedup();
        if found.is_empty() {
            found.push(Violation {
                pointer: String::new(),
                keyword: "schema".to_owned(),
                expected: "a value that the schema accepts".to_owned(),
                got: "another one".to_owned(),
            });
        }
        let cap = cap.max(1);
        let truncated = found.len() > cap;
        found.truncate(cap);
        Self {
            violations: found,
            truncated,
        }
    }
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

/// The longest text that a violation holds, in characters.
const MAX_TEXT: usize = 300;

/// `text`, cut off where it is long.
pub(crate) fn bounded(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
