//! The line of a journal and the chain that runs through the lines.
//!
//! A line is `{"hash":H,"entry":E}`, where E is the entry in canonical JSON (RFC 8785) and H the
//! SHA-256, in lower-case hex, of the hash of the line before, a line feed, and E. The first line
//! follows a hash of 64 zeros.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use toolcontract_protocol::journal::JournalEntry;
use toolcontract_schema::digest::{canonical, hex};

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
            hash: "0".repeat(64),
        }
    }
}

/// A line as it is read; `entry` is its exact text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line<'a> {
    pub(super) hash: &'a str,
    #[serde(borrow)]
    pub(super) entry: &'a RawValue,
}

/// The line of `entry` after `head`, with its line feed, and the head that it makes.
pub(super) fn line(
    head: &Head,
    entry: &JournalEntry,
) -> Result<(Vec<u8>, Head), serde_json::Error> {
    let text = canonical(entry)?;
    let hash = link(&head.hash, &text);
    let mut line = Vec::with_capacity(text.len() + 96);
    line.extend_from_slice(b"{\"hash\":\"");
    line.extend_from_slice(hash.as_bytes());
    line.extend_from_slice(b"\",\"entry\":");
    line.extend_from_slice(&text);
    line.extend_from_slice(b"}\n");
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
