//! Untrusted text as TypeScript: string and number literals, property names, comments, constants.
//!
//! Everything that a reader would not see (controls, bidirectional marks, separators, tags) is
//! written as an escape.

use std::fmt::Write as _;

use serde_json::{Number, Value};
use toolcontract_manifest::text::hidden;
use unicode_ident::{is_xid_continue, is_xid_start};

use super::layout::{Doc, Style};

/// Columns of a comment, its indentation not counted.
const COMMENT_COLUMNS: usize = 92;

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

/// A JSON value as a literal.
pub(super) fn constant(value: &Value) -> Doc {
    match value {
        Value::Null => Doc::text("null"),
        Value::Bool(flag) => Doc::text(flag.to_string()),
        Value::Number(n) => Doc::text(number(n)),
        Value::String(text) => Doc::text(string(text)),
        Value::Array(items) => Doc::list(Style::Brackets, items.iter().map(constant).collect()),
        Value::Object(map) => Doc::list(
            Style::Braces,
            map.iter()
                .map(|(name, value)| property(name, constant(value)))
                .collect(),
        ),
    }
}

/// `key: value` in an object literal.
pub(super) fn property(name: &str, value: Doc) -> Doc {
    Doc::seq([Doc::text(format!("{}: ", key(name))), value])
}

/// A text that two JSON values share exactly when they are equal: `1` is `1.0`.
pub(super) fn canonical(value: &Value) -> String {
    toolcontract_schema::digest::digest(value).unwrap_or_else(|_| value.to_string())
}

/// `name: value` in an object literal, or `name` alone where the value has that name.
pub(super) fn named(name: &str, value: Doc) -> Doc {
    match value {
        Doc::Text(value) if value == name => Doc::Text(value),
        value => property(name, value),
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

/// A documentation comment of untrusted `paragraphs` and our `tags`; nothing when there are none.
pub(super) fn comment<'a>(
    paragraphs: impl IntoIterator<Item = &'a str>,
    tags: impl IntoIterator<Item = String>,
) -> Doc {
    let mut lines = Vec::new();
    for paragraph in paragraphs {
        wrap(&harmless(paragraph), &mut lines);
    }
    for line in &mut lines {
        // A line of the description must not pass for a tag such as `@deprecated`.
        if line.starts_with('@') {
            line.insert(0, '\\');
        }
    }
    for tag in tags {
        wrap(&harmless(&tag), &mut lines);
    }
    Doc::Lines(match lines.as_slice() {
        [] => Vec::new(),
        [only] => vec![format!("/** {only} */")],
        _ => {
            let body = lines
                .iter()
                .map(|l| format!(" * {l}").trim_end().to_owned());
            let mut all = vec!["/**".to_owned()];
            all.extend(body);
            all.push(" */".to_owned());
            all
        }
    })
}

/// `text` with line feeds only, and without what would end the comment or hide in it.
fn harmless(text: &str) -> String {
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

/// Breaks long lines at spaces. Fenced and indented code stays as it is.
fn wrap(text: &str, lines: &mut Vec<String>) {
    let mut fenced = false;
    for line in text.trim_matches('\n').split('\n') {
        let line = line.trim_end();
        fenced ^= line.trim_start().starts_with("```");
        if fenced || line.starts_with([' ', '\t']) || line.len() <= COMMENT_COLUMNS {
            lines.push(line.to_owned());
            continue;
        }
        let mut current = String::new();
        for word in line.split(' ') {
            let longer = current.chars().count() + 1 + word.chars().count();
            if !current.is_empty() && longer > COMMENT_COLUMNS {
                lines.push(std::mem::take(&mut current));
            }
            if !current.is_empty() {
                current.push(' ');
            }
            current.push_str(word);
        }
        lines.push(current);
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::layout::Printer;
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
    fn comments_cannot_be_ended_or_hide_text() {
        let text = |paragraphs: &[&str]| {
            Printer::text_of(&comment(paragraphs.iter().copied(), Vec::new()))
        };
        assert_eq!(text(&["@deprecated"]), "/** \\@deprecated */\n");
        assert_eq!(text(&["a */ b"]), "/** a *\\/ b */\n");
        assert_eq!(
            text(&["a\r\nb", "c\u{202e}"]),
            "/**\n * a\n * b\n * c\\u{202e}\n */\n"
        );
        assert_eq!(text(&[]), "");
        assert_eq!(text(&[""]), "");
    }

    #[test]
    fn constants_keep_every_key() {
        let value = json!({ "__proto__": { "a-b": [1, null] }, "type": "object" });
        assert_eq!(
            Printer::text_of(&constant(&value)),
            "{ [\"__proto__\"]: { \"a-b\": [1, null] }, type: \"object\" }"
        );
    }
}
