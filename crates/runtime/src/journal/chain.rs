//! The line of a journal and the chain that runs through the lines.
//!
//! A line is `{"hash":H,"entry":E}`, where E is the entry in canonical JSON (RFC 8785) and H the
//! SHA-256, in lower-case hex, of the hash of the line before, a line feed, and E. The first line
//! follows a hash of 64 zeros. Every byte counts: the hash holds those of E, and the frame around
//! it has one spelling.

use serde::{Deserialize, Serialize};
use toolcontract_protocol::journal::JournalEntry;
use toolcontract_schema::digest::{canonical, hex};

/// Digits of a hash.
const HASH: usize = 64;

/// The end of a journal: enough to tell later whether the end was cut off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Place of the last entry; 0 when there is none.
    pub sequence: u64,
    /// Hash of the last line.
    pub hash: String,
}

impl Head {
    /// The end of an empty journal.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            sequence: 0,
            hash: "0".repeat(HASH),
        }
    }
}

/// What stands before the hash, between hash and entry, and behind the entry.
const FRAME: [&[u8]; 3] = [b"{\"hash\":\"", b"\",\"entry\":", b"}"];

/// Hash and entry of a line without its line feed, each as it is written; none of what has another
/// frame, such as one with a blank in it.
pub(super) fn parts(line: &[u8]) -> Option<(&str, &str)> {
    let [before, between, behind] = FRAME;
    let line = line.strip_prefix(before)?.strip_suffix(behind)?;
    let (hash, rest) = line.split_at_checked(HASH)?;
    let entry = rest.strip_prefix(between)?;
    Some((str::from_utf8(hash).ok()?, str::from_utf8(entry).ok()?))
}

/// The line of `entry` after `head`, with its line feed, and the head that it makes.
pub(super) fn line(
    head: &Head,
    entry: &JournalEntry,
) -> Result<(Vec<u8>, Head), serde_json::Error> {
    let text = canonical(entry)?;
    let hash = link(&head.hash, &text);
    let [before, between, behind] = FRAME;
    let mut line = [before, hash.as_bytes(), between, &text, behind].concat();
    line.push(b'\n');
    let head = Head {
        sequence: entry.sequence,
        hash,
    };
    Ok((line, head))
}

/// The hash of a line with the text `entry` after one with the hash `previous`.
pub(super) fn link(previous: &str, entry: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(previous.len() + 1 + entry.len());
    bytes.extend_from_slice(previous.as_bytes());
    bytes.push(b'\n');
    bytes.extend_from_slice(entry);
    hex(&bytes)
}
