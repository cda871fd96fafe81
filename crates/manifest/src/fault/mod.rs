//! Every fault that loading can find: one id and one function each, so that a search for the id
//! leads here and from here to whoever reports it.
//!
//! An id names the fault and never changes meaning. All are of level error: a file with one has
//! no contract.

mod folder;
mod reference;
mod shape;
mod text;

use std::fmt::Write as _;

pub use folder::*;
pub use reference::*;
pub use shape::*;
pub use text::*;

/// The id of every fault, in the order of the docs.
pub const IDS: &[&str] = &[
    INVALID_UTF8,
    BYTE_ORDER_MARK,
    FILE_TOO_LARGE,
    SYNTAX_ERROR,
    DUPLICATE_KEY,
    NESTING_TOO_DEEP,
    TOML_DATETIME,
    NOT_A_NUMBER,
    NUMBER_OUT_OF_RANGE,
    UNKNOWN_KEY,
    MISSING_KEY,
    MISPLACED_KEY,
    WRONG_TYPE,
    UNKNOWN_TOKEN,
    INVALID_VALUE,
    MISSING_PROJECT_FILE,
    UNEXPECTED_FILE,
    UNEXPECTED_FOLDER,
    SYMBOLIC_LINK,
    PATH_OUTSIDE_MANIFESTS,
    NAME_DIFFERS_FROM_FILE,
    STATED_TWICE,
    REFERENCE_LEAVES_MANIFESTS,
    REFERENCE_TO_MISSING_FILE,
    REFERENCE_CYCLE,
    UNRESOLVED_REFERENCE,
];

/// How much of a user's text a message repeats, in characters.
const QUOTED: usize = 60;

/// `text` in backticks, cut where it is long.
#[must_use]
pub fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((at, _)) => format!("`{}...`", text.get(..at).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}

/// `words` in backticks with commas and a last `or`; `none` where there is no word.
#[must_use]
pub fn alternatives<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    let mut out = String::new();
    for (i, word) in words.iter().enumerate() {
        out.push_str(match i {
            0 => "",
            _ if i + 1 == words.len() => " or ",
            _ => ", ",
        });
        let _ = write!(out, "{}", quote(word));
    }
    if out.is_empty() {
        out.push_str("none");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_kebab_case_and_unique() {
        let unique: std::collections::BTreeSet<_> = IDS.iter().collect();
        assert_eq!(unique.len(), IDS.len());
        assert!(IDS.iter().all(|id| {
            id.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        }));
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(quote("risk"), "`risk`");
        let cut = quote(&"\u{e9}".repeat(61));
        assert_eq!(cut, format!("`{}...`", "\u{e9}".repeat(60)));
    }

    #[test]
    fn alternatives_read_as_a_sentence() {
        assert_eq!(alternatives([]), "none");
        assert_eq!(alternatives(["a"]), "`a`");
        assert_eq!(alternatives(["a", "b"]), "`a` or `b`");
        assert_eq!(alternatives(["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
