//! Characters that a reader does not see but a model, a diff or a terminal does.

use std::{borrow::Cow, sync::LazyLock};

use regex::{Captures, Regex};
use serde_json::Value;
use toolcontract_schema::pointer::join;

/// Control, format, separator and default-ignorable characters; line feed and tab excepted. The
/// blank braille pattern is an ordinary symbol to Unicode and a space to the eye.
#[expect(clippy::expect_used, reason = "the pattern is a constant and tested")]
static HIDDEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\x{2800}]--[\n\t]]")
        .expect("a valid pattern")
});

/// Characters that turn the direction of the text around them.
#[expect(clippy::expect_used, reason = "the pattern is a constant and tested")]
static BIDIRECTIONAL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\p{Bidi_Control}").expect("a valid pattern"));

/// Why a reader does not see a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hidden {
    /// It steers a terminal or a printer.
    Control,
    /// It turns the direction of the text around it.
    Bidirectional,
    /// It has no width or no ink.
    Invisible,
}

/// The first character of `text` that a reader does not see, with its byte offset: a control or
/// bidirectional character, a zero-width one, a tag, a filler.
///
/// Line feed and tab are seen. So are joiners and variation selectors between characters that
/// are not ASCII, because scripts and emoji need them.
#[must_use]
pub fn hidden(text: &str) -> Option<(usize, char)> {
    if is_plain(text) {
        return None;
    }
    all_hidden(text).next()
}

/// Whether a text holds letters, digits and marks of ASCII alone: nearly all do, and need no search.
fn is_plain(text: &str) -> bool {
    let seen = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    text.bytes().all(seen)
}

/// Every character of `text` that a reader does not see, each with its byte offset.
pub fn all_hidden(text: &str) -> impl Iterator<Item = (usize, char)> {
    HIDDEN.find_iter(text).filter_map(move |found| {
        let c = found.as_str().chars().next()?;
        (!joins(text, found.start(), c)).then_some((found.start(), c))
    })
}

/// The first such character of each text and each key in `value`, which stands at the JSON pointer
/// `place`: where it is, and the character. In the order of the text, the keys of an object first.
#[must_use]
pub fn hidden_in(value: &Value, place: &str) -> Vec<(String, char)> {
    let mut found = Vec::new();
    let mut open = vec![(place.to_owned(), value)];
    while let Some((place, value)) = open.pop() {
        match value {
            Value::String(said) => found.extend(hidden(said).map(|(_, c)| (place, c))),
            Value::Array(items) => {
                let items = items.iter().enumerate().rev();
                open.extend(items.map(|(at, item)| (join(&place, &at.to_string()), item)));
            }
            Value::Object(members) => {
                let keys = members.keys();
                found.extend(keys.filter_map(|key| Some((join(&place, key), hidden(key)?.1))));
                let members = members.iter().rev();
                open.extend(members.map(|(key, member)| (join(&place, key), member)));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    found
}

/// `text` with every character that a reader does not see written as `\u{202e}`.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    HIDDEN.replace_all(text, |found: &Captures<'_>| {
        let whole = found.get_match();
        match whole.as_str().chars().next() {
            Some(c) if !joins(text, whole.start(), c) => c.escape_unicode().to_string(),
            _ => whole.as_str().to_owned(),
        }
    })
}

/// `text` on one line of at most `max` characters, what a reader does not see and line feeds and tabs
/// escaped; `…` stands for what was cut off.
#[must_use]
pub fn one_line(text: &str, max: usize) -> String {
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

/// Why a reader does not see `c`; only for characters that [`hidden`] gives.
#[must_use]
pub fn why_hidden(c: char) -> Hidden {
    let mut buffer = [0; 4];
    if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
        Hidden::Control
    } else if BIDIRECTIONAL.is_match(c.encode_utf8(&mut buffer)) {
        Hidden::Bidirectional
    } else {
        Hidden::Invisible
    }
}

/// What to call a character that cannot be shown: `U+202E right-to-left override`. One without a
/// name of its own here is named by what it does.
#[must_use]
pub fn describe(c: char) -> String {
    let name = NAMES
        .iter()
        .find(|(first, last, _)| (*first..=*last).contains(&c))
        .map(|(_, _, name)| *name);
    let name = name.unwrap_or(match why_hidden(c) {
        Hidden::Control => "control character",
        Hidden::Bidirectional => "direction mark",
        Hidden::Invisible => "invisible character",
    });
    format!("U+{:04X} {name}", u32::from(c))
}

/// The Unicode names of those that turn up in manifests or in attacks on them.
#[rustfmt::skip]
const NAMES: [(char, char, &str); 41] = [
    ('\0', '\0', "null"),
    ('\u{7}', '\u{7}', "bell"),
    ('\u{8}', '\u{8}', "backspace"),
    ('\u{b}', '\u{b}', "vertical tab"),
    ('\u{c}', '\u{c}', "form feed"),
    ('\r', '\r', "carriage return"),
    ('\u{1b}', '\u{1b}', "escape"),
    ('\u{7f}', '\u{7f}', "delete"),
    ('\u{85}', '\u{85}', "next line"),
    ('\u{ad}', '\u{ad}', "soft hyphen"),
    ('\u{34f}', '\u{34f}', "combining grapheme joiner"),
    ('\u{61c}', '\u{61c}', "arabic letter mark"),
    ('\u{115f}', '\u{115f}', "hangul choseong filler"),
    ('\u{1160}', '\u{1160}', "hangul jungseong filler"),
    ('\u{180e}', '\u{180e}', "mongolian vowel separator"),
    ('\u{200b}', '\u{200b}', "zero width space"),
    ('\u{200c}', '\u{200c}', "zero width non-joiner"),
    ('\u{200d}', '\u{200d}', "zero width joiner"),
    ('\u{200e}', '\u{200e}', "left-to-right mark"),
    ('\u{200f}', '\u{200f}', "right-to-left mark"),
    ('\u{2028}', '\u{2028}', "line separator"),
    ('\u{2029}', '\u{2029}', "paragraph separator"),
    ('\u{202a}', '\u{202a}', "left-to-right embedding"),
    ('\u{202b}', '\u{202b}', "right-to-left embedding"),
    ('\u{202c}', '\u{202c}', "pop directional formatting"),
    ('\u{202d}', '\u{202d}', "left-to-right override"),
    ('\u{202e}', '\u{202e}', "right-to-left override"),
    ('\u{2060}', '\u{2060}', "word joiner"),
    ('\u{2061}', '\u{2064}', "invisible operator"),
    ('\u{2066}', '\u{2066}', "left-to-right isolate"),
    ('\u{2067}', '\u{2067}', "right-to-left isolate"),
    ('\u{2068}', '\u{2068}', "first strong isolate"),
    ('\u{2069}', '\u{2069}', "pop directional isolate"),
    ('\u{2800}', '\u{2800}', "braille pattern blank"),
    ('\u{3164}', '\u{3164}', "hangul filler"),
    ('\u{fe00}', '\u{fe0f}', "variation selector"),
    ('\u{feff}', '\u{feff}', "zero width no-break space"),
    ('\u{ffa0}', '\u{ffa0}', "halfwidth hangul filler"),
    ('\u{fff9}', '\u{fffb}', "interlinear annotation mark"),
    ('\u{e0000}', '\u{e007f}', "tag character"),
    ('\u{e0100}', '\u{e01ef}', "variation selector"),
];

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
    use super::*;

    const HIDING: [char; 15] = [
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
        '\u{2800}',
        '\u{3164}',
        '\u{feff}',
        '\u{fe0f}',
        '\u{e0041}',
    ];

    #[test]
    fn plain_text_is_seen() {
        for text in [
            "",
            "Reads a file.\n\tReturns its lines.",
            "\u{65e5}\u{672c}\u{8a9e}, na\u{ef}ve, \u{2014} \u{2192}",
            "\u{1f469}\u{200d}\u{1f4bb} \u{2764}\u{fe0f}",
        ] {
            assert_eq!(hidden(text), None, "{text:?}");
            assert_eq!(escape(text), text);
        }
    }

    #[test]
    fn what_hides_is_found_and_escaped() {
        for c in HIDING {
            assert_eq!(hidden(&format!("read{c}file")), Some((4, c)), "{c:?}");
            let escaped = escape(&format!("read{c}file")).into_owned();
            assert_eq!(escaped, format!("read{}file", c.escape_unicode()));
        }
        assert_eq!(all_hidden("\u{1b}[31m\u{202e}").count(), 2);
    }

    #[test]
    fn what_hides_has_a_name() {
        assert_eq!(describe('\u{202e}'), "U+202E right-to-left override");
        assert_eq!(describe('\u{e0041}'), "U+E0041 tag character");
        assert_eq!(describe('\u{2}'), "U+0002 control character");
        assert_eq!(describe('\u{17b4}'), "U+17B4 invisible character");
        assert_eq!(why_hidden('\u{200f}'), Hidden::Bidirectional);
        assert_eq!(why_hidden('\u{200b}'), Hidden::Invisible);
        assert_eq!(why_hidden('\u{1b}'), Hidden::Control);
    }

    #[test]
    fn names_are_in_order() {
        assert!(NAMES.is_sorted_by(|a, b| a.1 < b.0));
    }

    #[test]
    fn nothing_breaks_the_line() {
        assert_eq!(one_line("a\nb\tc\r\u{1b}[2J", 99), r"a\nb\tc\u{d}\u{1b}[2J");
        assert_eq!(one_line("read\u{202e}elif", 99), r"read\u{202e}elif");
        assert_eq!(one_line("abcdef", 3), "abc…");
        assert_eq!(one_line("äöü", 3), "äöü");
    }
}
