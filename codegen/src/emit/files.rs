//! The files of one surface, by path.

use std::{collections::BTreeMap, sync::Arc};

/// Files in memory: path relative to the surface's folder (forward slashes) to bytes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct FileSet {
    files: BTreeMap<String, Arc<[u8]>>,
    clashes: Vec<String>,
}

impl FileSet {
    /// Adds a file. Two files at one path are a fault that [`FileSet::clashes`] reports.
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.share(path, bytes.into().into());
    }

    /// Adds a file whose bytes somebody else has too.
    pub fn share(&mut self, path: impl Into<String>, bytes: Arc<[u8]>) {
        let path = path.into();
        if self.files.insert(path.clone(), bytes).is_some() {
            self.clashes.push(path);
        }
    }

    /// The files, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.shared().map(|(path, bytes)| (path, bytes.as_ref()))
    }

    /// The files, by path, with bytes that can be kept without a copy.
    pub fn shared(&self) -> impl Iterator<Item = (&str, &Arc<[u8]>)> {
        self.files
            .iter()
            .map(|(path, bytes)| (path.as_str(), bytes))
    }

    /// How many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The bytes at `path`.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(AsRef::as_ref)
    }

    /// Paths that were added twice.
    #[must_use]
    pub fn clashes(&self) -> &[String] {
        &self.clashes
    }
}
