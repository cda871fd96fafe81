//! The folders that a run needs: made when they are missing, and remembered, so that each is
//! looked at once.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use super::{
    disk::{Disk, Kind},
    error::WriteError,
};

/// The folders of one run. Paths are relative to the project root.
pub(super) struct Folders<'a> {
    root: &'a Path,
    disk: &'a dyn Disk,
    /// Those that are there.
    known: BTreeSet<String>,
    /// Those that this run made, outermost first.
    made: Vec<PathBuf>,
}

impl<'a> Folders<'a> {
    pub(super) fn new(root: &'a Path, disk: &'a dyn Disk) -> Self {
        Self {
            root,
            disk,
            known: BTreeSet::new(),
            made: Vec::new(),
        }
    }

    /// Makes `path` and what is missing above it.
    pub(super) fn make(&mut self, path: &str) -> Result<(), WriteError> {
        let mut missing = Vec::new();
        for at in upwards(path) {
            if self.kind(at)? == Some(Kind::Folder) {
                break;
            }
            missing.push(at);
        }
        for at in missing.into_iter().rev() {
            let folder = self.root.join(at);
            self.disk
                .make_folder(&folder)
                .map_err(|e| WriteError::io("make", at, e))?;
            self.made.push(folder);
            self.known.insert(at.to_owned());
        }
        if !self.known.contains(path) {
            self.known.insert(path.to_owned());
        }
        Ok(())
    }

    /// Removes `path` when it is empty; `false` when it is not.
    pub(super) fn remove_empty(&mut self, path: &str) -> Result<bool, WriteError> {
        self.known.remove(path);
        self.disk
            .remove_folder(&self.root.join(path))
            .map_err(|e| WriteError::io("remove", path, e))
    }

    /// Removes those that this run made and that are empty. Best effort.
    pub(super) fn remove_made(&mut self) {
        self.known.clear();
        for folder in self.made.drain(..).rev() {
            let _ = self.disk.remove_folder(&folder);
        }
    }

    fn kind(&self, path: &str) -> Result<Option<Kind>, WriteError> {
        if self.known.contains(path) {
            return Ok(Some(Kind::Folder));
        }
        self.disk
            .kind(&self.root.join(path))
            .map_err(|e| WriteError::io("look at", path, e))
    }
}

/// `a/b/c`, `a/b`, `a`.
fn upwards(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |at| at.rsplit_once('/').map(|(above, _)| above))
}
