//! Where calls are written down: an intent before a call runs, an outcome after. Never input or
//! output, only digests.
//!
//! The file is append-only and hash-chained: whoever changes, drops or reorders an entry breaks
//! the chain at that place. Cutting off the end breaks nothing, so keep the [`Head`] elsewhere
//! where that matters. What is no regular file, and keeps nothing, is no journal.

mod chain;
mod file;
mod memory;
mod verify;

use std::{io, path::PathBuf};

use toolcontract_protocol::journal::Record;

use crate::regular::NotRegularError;

pub use chain::Head;
pub use file::{FileJournal, open};
pub use memory::MemoryJournal;
pub use verify::{Broken, Unfinished, Verified, verify, verify_each};

/// An entry that has no place in a journal yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// When, in UTC with milliseconds.
    pub timestamp: String,
    /// The session.
    pub session_id: String,
    /// The call.
    pub call_id: String,
    /// What is written down.
    pub record: Record,
}

/// Where calls are written down. Called on the caller's thread, so it should take microseconds.
pub trait Journal: Send + Sync {
    /// Appends one entry and gives back its place, from 1 without gaps. When this returns, the
    /// entry is out of the program's hands.
    ///
    /// # Errors
    /// When the entry could not be written whole. A dangerous call is refused then.
    fn append(&self, entry: Entry) -> Result<u64, JournalError>;
}

/// Why a journal could not be opened or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be opened, read or written.
    #[error("the journal cannot be {doing}")]
    Io {
        /// `opened`, `read` or `written`.
        doing: &'static str,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// What is there keeps no entries.
    #[error(
        "the journal cannot be `{}`: {what}; name a regular file, or one that is not there yet",
        path.display()
    )]
    NotAFile {
        /// Where the journal was to be.
        path: PathBuf,
        /// What is there.
        what: NotRegularError,
    },
    /// Another program writes to the same file.
    #[error("another program writes to the journal; give each program its own")]
    Busy,
    /// What is in the file is no journal, or was changed.
    #[error("the journal is not appended to, because it is broken")]
    Broken(#[source] Broken),
    /// An earlier entry was written in part, and what is in the file is not known any more.
    #[error("an earlier entry could not be written whole; open the journal again")]
    Torn,
    /// The journal panicked.
    #[error("the journal panicked; whether it has the entry is not known")]
    Panicked,
    /// The entry has no form as JSON.
    #[error("the entry has no form as JSON")]
    Unwritable(#[source] serde_json::Error),
}
