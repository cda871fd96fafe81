//! Doc comments from text that others wrote.
//!
//! Inline code in backticks is kept; everything else is plain text. Nothing in it can become a
//! link, HTML, a code block that rustdoc would compile, or a character that nobody sees.

use toolcontract_manifest::text::escape;

/// How wide a comment is, with its indentation and marks.
const WIDTH: usize = 100;

/// The lines of a doc comment, each to stand behind `///` and a space; `indent` is how far right it begins.
pub(super) fn lines(text: &str, indent: usize) -> Vec<String> {
    let width = WIDTH.saturating_sub(indent + 4);
    let text = text.trim().replace("\r\n", "\n").replace('\r', "\n");
    let mut lines: Vec<String> = Vec::new();
    let mut in_list = false;
    for line in escape(&text).lines() {
        let line = plain(line.trim());
        let marker = marker(&line);
        let gap = line.is_empty() || (in_list && marker == 0);
        if gap && lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(String::new());
        }
        if !line.is_empty() {
            wrap(&line, width, marker, &mut lines);
        }
        in_list = marker > 0;
    }
    lines
}

/// How wide the mark of a list item is that `line` begins with, its space included.
fn marker(line: &str) -> usize {
    let Some((mark, _)) = line.split_once(' ') else {
        return 0;
    };
    let number = mark.strip_suffix(['.', ')']).unwrap_or_default();
    let numbered = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    if numbered || ["-", "*", "+"].contains(&mark) {
        mark.len() + 1
    } else {
        0
    }
}

/// One line as Markdown that shows it as it is, but for inline code.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    if rest.starts_with(['#', '>', '~', '=']) {
        out.push('\\');
    }
    while let Some(c) = rest.chars().next() {
        if let Some(code) = inline_code(rest) {
            out.push_str(code);
            rest = rest.get(code.len()..).unwrap_or_default();
            continue;
        }
        if let Some(url) = url(rest) {
            out.extend(["<", url, ">"]);
            rest = rest.get(url.len()..).unwrap_or_default();
            continue;
        }
        match c {
            '`' | '[' | ']' | '<' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    out.truncate(out.trim_end().len());
    out
}

/// The inline code that `text` begins with, backticks included. Three backticks are a fence to
/// some reader somewhere, so they never are.
fn inline_code(text: &str) -> Option<&str> {
    let fence = text.len() - text.trim_start_matches('`').len();
    if !(1..=2).contains(&fence) {
        return None;
    }
    let mut at = fence;
    loop {
        let rest = text.get(at..)?;
        let open = at + rest.find('`')?;
        let run = text.get(open..)?;
        let run = run.len() - run.trim_start_matches('`').len();
        at = open + run;
        if run == fence {
            return text.get(..at);
        }
    }
}

/// The web address that `text` begins with, without the punctuation of the sentence around it.
fn url(text: &str) -> Option<&str> {
    let scheme = ["https://", "http://"]
        .into_iter()
        .find(|scheme| text.starts_with(scheme))?;
    let end = text
        .find(|c: char| c.is_whitespace() || "<>\"'`\\".contains(c))
        .unwrap_or(text.len());
    let url = text
        .get(..end)?
        .trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}', '*', '_']);
    (url.len() > scheme.len()).then_some(url)
}

/// Breaks `line` at spaces outside inline code, never so that a line would begin like a list, a
/// heading or a rule. Lines behind the first stand `hang` further right.
fn wrap(line: &str, width: usize, hang: usize, lines: &mut Vec<String>) {
    let mut current = String::new();
    for word in words(line) {
        let fits = current.chars().count() + 1 + word.chars().count() <= width;
        if current.is_empty() {
            current.push_str(word);
        } else if fits || begins_block(word) {
            current.push(' ');
            current.push_str(word);
        } else {
            let next = format!("{}{word}", " ".repeat(hang));
            lines.push(std::mem::replace(&mut current, next));
        }
    }
    lines.push(current);
}

/// The words of a line; inline code is part of one.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with('\\') {
            at += 1 + rest.chars().nth(1).map_or(0, char::len_utf8);
        } else if let Some(code) = inline_code(rest) {
            at += code.len();
        } else if rest.starts_with(' ') {
            words.extend(line.get(start..at));
            at += 1;
            start = at;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    words.extend(line.get(start..));
    words
}

fn begins_block(word: &str) -> bool {
    let numbered = word.trim_end_matches(['.', ')']);
    word.chars().all(|c| "-+*=_#".contains(c))
        || (numbered.len() < word.len() && numbered.chars().all(|c| c.is_ascii_digit()))
        || word.starts_with(['>', '~', '|', '#', '='])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(lines(text, 0), expected, "{text}");
    }

    #[test]
    fn inline_code_stays_and_markup_does_not() {
        check("Use `a[0]` or ``b ` c``.", &["Use `a[0]` or ``b ` c``."]);
        check(
            "a [link] <b> \\d ` lonely",
            &["a \\[link\\] \\<b> \\\\d \\` lonely"],
        );
        check(
            "# no heading\n> no quote",
            &["\\# no heading", "\\> no quote"],
        );
        check(
            "```rust\nfn main() {}\n```",
            &["\\`\\`\\`rust", "fn main() {}", "\\`\\`\\`"],
        );
        check("-     fn main() {}", &["- fn main() {}"]);
        check("- a\n- b\nc", &["- a", "- b", "", "c"]);
        check("a\n\n\n        fn main() {}", &["a", "", "fn main() {}"]);
        check(
            "See (https://example.com/a_b).",
            &["See (<https://example.com/a_b>)."],
        );
        check("x\u{202e}y", &["x\\\\u{202e}y"]);
    }

    #[test]
    fn long_lines_are_wrapped_at_spaces() {
        let text = format!(
            "{} `code of two` - and {}",
            "word ".repeat(18),
            "tail ".repeat(4)
        );
        let lines = lines(&text, 0);
        assert_eq!(lines.len(), 2);
        assert!(
            lines[1].starts_with("`code of two` - and tail"),
            "{lines:?}"
        );

        let text = format!("12. {}", "word ".repeat(20));
        let lines = super::lines(&text, 0);
        assert_eq!(lines[1], "    word word", "{lines:?}");

        let text = format!("{}- no list", "word ".repeat(19));
        let lines = super::lines(&text, 0);
        assert!(lines[0].ends_with("word -"), "{lines:?}");
    }
}
