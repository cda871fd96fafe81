//! Text of others on one short line: what a reader does not see is escaped, what is long is cut.

use toolcontract_manifest::text::escape;

/// `text` on one line of at most `max` characters; `…` stands for what was cut off.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let (head, rest) = match text.char_indices().nth(max) {
        None => (text, ""),
        Some((at, _)) => text.split_at(at),
    };
    // `escape` lets line feeds and tabs stand.
    let mut line = escape(head).replace('\n', "\\n").replace('\t', "\\t");
    if !rest.is_empty() {
        line.push('…');
    }
    line
}

/// An error with its causes.
#[cfg(feature = "mcp")]
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        // Many errors say what their cause says.
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn nothing_breaks_the_line() {
        assert_eq!(one_line("a\nb\tc\r\u{1b}[2J", 99), r"a\nb\tc\u{d}\u{1b}[2J");
        assert_eq!(one_line("read\u{202e}elif", 99), r"read\u{202e}elif");
        assert_eq!(one_line("abcdef", 3), "abc…");
        assert_eq!(one_line("äöü", 3), "äöü");
    }
}
