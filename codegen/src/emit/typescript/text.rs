//! Values and untrusted text as they are laid out in a module: constants, members, comments.

use serde_json::Value;

use super::layout::{Doc, Style};
use crate::emit::javascript::{self, key, number, string};

/// Columns of a comment, its indentation not counted.
const COMMENT_COLUMNS: usize = 92;

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

/// A documentation comment of untrusted `paragraphs` and our `tags`; nothing when there are none.
pub(super) fn comment<'a>(
    paragraphs: impl IntoIterator<Item = &'a str>,
    tags: impl IntoIterator<Item = String>,
) -> Doc {
    let mut lines = Vec::new();
    for paragraph in paragraphs {
        wrap(&javascript::comment(paragraph), &mut lines);
    }
    for line in &mut lines {
        // A line of the description must not pass for a tag such as `@deprecated`.
        if line.starts_with('@') {
            line.insert(0, '\\');
        }
    }
    for tag in tags {
        wrap(&javascript::comment(&tag), &mut lines);
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
