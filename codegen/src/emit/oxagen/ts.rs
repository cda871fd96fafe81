//! TypeScript literals and keys, safe for Oxagen's text scanners: no text of ours can spell the
//! call that they look for.

use serde_json::Value;

/// The call that Oxagen's scanners look for. It may stand in a module once.
pub(super) const CALL: &str = "registerCapability(";

/// `text` as a string literal.
#[must_use]
pub(super) fn string(text: &str) -> String {
    let literal = serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned());
    literal
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
        .replace(CALL, "registerCapability\\u0028")
}

/// `value` as a literal on one line.
#[must_use]
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => n.to_string(),
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

/// `name` as the key of an object literal. `__proto__` would set the prototype, so it is computed.
#[must_use]
pub(super) fn key(name: &str) -> String {
    if name == "__proto__" {
        "[\"__proto__\"]".to_owned()
    } else if is_identifier(name) {
        name.to_owned()
    } else {
        string(name)
    }
}

/// `object.name`, or with brackets where the name is no identifier.
#[must_use]
pub(super) fn member(object: &str, name: &str) -> String {
    if is_identifier(name) {
        format!("{object}.{name}")
    } else {
        format!("{object}[{}]", string(name))
    }
}

/// Whether `name` may follow a dot. ASCII only, which every tool chain reads alike.
#[must_use]
pub(super) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_' || b == b'$')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$')
}

/// A regular expression literal with the `u` flag.
#[must_use]
pub(super) fn regex(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() + 4);
    let mut escaped = false;
    for c in pattern.chars() {
        match c {
            '/' if !escaped => out.push_str("\\/"),
            '\n' => out.push_str(if escaped { "n" } else { "\\n" }),
            '\r' => out.push_str(if escaped { "r" } else { "\\r" }),
            '\u{2028}' => out.push_str(if escaped { "u2028" } else { "\\u2028" }),
            '\u{2029}' => out.push_str(if escaped { "u2029" } else { "\\u2029" }),
            other => out.push(other),
        }
        escaped = c == '\\' && !escaped;
    }
    if out.is_empty() {
        out.push_str("(?:)");
    }
    format!("/{out}/u")
}

/// `text` for a line comment or a documentation comment: one line that ends neither and cannot be
/// taken for the call.
#[must_use]
pub(super) fn comment(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace("*/", "*\\/")
        .replace(CALL, "registerCapability (")
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
    fn patterns_become_literals() {
        assert_eq!(regex("^a/b$"), "/^a\\/b$/u");
        assert_eq!(regex(r"^a\/[/]$"), r"/^a\/[\/]$/u");
        assert_eq!(regex(""), "/(?:)/u");
        assert_eq!(regex("a\nb"), "/a\\nb/u");
    }

    #[test]
    fn keys_are_quoted_where_they_must_be() {
        assert_eq!(key("a-b"), "\"a-b\"");
        assert_eq!(key("class"), "class");
        assert_eq!(key("__proto__"), "[\"__proto__\"]");
        assert_eq!(member("v", "a b"), "v[\"a b\"]");
    }
}
