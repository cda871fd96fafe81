//! Untrusted text as JavaScript: string, number and pattern literals, property names, comments.
//!
//! Everything that a reader would not see (controls, bidirectional marks, separators, tags) is
//! written as an escape.

use std::fmt::Write as _;

use serde_json::{Number, Value};
use toolcontract_manifest::text::hidden;
use unicode_ident::{is_xid_continue, is_xid_start};

/// The members of `Object.prototype`: every object has them, so that reading one proves nothing.
pub(super) const INHERITED: [&str; 12] = [
    "__proto__",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// A string literal. A JSON string is one, but for the characters that nobody sees.
pub(super) fn string(text: &str) -> String {
    let literal = Value::from(text).to_string();
    let mut out = String::with_capacity(literal.len());
    for (c, seen) in characters(&literal) {
        if seen {
            out.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

/// The characters of `text`, each with whether a reader sees it.
fn characters(text: &str) -> impl Iterator<Item = (char, bool)> {
    let mut next = hidden(text).map(|(at, _)| at);
    text.char_indices().map(move |(at, c)| {
        let seen = next != Some(at);
        if !seen {
            let from = at + c.len_utf8();
            next = text
                .get(from..)
                .and_then(hidden)
                .map(|(further, _)| from + further);
        }
        (c, seen)
    })
}

/// A number literal. An integer beyond 2^53 keeps its digits, though JavaScript reads the nearest
/// number that it has.
pub(super) fn number(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => Shortest(float).to_string(),
        _ => number.to_string(),
    }
}

/// A float as JavaScript would print it, but for the place where it turns to exponents.
struct Shortest(f64);

impl std::fmt::Display for Shortest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plain = format!("{}", self.0);
        if plain.len() <= 21 {
            f.write_str(&plain)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

/// Whether `text` can stand as an identifier or an unquoted property name.
pub(super) fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let starts = chars
        .next()
        .is_some_and(|c| c == '_' || c == '$' || is_xid_start(c));
    starts && chars.all(|c| c == '$' || is_xid_continue(c)) && hidden(text).is_none()
}

/// The name of a property in a type.
pub(super) fn member(key: &str) -> String {
    if is_identifier(key) {
        key.to_owned()
    } else {
        string(key)
    }
}

/// The name of a property in an object literal, where a plain `__proto__` would set the prototype.
pub(super) fn key(key: &str) -> String {
    if key == "__proto__" {
        "[\"__proto__\"]".to_owned()
    } else {
        member(key)
    }
}

/// Access to a property: `.key` or `["a-b"]`.
pub(super) fn access(key: &str) -> String {
    if is_identifier(key) {
        format!(".{key}")
    } else {
        format!("[{}]", string(key))
    }
}

/// A regular expression literal that finds what `pattern` finds, by code points.
pub(super) fn regex(pattern: &str) -> String {
    let mut out = String::from("/");
    let mut escaped = false;
    for (c, seen) in characters(pattern) {
        match c {
            '/' if !escaped => out.push_str("\\/"),
            '\n' => out.push_str(if escaped { "n" } else { "\\n" }),
            '\t' => out.push_str(if escaped { "t" } else { "\\t" }),
            c if !seen => {
                if escaped {
                    out.pop();
                }
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    if pattern.is_empty() {
        out.push_str("(?:)");
    }
    out.push_str("/u");
    out
}

/// `text` with line feeds only, and without what would end the comment or hide in it.
pub(super) fn comment(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut out = String::with_capacity(lines.len());
    for (c, seen) in characters(&lines) {
        if seen {
            out.push(c);
        } else {
            let _ = write!(out, "\\u{{{:x}}}", c as u32);
        }
    }
    out.replace("*/", "*\\/")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hidden_characters_are_escaped() {
        assert_eq!(string("a\"b\\\n"), r#""a\"b\\\n""#);
        assert_eq!(
            string("a\u{2028}\u{202e}b\u{7f}"),
            r#""a\u2028\u202eb\u007f""#
        );
        assert_eq!(string("\u{e0041}x"), r#""\udb40\udc41x""#);
        assert_eq!(string("日本 é"), "\"日本 é\"");
    }

    #[test]
    fn numbers_are_spelled_as_javascript_reads_them() {
        let print = |value: Value| number(value.as_number().expect("a number"));
        assert_eq!(print(json!(20.0)), "20");
        assert_eq!(print(json!(-0.5)), "-0.5");
        assert_eq!(
            print(json!(18_446_744_073_709_551_615_u64)),
            "18446744073709551615"
        );
        assert_eq!(print(json!(1e300)), "1e300");
        assert_eq!(print(json!(1e-9)), "0.000000001");
    }

    #[test]
    fn keys_are_quoted_when_they_must_be() {
        assert_eq!(key("read_file"), "read_file");
        assert_eq!(key("a-b"), "\"a-b\"");
        assert_eq!(key("1st"), "\"1st\"");
        assert_eq!(key("default"), "default");
        assert_eq!(key("__proto__"), "[\"__proto__\"]");
        assert_eq!(member("__proto__"), "__proto__");
        assert_eq!(access("a b"), "[\"a b\"]");
    }

    #[test]
    fn patterns_become_literals() {
        assert_eq!(regex("^/api/[a/b]\\/"), "/^\\/api\\/[a\\/b]\\//u");
        assert_eq!(regex(""), "/(?:)/u");
        assert_eq!(regex("a\nb\u{2028}"), "/a\\nb\\u{2028}/u");
        assert_eq!(regex("\\\\/"), "/\\\\\\//u");
    }

    #[test]
    fn comments_cannot_be_ended() {
        assert_eq!(comment("a */ b"), "a *\\/ b");
        assert_eq!(comment("a\r\nb\u{202e}"), "a\nb\\u{202e}");
    }
}
