//! The journal as a file: one line an entry, only ever appended to, by one program at a time.

use std::{
    fs::{File, TryLockError},
    io::{self, BufReader, Seek, SeekFrom, Write},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use toolcontract_protocol::journal::{CallResult, JournalEntry, Outcome, Record};

use super::{
    Entry, Journal, JournalError,
    chain::{Head, line},
    verify::{Unfinished, read},
};
use crate::{
    clock::{Clock, timestamp},
    regular::{self, NotRegularError},
};

/// A journal as a file. Locked while it is open; unlocked when it is dropped.
#[derive(Debug)]
pub struct FileJournal {
    end: Mutex<End>,
    sync: bool,
}

#[derive(Debug)]
struct End {
    file: Locked,
    head: Head,
    /// A write failed half-way: what the file ends with is not known.
    torn: bool,
}

impl FileJournal {
    /// Opens the journal at `path`, or starts one. What is there is verified; calls of which the
    /// outcome is missing get one that says `unknown`, dated by `clock`; a last line that was cut
    /// off while being written is removed.
    ///
    /// # Errors
    /// When the file cannot be used or is no regular one, another program has it, or its chain is
    /// broken.
    pub fn open(path: &Path, clock: &Arc<dyn Clock>) -> Result<Self, JournalError> {
        let io = |doing| move |source| JournalError::Io { doing, source };
        let file = regular::open_to_append(path).map_err(|source| fault(path, source))?;
        let mut file = Locked::new(file)?;
        file.0.seek(SeekFrom::Start(0)).map_err(io("read"))?;
        let found = read(BufReader::new(&file.0))?;
        if found.torn_tail {
            file.0.set_len(found.whole_bytes).map_err(io("written"))?;
        }
        let journal = Self {
            end: Mutex::new(End {
                file,
                head: found.verified.head,
                torn: false,
            }),
            sync: false,
        };
        for call in found.verified.unfinished {
            journal.append(unknown(call, clock.as_ref()))?;
        }
        Ok(journal)
    }

    /// Waits after every entry until the disk has it. Costs milliseconds a call.
    #[must_use]
    pub fn synced(self) -> Self {
        Self { sync: true, ..self }
    }

    /// The end of the journal as it is now.
    #[must_use]
    pub fn head(&self) -> Head {
        self.end().head.clone()
    }

    fn end(&self) -> MutexGuard<'_, End> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The journal at `path`, to be verified; not locked.
///
/// # Errors
/// [`JournalError::NotAFile`] and [`JournalError::Io`].
pub fn open(path: &Path) -> Result<BufReader<File>, JournalError> {
    let file = regular::open(path).map_err(|source| fault(path, source))?;
    Ok(BufReader::new(file))
}

fn fault(path: &Path, source: io::Error) -> JournalError {
    match NotRegularError::of(&source) {
        Some(what) => JournalError::NotAFile {
            path: path.to_owned(),
            what,
        },
        None => JournalError::Io {
            doing: "opened",
            source,
        },
    }
}

/// A file that no other program has while this value lives.
#[derive(Debug)]
struct Locked(File);

impl Locked {
    fn new(file: File) -> Result<Self, JournalError> {
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(JournalError::Busy),
            Err(TryLockError::Error(source)) => Err(JournalError::Io {
                doing: "opened",
                source,
            }),
        }
    }
}

/// Closing alone would not do: a process that is just being started may have the file, too.
impl Drop for Locked {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

impl Journal for FileJournal {
    fn append(&self, entry: Entry) -> Result<u64, JournalError> {
        let mut end = self.end();
        if end.torn {
            return Err(JournalError::Torn);
        }
        let entry = JournalEntry {
            sequence: end.head.sequence.saturating_add(1),
            timestamp: entry.timestamp,
            session_id: entry.session_id,
            call_id: entry.call_id,
            record: entry.record,
        };
        let (line, head) = line(&end.head, &entry).map_err(JournalError::Unwritable)?;
        write(&mut end, &line, self.sync).map_err(|source| JournalError::Io {
            doing: "written",
            source,
        })?;
        end.head = head;
        Ok(entry.sequence)
    }
}

/// Writes a line, whole or not at all: what was written of one that failed is cut off again.
fn write(end: &mut End, line: &[u8], sync: bool) -> io::Result<()> {
    let before = end.file.0.metadata()?.len();
    let written = end.file.0.write_all(line).and_then(|()| match sync {
        true => end.file.0.sync_data(),
        false => Ok(()),
    });
    if written.is_err() {
        end.torn = end.file.0.set_len(before).is_err();
    }
    written
}

fn unknown(call: Unfinished, clock: &dyn Clock) -> Entry {
    Entry {
        timestamp: timestamp(clock.unix_millis()),
        session_id: call.session_id,
        call_id: call.call_id,
        record: Record::Outcome(Outcome {
            // It may have; whoever repairs must assume it.
            ran: true,
            result: CallResult::Unknown,
            duration_ms: None,
            events_emitted: 0,
            events_dropped: 0,
        }),
    }
}
