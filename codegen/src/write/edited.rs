//! Tells whether a file that is about to be replaced was edited by somebody.
//!
//! Two witnesses, since the list names paths only (digests in it would collide in every merge):
//! the record of what this working copy wrote last, and git. A file is edited when it is neither
//! what was written here last nor what is committed. Without both witnesses nothing is claimed.

use std::path::Path;

use toolcontract_schema::digest::hex;

use super::state::Record;
use crate::git;

/// What is known of the files of one folder; asked for when first needed.
pub(super) struct Standing<'a> {
    root: &'a Path,
    folder: &'a Path,
    record: Option<Record>,
    git: Option<Option<git::Standing>>,
}

impl<'a> Standing<'a> {
    pub(super) fn new(root: &'a Path, folder: &'a Path) -> Self {
        Self {
            root,
            folder,
            record: None,
            git: None,
        }
    }

    /// Whether somebody edited a file that holds `bytes`. `path` is relative to the project,
    /// `inside` to the folder.
    pub(super) fn is_edited(&mut self, path: &str, inside: &str, bytes: &[u8]) -> bool {
        let root = self.root;
        let record = self.record.get_or_insert_with(|| Record::load(root));
        let written = record.get(path).map(str::to_owned);
        if written.as_deref() == Some(hex(bytes).as_str()) {
            return false;
        }
        match self.git() {
            Some(git) if git.changed.contains(inside) => true,
            Some(git) if git.tracked.contains(inside) => false,
            Some(_) | None => written.is_some(),
        }
    }

    /// Whether git has exactly what is on the disk.
    pub(super) fn is_committed(&mut self, inside: &str) -> bool {
        self.git()
            .is_some_and(|git| git.tracked.contains(inside) && !git.changed.contains(inside))
    }

    fn git(&mut self) -> Option<&git::Standing> {
        let folder: &Path = self.folder;
        self.git
            .get_or_insert_with(|| git::standing(folder))
            .as_ref()
    }
}
