//! What is wrong with a value, in words that hold nothing of the value.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::explain::UNDECIDED;
pub use toolcontract_protocol::{Violation, Violations};

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

/// Whether a pattern needed more steps than its limit allows: whether the text fits is not known,
/// and the value is refused.
#[must_use]
pub fn hit_pattern_limit(found: &Violations) -> bool {
    found.violations.iter().any(|one| one.expected == UNDECIDED)
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

/// `found` without what only follows from a wrong type: such a value fits no fixed value and no
/// alternative either.
pub(crate) fn without_noise(mut found: Vec<Violation>) -> Vec<Violation> {
    let mistyped: BTreeSet<String> = found
        .iter()
        .filter(|violation| violation.keyword == "type")
        .map(|violation| violation.pointer.clone())
        .collect();
    found.retain(|violation| {
        !matches!(
            violation.keyword.as_str(),
            "enum" | "const" | "anyOf" | "oneOf"
        ) || !mistyped.contains(&violation.pointer)
    });
    found
}
