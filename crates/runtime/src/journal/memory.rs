//! A journal that ends with the program. For tests, and for programs that keep none.

use std::sync::{Mutex, MutexGuard, PoisonError};

use toolcontract_protocol::journal::JournalEntry;

use super::{Entry, Journal, JournalError};

/// A journal in memory. Grows with every call unless it has a limit.
#[derive(Debug, Default)]
pub struct MemoryJournal {
    entries: Mutex<Kept>,
    limit: Option<usize>,
}

#[derive(Debug, Default)]
struct Kept {
    entries: std::collections::VecDeque<JournalEntry>,
    sequence: u64,
}

impl MemoryJournal {
    /// A journal that keeps only the last `limit` entries.
    #[must_use]
    pub fn last(limit: usize) -> Self {
        Self {
            limit: Some(limit),
            ..Self::default()
        }
    }

    /// The entries that are kept, in order.
    #[must_use]
    pub fn entries(&self) -> Vec<JournalEntry> {
        self.kept().entries.iter().cloned().collect()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Journal for MemoryJournal {
    fn append(&self, entry: Entry) -> Result<u64, JournalError> {
        let mut kept = self.kept();
        kept.sequence = kept.sequence.saturating_add(1);
        let sequence = kept.sequence;
        kept.entries.push_back(JournalEntry {
            sequence,
            timestamp: entry.timestamp,
            session_id: entry.session_id,
            call_id: entry.call_id,
            record: entry.record,
        });
        if self.limit.is_some_and(|limit| kept.entries.len() > limit) {
            kept.entries.pop_front();
        }
        Ok(sequence)
    }
}
