//! The pieces of a Markdown page: front matter, escaped text, tables, fenced code.
//!
//! Text that comes from a manifest may hold inline code in backticks, which is kept; everything
//! else that Markdown would read as markup is escaped, and line breaks become spaces.

use std::fmt::Write as _;

use crate::emit::text::banner;

/// A page under construction.
#[derive(Debug)]
pub(super) struct Page {
    text: String,
}

impl Page {
    /// A page with front matter, the banner and a heading.
    pub(super) fn new(title: &str, front: &[(&str, &str)], source: &str) -> Self {
        let mut text = String::from("---\n");
        let _ = writeln!(text, "title: {}", yaml(title));
        for (key, value) in front {
            let _ = writeln!(text, "{key}: {}", yaml(value));
        }
        let _ = write!(
            text,
            "---\n\n<!-- {} -->\n\n# {}\n",
            banner(source),
            inline(title)
        );
        Self { text }
    }

    /// A heading of level two, or three for `level` 3 and so on.
    pub(super) fn heading(&mut self, level: usize, title: &str) {
        let _ = write!(self.text, "\n{} {title}\n", "#".repeat(level));
    }

    /// A paragraph of finished Markdown.
    pub(super) fn paragraph(&mut self, markdown: &str) {
        let _ = write!(self.text, "\n{}\n", markdown.trim_end());
    }

    /// A list of finished Markdown items.
    pub(super) fn list<'a>(&mut self, items: impl IntoIterator<Item = &'a str>) {
        self.text.push('\n');
        for item in items {
            let _ = writeln!(self.text, "- {item}");
        }
    }

    /// A table of finished Markdown cells.
    pub(super) fn table(&mut self, head: &[&str], rows: &[Vec<String>]) {
        let _ = write!(
            self.text,
            "\n| {} |\n|{}\n",
            head.join(" | "),
            " --- |".repeat(head.len())
        );
        for row in rows {
            // Inside a table a pipe ends the cell, also in code.
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            let _ = writeln!(self.text, "| {} |", cells.join(" | "));
        }
    }

    /// A table, or the sentence `none` where it would have no row.
    pub(super) fn table_or(&mut self, head: &[&str], rows: &[Vec<String>], none: &str) {
        if rows.is_empty() {
            self.paragraph(none);
        } else {
            self.table(head, rows);
        }
    }

    /// A fenced block.
    pub(super) fn code(&mut self, language: &str, code: &str) {
        let fence = "`".repeat(longest_run(code).max(2) + 1);
        let _ = write!(
            self.text,
            "\n{fence}{language}\n{}\n{fence}\n",
            code.trim_end()
        );
    }

    /// The finished page.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// A YAML scalar. JSON strings are YAML's double-quoted style.
fn yaml(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Text of a manifest as inline Markdown: code in backticks stays code, all else is text.
pub(super) fn inline(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::with_capacity(line.len());
    let mut rest = line.as_str();
    while let Some((before, after)) = rest.split_once('`') {
        out.push_str(&escape(before));
        match after.split_once('`') {
            Some((inside, tail)) if !inside.trim().is_empty() => {
                out.push_str(&code(inside));
                rest = tail;
            }
            _ => {
                out.push_str("\\`");
                rest = after;
            }
        }
    }
    out.push_str(&escape(rest));
    out
}

/// Inline code.
pub(super) fn code(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    let text = text.replace(['\n', '\r'], " ");
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text without markup. Only what can start markup inside a line is escaped, so that plain words stay plain.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '~' | '#' | '$' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_survives_and_markup_does_not() {
        assert_eq!(
            inline("use `a|b` for *x* <b>"),
            "use `a|b` for \\*x\\* \\<b\\>"
        );
        assert_eq!(inline("a ` b"), "a \\` b");
        assert_eq!(inline("two\nlines"), "two lines");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        let mut page = Page::new("t", &[], "x");
        page.code("text", "````");
        assert!(page.into_text().contains("\n`````text\n````\n`````\n"));
    }

    #[test]
    fn front_matter_is_quoted() {
        let page = Page::new("a: \"b\"", &[("k", "- x")], "x").into_text();
        assert!(
            page.starts_with("---\ntitle: \"a: \\\"b\\\"\"\nk: \"- x\"\n---\n"),
            "{page}"
        );
    }
}
