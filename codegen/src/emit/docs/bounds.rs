//! The bounds of a value in words, as a cell of a table has room for them.

use serde_json::Value;

use super::markdown::code;

/// What a string must be like.
pub(super) fn string_bounds(schema: &Value) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(format) = schema.get("format").and_then(Value::as_str) {
        words.push(code(format));
    }
    words.extend(range(schema, "minLength", "maxLength", "characters"));
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        words.push(format!("matching {}", code(pattern)));
    }
    words
}

/// Where a number must lie.
pub(super) fn number_bounds(schema: &Value) -> Vec<String> {
    let mut words: Vec<String> = range(schema, "minimum", "maximum", "")
        .into_iter()
        .collect();
    if let Some(above) = schema.get("exclusiveMinimum") {
        words.push(format!("above {above}"));
    }
    if let Some(below) = schema.get("exclusiveMaximum") {
        words.push(format!("below {below}"));
    }
    if let Some(step) = schema.get("multipleOf") {
        words.push(format!("a multiple of {step}"));
    }
    words
}

/// `1 to 20 items`, `at least 1 item`, or nothing.
pub(super) fn range(schema: &Value, least: &str, most: &str, unit: &str) -> Option<String> {
    let words = match (schema.get(least), schema.get(most)) {
        (Some(a), Some(b)) if a == b => a.to_string(),
        (Some(a), Some(b)) => format!("{a} to {b}"),
        (Some(a), None) => format!("at least {a}"),
        (None, Some(b)) => format!("at most {b}"),
        (None, None) => return None,
    };
    let unit = if words.ends_with(" 1") || words == "1" {
        unit.trim_end_matches('s')
    } else {
        unit
    };
    Some(format!("{words} {unit}").trim_end().to_owned())
}
