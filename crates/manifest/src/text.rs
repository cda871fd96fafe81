//! Characters that a reader does not see but a model, a diff or a terminal does.

use std::sync::LazyLock;

use regex::Regex;

/// Control, format, separator and default-ignorable characters; line feed and tab excepted.
#[expect(clippy::expect_used, reason = "the pattern is a constant and tested")]
static HIDDEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t]]")
        .expect("a valid pattern")
});

/// The first character of `text` that a reader does not see, with its byte offset: a control or
/// bidirectional character, a zero-width one, a tag, a filler.
///
/// Line feed and tab are seen. So are joiners and variation selectors between characters that
/// are not ASCII, because scripts and emoji need them.
#[must_use]
pub fn hidden(text: &str) -> Option<(usize, char)> {
    HIDDEN.find_iter(text).find_map(|found| {
        let c = found.as_str().chars().next()?;
        (!joins(text, found.start(), c)).then_some((found.start(), c))
    })
}

fn joins(text: &str, at: usize, c: char) -> bool {
    let before = text.get(..at).and_then(|t| t.chars().next_back());
    let after = text.get(at + c.len_utf8()..).and_then(|t| t.chars().next());
    match c {
        '\u{200c}' | '\u{200d}' => {
            before.is_some_and(|b| !b.is_ascii()) && after.is_some_and(|a| !a.is_ascii())
        }
        '\u{fe00}'..='\u{fe0f}' => before.is_some_and(|b| !b.is_ascii()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::hidden;

    #[test]
    fn plain_text_is_seen() {
        for text in [
            "",
            "Reads a file.\n\tReturns its lines.",
            "\u{65e5}\u{672c}\u{8a9e}, na\u{ef}ve, \u{2014} \u{2192}",
            "\u{1f469}\u{200d}\u{1f4bb} \u{2764}\u{fe0f}",
        ] {
            assert_eq!(hidden(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_hides_is_found() {
        for c in [
            '\0',
            '\r',
            '\u{1b}',
            '\u{7f}',
            '\u{ad}',
            '\u{200b}',
            '\u{200d}',
            '\u{202e}',
            '\u{2028}',
            '\u{2066}',
            '\u{3164}',
            '\u{feff}',
            '\u{fe0f}',
            '\u{e0041}',
        ] {
            assert_eq!(hidden(&format!("read{c}file")), Some((4, c)), "{c:?}");
        }
    }
}
