//! A disk that refuses after a number of changes, or is cut off there.

use std::{
    io,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use toolcontract_codegen::write::{Disk, Kind, LocalDisk, Staged};

/// How it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// One change is refused; what the writer does about it works.
    Refuse,
    /// From there on nothing works, as when the process is killed.
    CutOff,
}

/// Lets `changes` changes through, then fails.
pub(super) struct Failing {
    changes: usize,
    how: How,
    asked: AtomicUsize,
}

impl Failing {
    pub(super) fn after(changes: usize, how: How) -> Self {
        Self {
            changes,
            how,
            asked: AtomicUsize::new(0),
        }
    }

    /// Whether it ever failed.
    pub(super) fn failed(&self) -> bool {
        self.asked.load(Ordering::SeqCst) > self.changes
    }

    fn change(&self) -> io::Result<()> {
        let asked = self.asked.fetch_add(1, Ordering::SeqCst);
        let fails = match self.how {
            How::Refuse => asked == self.changes,
            How::CutOff => asked >= self.changes,
        };
        if fails {
            Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"))
        } else {
            Ok(())
        }
    }
}

impl Disk for Failing {
    fn kind(&self, path: &Path) -> io::Result<Option<Kind>> {
        LocalDisk.kind(path)
    }

    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        LocalDisk.read(path)
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<(String, Kind)>> {
        LocalDisk.entries(folder)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.change()?;
        LocalDisk.make_folder(path)
    }

    fn stage(&self, folder: &Path, bytes: &[u8]) -> io::Result<Staged> {
        if let Err(full) = self.change() {
            if self.how == How::CutOff {
                // Half of the file is there when the process goes.
                let half = bytes.get(..bytes.len() / 2).unwrap_or_default();
                let _ = LocalDisk.stage(folder, half);
            }
            return Err(full);
        }
        LocalDisk.stage(folder, bytes)
    }

    fn replace(&self, staged: Staged, path: &Path) -> io::Result<()> {
        if let Err(full) = self.change() {
            if self.how == How::Refuse {
                LocalDisk.discard(staged)?;
            }
            return Err(full);
        }
        LocalDisk.replace(staged, path)
    }

    fn discard(&self, staged: Staged) -> io::Result<()> {
        self.change()?;
        LocalDisk.discard(staged)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.change()?;
        LocalDisk.remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<bool> {
        self.change()?;
        LocalDisk.remove_folder(path)
    }
}
