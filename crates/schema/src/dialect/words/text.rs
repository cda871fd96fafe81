//! Small pieces of English: counts, lists, capitals.

use serde_json::Value;

use crate::keyword;

pub(super) fn at_least(value: &Value, unit: &str) -> String {
    capital(&count("at least", value, unit))
}

pub(super) fn at_most(value: &Value, unit: &str) -> String {
    capital(&count("at most", value, unit))
}

pub(super) fn count(how: &str, value: &Value, unit: &str) -> String {
    let plural = if value.as_f64() == Some(1.0) { "" } else { "s" };
    format!("{how} {value} {unit}{plural}")
}

pub(super) fn count_is(how: &str, value: &Value, unit: &str) -> String {
    let verb = if value.as_f64() == Some(1.0) {
        "is"
    } else {
        "are"
    };
    format!("{} {verb}", count(how, value, unit))
}

/// The names in a list, each between backticks.
pub(super) fn names(list: &Value) -> Vec<String> {
    keyword::names(Some(list))
        .map(|name| format!("`{name}`"))
        .collect()
}

pub(super) fn values(value: &Value) -> Vec<String> {
    value
        .as_array()
        .map(|items| items.iter().map(Value::to_string).collect())
        .unwrap_or_default()
}

pub(super) fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// "a", "a and b", "a, b and c".
pub(super) fn join(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// Whether `schema` has no keyword but these and annotations for people.
pub(super) fn only(schema: &Value, keywords: &[&str]) -> bool {
    schema.as_object().is_some_and(|map| {
        map.keys().all(|k| {
            keywords.contains(&k.as_str()) || matches!(k.as_str(), "title" | "description")
        })
    })
}

pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

pub(super) fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_lowercase().chain(chars).collect())
        .unwrap_or_default()
}
