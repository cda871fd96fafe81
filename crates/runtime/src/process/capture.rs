//! What is kept of what a command writes: the beginning and the end, and how much there was.

use std::{collections::VecDeque, str};

/// How much is kept of one stream, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// From the beginning.
    pub head: usize,
    /// From the end, of what the beginning does not hold.
    pub tail: usize,
}

impl Keep {
    /// `bytes` in all: three quarters from the beginning, the rest from the end, which often says
    /// how it went.
    #[must_use]
    pub fn of(bytes: usize) -> Self {
        let tail = bytes / 4;
        Self {
            head: bytes - tail,
            tail,
        }
    }
}

/// What a command wrote to one stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    keep: Keep,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    written: u64,
}

impl Captured {
    pub(super) fn new(keep: Keep) -> Self {
        Self {
            keep,
            head: Vec::new(),
            tail: VecDeque::new(),
            written: 0,
        }
    }

    /// What is kept of `bytes`.
    pub(crate) fn of(bytes: &[u8], keep: Keep) -> Self {
        let mut captured = Self::new(keep);
        captured.push(bytes);
        captured
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.written = self.written.saturating_add(bytes.len() as u64);
        let room = self.keep.head - self.head.len();
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        let skipped = rest.len().saturating_sub(self.keep.tail);
        self.tail.extend(rest.iter().skip(skipped));
        let excess = self.tail.len().saturating_sub(self.keep.tail);
        self.tail.drain(..excess);
    }

    /// Bytes that were written.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Bytes that were written and are not kept.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.written - (self.head.len() + self.tail.len()) as u64
    }

    /// All bytes, when none is lost.
    #[must_use]
    pub fn whole(&self) -> Option<Vec<u8>> {
        (self.lost() == 0).then(|| self.head.iter().chain(&self.tail).copied().collect())
    }

    /// The text, with a line that says how much is cut out where something is. What is not UTF-8
    /// is written as U+FFFD.
    #[must_use]
    pub fn text(&self) -> String {
        if let Some(whole) = self.whole() {
            return String::from_utf8_lossy(&whole).into_owned();
        }
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        format!(
            "{}\n[{} of {} bytes are not shown]\n{}",
            String::from_utf8_lossy(without_cut_end(&self.head)),
            self.lost(),
            self.written,
            String::from_utf8_lossy(without_cut_start(&tail)),
        )
    }
}

/// `bytes` without the first part of a character at their end.
fn without_cut_end(bytes: &[u8]) -> &[u8] {
    // Only the last character can be cut, and no character has more than four bytes.
    let start = bytes.len().saturating_sub(3);
    for at in start..bytes.len() {
        let (before, end) = bytes.split_at(at);
        if str::from_utf8(end)
            .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        {
            return before;
        }
    }
    bytes
}

/// `bytes` without the last part of a character at their start.
fn without_cut_start(bytes: &[u8]) -> &[u8] {
    let is_continuation = |byte: &&u8| (**byte & 0xc0) == 0x80;
    let cut = bytes.iter().take(3).take_while(is_continuation).count();
    bytes.split_at(cut).1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(keep: usize, chunks: &[&[u8]]) -> Captured {
        let mut captured = Captured::new(Keep::of(keep));
        for chunk in chunks {
            captured.push(chunk);
        }
        captured
    }

    #[test]
    fn what_fits_is_whole() {
        let all = captured(8, &[b"abc", b"", b"defgh"]);
        assert_eq!(all.whole().as_deref(), Some(&b"abcdefgh"[..]));
        assert_eq!(all.text(), "abcdefgh");
    }

    #[test]
    fn the_middle_is_cut_out() {
        for chunks in [
            &[&b"0123456789abcdef"[..]][..],
            &[b"0123", b"456789abcd", b"ef"],
        ] {
            let cut = captured(8, chunks);
            assert_eq!(cut.whole(), None);
            assert_eq!((cut.written(), cut.lost()), (16, 8));
            assert_eq!(cut.text(), "012345\n[8 of 16 bytes are not shown]\nef");
        }
    }

    #[test]
    fn no_character_is_cut() {
        let cut = captured(9, &["é".repeat(20).as_bytes()]);
        assert_eq!(cut.text(), "ééé\n[31 of 40 bytes are not shown]\né");
        // What was never a character stays visible as such.
        let cut = captured(8, &[b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"]);
        assert_eq!(cut.text().matches('\u{fffd}').count(), 8);
    }
}
