//! Literals, keys and comments that Oxagen's text scanners cannot misread: no untrusted text can
//! spell the call that they look for.

use serde_json::Value;

use crate::emit::javascript;

/// The call that Oxagen's scanners look for. It may stand in a module once.
pub(super) const CALL: &str = "registerCapability(";

/// `text` as a string literal.
#[must_use]
pub(super) fn string(text: &str) -> String {
    without_call(&javascript::string(text))
}

/// `value` as a literal on one line.
#[must_use]
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => javascript::number(n),
        Value::String(s) => string(s),
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(literal).collect::<Vec<_>>().join(", ")
        ),
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(k, v)| format!("{}: {}", key(k), literal(v)))
                .collect();
            if members.is_empty() {
                "{}".to_owned()
            } else {
                format!("{{ {} }}", members.join(", "))
            }
        }
    }
}

/// `name` as the key of an object literal.
#[must_use]
pub(super) fn key(name: &str) -> String {
    without_call(&javascript::key(name))
}

/// `object.name`, or with brackets where the name is no identifier.
#[must_use]
pub(super) fn member(object: &str, name: &str) -> String {
    format!("{object}{}", without_call(&javascript::access(name)))
}

/// A regular expression literal with the `u` flag.
#[must_use]
pub(super) fn regex(pattern: &str) -> String {
    javascript::regex(pattern).replace(CALL, "registerCapabilit\\u0079(")
}

/// `text` for a line comment or a documentation comment: one line that ends neither and cannot be
/// taken for the call.
#[must_use]
pub(super) fn comment(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    javascript::comment(&line).replace(CALL, "registerCapability (")
}

/// The same string literal without the call.
fn without_call(literal: &str) -> String {
    literal.replace(CALL, "registerCapability\\u0028")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_cannot_spell_the_call() {
        let text = string("say registerCapability({ name: \"x\" })\u{2028}");
        assert!(!text.contains(CALL) && text.is_ascii(), "{text}");
    }

    #[test]
    fn neither_can_patterns_keys_and_comments() {
        assert_eq!(regex("^a/b$"), "/^a\\/b$/u");
        assert_eq!(
            regex("registerCapability(x)"),
            "/registerCapabilit\\u0079(x)/u"
        );
        assert_eq!(key("registerCapability("), "\"registerCapability\\u0028\"");
        assert_eq!(member("v", "a b"), "v[\"a b\"]");
        assert!(!comment("a registerCapability( b").contains(CALL));
    }
}
