//! What a surface folder holds. Follows no link and does not enter folders of other programs.

use std::{collections::BTreeMap, path::Path};

use super::{
    IGNORED_FOLDERS,
    disk::{Disk, Kind},
    error::WriteError,
    place,
};

/// Everything below a folder but the folder's own name: path (forward slashes) to kind.
#[derive(Debug, Default)]
pub(super) struct Tree(BTreeMap<String, Kind>);

impl Tree {
    /// Looks at `folder`; `out` is its name in messages. Empty when there is no such folder.
    pub(super) fn walk(folder: &Path, out: &str, disk: &dyn Disk) -> Result<Self, WriteError> {
        let mut found = BTreeMap::new();
        let mut open = vec![String::new()];
        while let Some(inside) = open.pop() {
            let entries = disk
                .entries(&folder.join(&inside))
                .map_err(|e| WriteError::io("look into", &shown(out, &inside), e))?;
            for (name, kind) in entries {
                let path = if inside.is_empty() {
                    name.clone()
                } else {
                    format!("{inside}/{name}")
                };
                if kind == Kind::Folder {
                    if IGNORED_FOLDERS.contains(&name.as_str()) {
                        continue;
                    }
                    open.push(path.clone());
                }
                found.insert(path, kind);
            }
        }
        Ok(Self(found))
    }

    /// What stands at `path`.
    pub(super) fn kind(&self, path: &str) -> Option<Kind> {
        self.0.get(path).copied()
    }

    /// Everything that is no folder.
    pub(super) fn leaves(&self) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(|(_, kind)| **kind != Kind::Folder)
            .map(|(path, _)| path.as_str())
    }

    /// Everything below the folder `path` that is no folder itself.
    pub(super) fn below<'a>(&'a self, path: &str) -> impl Iterator<Item = &'a str> {
        let start = format!("{path}/");
        self.leaves().filter(move |leaf| leaf.starts_with(&start))
    }

    /// The first link on the way to `path`, itself included.
    pub(super) fn link<'a>(&self, path: &'a str) -> Option<&'a str> {
        place::parents(path)
            .chain(std::iter::once(path))
            .find(|step| self.kind(step) == Some(Kind::Link))
    }
}

/// A path inside a surface as messages name it: relative to the project root.
pub(super) fn shown(out: &str, path: &str) -> String {
    if path.is_empty() {
        out.to_owned()
    } else {
        format!("{out}/{path}")
    }
}
