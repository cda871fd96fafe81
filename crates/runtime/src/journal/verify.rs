//! Whether a journal is whole: the first entry that is not what was written, if there is one.

use std::{
    collections::BTreeSet,
    io::{BufRead, Read},
};

use toolcontract_protocol::journal::{JournalEntry, Record};

use super::{
    JournalError,
    chain::{Head, link, parts},
};

/// No line that the runtime writes is longer.
const MAX_LINE: u64 = 16 << 20;

/// A journal that is whole, as far as one can see without its head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Its end.
    pub head: Head,
    /// Calls with an intent and no outcome, in the order of names.
    pub unfinished: BTreeSet<Unfinished>,
}

/// A call of which nobody knows how it ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unfinished {
    /// The session.
    pub session_id: String,
    /// The call.
    pub call_id: String,
}

/// Where a journal stops being what was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("entry {sequence}: {reason}")]
pub struct Broken {
    /// Place of the first bad entry, from 1.
    pub sequence: u64,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// Verifies a journal from its first line on. `expected` is its end as it was kept elsewhere;
/// without it, a journal whose last entries were cut off looks whole.
///
/// # Errors
/// [`JournalError::Broken`] with the first bad entry; [`JournalError::Io`].
pub fn verify(journal: impl BufRead, expected: Option<&Head>) -> Result<Verified, JournalError> {
    verify_each(journal, expected, |_| ())
}

/// The same, with every entry in order as it is verified. Whether the journal as a whole is what
/// was written is known only at the end.
///
/// # Errors
/// Those of [`verify`].
pub fn verify_each(
    journal: impl BufRead,
    expected: Option<&Head>,
    mut each: impl FnMut(&JournalEntry),
) -> Result<Verified, JournalError> {
    let mut seen_expected = expected.is_none_or(|head| *head == Head::empty());
    let found = scan(journal, |head, entry| {
        seen_expected |= expected == Some(head);
        each(entry);
    })?;
    let end = &found.verified.head;
    if found.torn_tail {
        return Err(broken(end.sequence, "the line is cut off"));
    }
    if !seen_expected {
        let reason = "the journal does not reach, or does not contain, the end that was kept";
        return Err(broken(end.sequence, reason));
    }
    Ok(found.verified)
}

/// What opening a journal finds.
pub(super) struct Found {
    pub(super) verified: Verified,
    /// The last line has no line feed: writing it was cut off.
    pub(super) torn_tail: bool,
    /// Bytes up to the end of the last whole line.
    pub(super) whole_bytes: u64,
}

/// Reads a journal in order to go on with it.
pub(super) fn read(journal: impl BufRead) -> Result<Found, JournalError> {
    scan(journal, |_, _| ())
}

fn scan(
    mut journal: impl BufRead,
    mut each: impl FnMut(&Head, &JournalEntry),
) -> Result<Found, JournalError> {
    let mut head = Head::empty();
    let mut unfinished = BTreeSet::new();
    let mut whole_bytes = 0;
    let mut line = Vec::new();
    let torn_tail = loop {
        line.clear();
        let read = journal
            .by_ref()
            .take(MAX_LINE)
            .read_until(b'\n', &mut line)
            .map_err(|source| JournalError::Io {
                doing: "read",
                source,
            })?;
        if read == 0 {
            break false;
        }
        let Some(text) = line.strip_suffix(b"\n") else {
            if line.len() as u64 == MAX_LINE {
                return Err(broken(head.sequence, "the line is too long"));
            }
            break true;
        };
        let entry;
        (entry, head) = check(&head, text)?;
        each(&head, &entry);
        track(&mut unfinished, entry);
        whole_bytes += line.len() as u64;
    };
    Ok(Found {
        verified: Verified { head, unfinished },
        torn_tail,
        whole_bytes,
    })
}

/// The entry in `text`, if that is the line that was written after `head`.
fn check(head: &Head, text: &[u8]) -> Result<(JournalEntry, Head), JournalError> {
    let bad = |reason| broken(head.sequence, reason);
    let (hash, raw) = parts(text).ok_or_else(|| bad("the line is not one of a journal"))?;
    if link(&head.hash, raw.as_bytes()) != hash {
        return Err(bad(
            "the hash does not follow from the entry and the one before",
        ));
    }
    let entry: JournalEntry =
        serde_json::from_str(raw).map_err(|_| bad("the line holds no entry"))?;
    if entry.sequence != head.sequence.saturating_add(1) {
        return Err(bad("the entry has another place"));
    }
    let head = Head {
        sequence: entry.sequence,
        hash: hash.to_owned(),
    };
    Ok((entry, head))
}

fn track(unfinished: &mut BTreeSet<Unfinished>, entry: JournalEntry) {
    let call = Unfinished {
        session_id: entry.session_id,
        call_id: entry.call_id,
    };
    match entry.record {
        Record::Intent(_) => unfinished.insert(call),
        Record::Outcome(_) => unfinished.remove(&call),
    };
}

/// The entry after the one at `last` is bad.
fn broken(last: u64, reason: &'static str) -> JournalError {
    JournalError::Broken(Broken {
        sequence: last.saturating_add(1),
        reason,
    })
}
