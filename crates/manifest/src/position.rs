//! Lines and columns of byte offsets. Refuses no offset: one beyond the text is its end, one
//! inside a character is the character's start.

use std::ops::Range;

/// A place in a text, both numbers from 1. Columns count characters, not bytes; a line ends
/// with `\n`, and the `\r` before it is no column of its own line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// The place of the byte `offset` of `text`.
    #[must_use]
    pub fn of(text: &str, offset: usize) -> Self {
        let offset = text.floor_char_boundary(offset);
        let before = text.get(..offset).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let in_line = before.get(line_start..).unwrap_or_default();
        Self {
            line: before.bytes().filter(|b| *b == b'\n').count() + 1,
            column: in_line.chars().count() + 1,
        }
    }
}

/// The bytes of the line that holds `offset`, without its end.
#[must_use]
pub fn line_around(text: &str, offset: usize) -> Range<usize> {
    let offset = text.floor_char_boundary(offset);
    let start = text
        .get(..offset)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |at| at + 1);
    let rest = text.get(start..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    start..start + line.len()
}

/// `span` moved to the nearest character boundaries inside `text`.
#[must_use]
pub fn clip(text: &str, span: Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(span.start);
    start..text.ceil_char_boundary(span.end).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, needle: &str, line: usize, column: usize) {
        let offset = text.find(needle).expect("the needle is in the text");
        assert_eq!(Position::of(text, offset), Position { line, column });
    }

    #[test]
    fn columns_count_characters() {
        check("naïve = \"é\" # x", "#", 1, 13);
        check("日本 = 1", "=", 1, 4);
    }

    #[test]
    fn both_line_ends_count_once() {
        check("a\r\nb\r\nc", "c", 3, 1);
        check("a\nb\nc", "c", 3, 1);
        check("a\r\nb", "\r", 1, 2);
    }

    #[test]
    fn offsets_outside_are_clipped() {
        assert_eq!(Position::of("ab", 99), Position { line: 1, column: 3 });
        assert_eq!(Position::of("é", 1), Position { line: 1, column: 1 });
        assert_eq!(clip("é!", 1..9), 0..3);
        assert_eq!(Position::of("", 0), Position { line: 1, column: 1 });
    }

    #[test]
    fn a_line_is_cut_before_its_end() {
        assert_eq!(line_around("ab\r\ncd\r\n", 5), 4..6);
        assert_eq!(line_around("ab\n\ncd", 3), 3..3);
        assert_eq!(line_around("ab", 2), 0..2);
    }
}
