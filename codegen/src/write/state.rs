//! The folder `.toolcontract` of a working copy: what this machine knows about its last runs.
//!
//! Never committed (it holds a `.gitignore` that says so) and safe to delete: then a hand-edited
//! file is recognised by git alone.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{disk::Disk, error::WriteError};

/// Name of the folder, in the project root.
pub(super) const FOLDER: &str = ".toolcontract";

const RECORD: &str = ".toolcontract/written";

/// Makes sure that the folder is there, and gives its path.
pub(super) fn folder(root: &Path, disk: &dyn Disk) -> Result<PathBuf, WriteError> {
    let folder = root.join(FOLDER);
    let ignore = folder.join(".gitignore");
    let make = || {
        if disk.kind(&ignore)?.is_some() {
            return Ok(());
        }
        if disk.kind(&folder)?.is_none() {
            match disk.make_folder(&folder) {
                // Another run was faster.
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                made => made?,
            }
        }
        let staged = disk.stage(&folder, b"*\n")?;
        disk.replace(staged, &ignore)
    };
    make().map_err(|e| WriteError::io("make", FOLDER, e))?;
    Ok(folder)
}

/// Digests of what was last written here, by path.
#[derive(Debug, Default)]
pub(super) struct Record(BTreeMap<String, String>);

impl Record {
    /// The record of a working copy. What cannot be read is not known.
    pub(super) fn load(root: &Path) -> Self {
        let text = std::fs::read_to_string(root.join(RECORD)).unwrap_or_default();
        Self(
            text.lines()
                .filter_map(|line| line.split_once(' '))
                .map(|(digest, path)| (path.to_owned(), digest.to_owned()))
                .collect(),
        )
    }

    /// The digest of what was last written at `path`.
    pub(super) fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// Notes that a file was written.
    pub(super) fn set(&mut self, path: &str, digest: String) {
        self.0.insert(path.to_owned(), digest);
    }

    /// Notes that a file was removed.
    pub(super) fn forget(&mut self, path: &str) {
        self.0.remove(path);
    }

    /// Keeps the record.
    pub(super) fn save(&self, root: &Path, disk: &dyn Disk) -> Result<(), WriteError> {
        let folder = folder(root, disk)?;
        let mut text = String::new();
        for (path, digest) in &self.0 {
            text.push_str(digest);
            text.push(' ');
            text.push_str(path);
            text.push('\n');
        }
        disk.stage(&folder, text.as_bytes())
            .and_then(|staged| disk.replace(staged, &root.join(RECORD)))
            .map_err(|e| WriteError::io("write", RECORD, e))
    }
}
