//! A file that a command line names: what it is by digest, held open from then on.

use std::{
    collections::HashMap,
    fmt,
    fs::File,
    io::{self, Read as _},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::fs::{Dir, OpenOptions};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{
    clock::{Clock as _, SystemClock},
    regular,
};

/// Bytes of a script in the workspace.
const MAX_SCRIPT: u64 = 16 << 20;
/// Bytes of a first line that names an interpreter; systems read no more.
const MAX_FIRST_LINE: usize = 256;

/// Seconds after which a changed file cannot be changed again without looking changed.
const SETTLED: i64 = 2;

/// What a file is to a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The first word.
    Program,
    /// What the first line of the program names.
    Interpreter,
    /// A later word, by its place.
    Argument(usize),
    /// A part of a later word, such as a script in the text of `sh -c`.
    Mentioned(usize),
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program => f.write_str("program"),
            Self::Interpreter => f.write_str("interpreter"),
            Self::Argument(index) => write!(f, "argument {index}"),
            Self::Mentioned(index) => write!(f, "in argument {index}"),
        }
    }
}

/// A file that a command line names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedFile {
    /// What it is to the command line.
    pub role: Role,
    /// Where it is, links resolved: relative to the workspace when it is inside, else absolute.
    pub path: String,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
}

/// A file of the workspace that a command line names, with the bytes that were looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What it is; its digest is of [`bytes`](Self::bytes).
    pub file: NamedFile,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// How many more bytes of files of the workspace one command line may hold.
pub(super) struct Room(pub(super) u64);

/// The same, opened.
pub(super) struct OpenFile {
    pub(super) named: NamedFile,
    /// The bytes of a file that the agent could change: what runs is a copy of them. Other files
    /// are run as they are open.
    pub(super) copy: Option<Vec<u8>>,
    pub(super) file: File,
    first: Vec<u8>,
}

/// Digests of files outside the workspace, which are large and rarely change.
#[derive(Debug, Default)]
pub(super) struct Digests(Mutex<HashMap<Identity, String>>);

/// A file as it was when it was read; whoever changes it changes this, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Identity {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl OpenFile {
    /// A file of the workspace, at `path` with all links resolved.
    pub(super) fn inside(root: &Dir, path: &Path, role: Role, room: &mut Room) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true);
        let file = root.open_with(path, &options)?.into_std();
        is_regular(&file)?;
        let mut bytes = Vec::new();
        let most = MAX_SCRIPT.min(room.0);
        (&file).take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        room.0 = room.0.saturating_sub(bytes.len() as u64);
        Ok(Self {
            named: NamedFile {
                role,
                path: path.to_string_lossy().into_owned(),
                sha256: toolcontract_schema::digest::hex(&bytes),
            },
            first: bytes.iter().take(MAX_FIRST_LINE).copied().collect(),
            copy: Some(bytes),
            file,
        })
    }

    /// A file elsewhere, opened at `path`.
    pub(super) fn outside(
        file: File,
        path: PathBuf,
        role: Role,
        digests: &Digests,
    ) -> io::Result<Self> {
        let identity = is_regular(&file)?;
        let mut first = Vec::new();
        (&file)
            .take(MAX_FIRST_LINE as u64)
            .read_to_end(&mut first)?;
        let sha256 = digests.of(identity, || {
            let mut hasher = Sha256::new();
            hasher.update(&first);
            let mut buffer = vec![0; 64 << 10];
            loop {
                let read = (&file).read(&mut buffer)?;
                match buffer.get(..read) {
                    Some(bytes) if read > 0 => hasher.update(bytes),
                    _ => break,
                }
            }
            Ok(hasher
                .finalize()
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect())
        })?;
        Ok(Self {
            named: NamedFile {
                role,
                path: path.to_string_lossy().into_owned(),
                sha256,
            },
            copy: None,
            file,
            first,
        })
    }

    /// The words of the first line, when that names an interpreter.
    pub(super) fn interpreter(&self) -> Option<Vec<String>> {
        let line = self.first.strip_prefix(b"#!")?;
        let line = line.split(|byte| *byte == b'\n').next()?;
        let line = String::from_utf8_lossy(line);
        let words: Vec<String> = line.split_ascii_whitespace().map(str::to_owned).collect();
        (!words.is_empty()).then_some(words)
    }
}

impl Identity {
    /// Whether the file was last changed long enough before `now`, in seconds, that another change
    /// would show: the clock of a file system stands still for some milliseconds.
    fn is_settled(&self, now: i64) -> bool {
        let changed = self.changed.0.max(self.modified.0);
        now.saturating_sub(changed) >= SETTLED
    }
}

fn is_regular(file: &File) -> io::Result<Identity> {
    let metadata = file.metadata()?;
    regular::check(&metadata)?;
    Ok(Identity {
        device: metadata.dev(),
        inode: metadata.ino(),
        size: metadata.size(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
        changed: (metadata.ctime(), metadata.ctime_nsec()),
    })
}

impl Digests {
    fn of(
        &self,
        identity: Identity,
        hash: impl FnOnce() -> io::Result<String>,
    ) -> io::Result<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(digest) = known.get(&identity) {
            return Ok(digest.clone());
        }
        drop(known);
        let digest = hash()?;
        if !identity.is_settled(SystemClock::default().unix_millis() / 1_000) {
            return Ok(digest);
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(identity, digest.clone());
        Ok(digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_kept_only_of_a_file_that_changed_a_while_ago() {
        let changed = |modified, changed| Identity {
            device: 1,
            inode: 1,
            size: 1,
            modified: (modified, 0),
            changed: (changed, 999_999_999),
        };
        assert!(changed(10, 10).is_settled(12));
        // Either of the two counts, and so does a file from the future.
        for (modified, at) in [
            (10, 11),
            (11, 10),
            (0, 11),
            (0, 1 << 40),
            (i64::MAX, i64::MIN),
        ] {
            assert!(!changed(modified, at).is_settled(12), "{modified} {at}");
        }
    }
}
