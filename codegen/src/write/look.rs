//! Compares one surface folder with the files that should be in it.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use rayon::prelude::*;

use super::{
    IGNORED_FILES, KEPT,
    disk::{Disk, Kind, is_temporary},
    edited::Standing,
    error::WriteError,
    listing::{self, LISTING},
    place,
    plan::{Cause, Entry, State, Surface},
    tree::{Tree, shown},
};
use crate::emit::FileSet;

/// A surface folder.
#[derive(Debug)]
pub(super) struct Folder {
    /// Relative to the project root.
    pub(super) out: String,
    /// The list while files are being replaced: all that were and will be ours. None when there
    /// is nothing to remember beyond the list that stands there already.
    pub(super) list_between: Option<String>,
}

/// What differs in the folder of `surface`, which should hold `files`.
pub(super) fn look(
    root: &Path,
    surface: &Surface,
    files: &FileSet,
    disk: &dyn Disk,
) -> Result<(Folder, Vec<Entry>), WriteError> {
    let folder = root.join(&surface.out);
    let tree = Tree::walk(&folder, &surface.out, disk)?;
    if tree.kind(LISTING) == Some(Kind::Link) {
        return Err(WriteError::Link {
            path: shown(&surface.out, LISTING),
        });
    }
    let list = disk
        .read(&folder.join(LISTING))
        .map_err(|e| WriteError::io("read", &shown(&surface.out, LISTING), e))?;
    let view = View {
        root,
        surface,
        files,
        folder,
        listed: list.as_deref().map(listing::parse).unwrap_or_default(),
        tree,
        disk,
    };
    let mut entries = view.differing()?;
    view.tell_causes(&mut entries)?;
    entries.extend(view.leftover()?);
    let wanted: BTreeSet<&str> = files.iter().map(|(path, _)| path).collect();
    entries.extend(view.list_entry(list, &wanted));
    let folder = Folder {
        out: surface.out.clone(),
        list_between: view.list_between(&wanted),
    };
    Ok((folder, entries))
}

struct View<'a> {
    root: &'a Path,
    surface: &'a Surface,
    files: &'a FileSet,
    folder: PathBuf,
    listed: BTreeSet<String>,
    tree: Tree,
    disk: &'a dyn Disk,
}

impl View<'_> {
    fn entry(&self, path: &str, state: State, old: Vec<u8>, new: Arc<[u8]>) -> Entry {
        Entry {
            surface: Some(self.surface.id.clone()),
            path: shown(&self.surface.out, path),
            state,
            old,
            new,
        }
    }

    /// The wanted files that are missing or stale, their causes not yet told.
    fn differing(&self) -> Result<Vec<Entry>, WriteError> {
        let files: Vec<(&str, &Arc<[u8]>)> = self.files.shared().collect();
        let entries = files
            .par_iter()
            .map(|(path, new)| self.compare(path, new))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(entries.into_iter().flatten().collect())
    }

    fn compare(&self, path: &str, new: &Arc<[u8]>) -> Result<Option<Entry>, WriteError> {
        self.refuse_link(path)?;
        match self.tree.kind(path) {
            Some(Kind::File) => {
                let old = self
                    .disk
                    .read(&self.folder.join(path))
                    .map_err(|e| WriteError::io("read", &shown(&self.surface.out, path), e))?
                    .unwrap_or_default();
                let stale = State::Stale(Cause::Source);
                Ok((old != **new).then(|| self.entry(path, stale, old, new.clone())))
            }
            // A file of ours that was a folder of ours before, or the other way round: the old
            // ones go first.
            Some(Kind::Folder) => {
                self.refuse_foreign(self.tree.below(path))?;
                Ok(Some(self.entry(
                    path,
                    State::Missing,
                    Vec::new(),
                    new.clone(),
                )))
            }
            None => {
                let is_blocking =
                    |step: &&str| !matches!(self.tree.kind(step), None | Some(Kind::Folder));
                self.refuse_foreign(place::parents(path).filter(is_blocking))?;
                Ok(Some(self.entry(
                    path,
                    State::Missing,
                    Vec::new(),
                    new.clone(),
                )))
            }
            Some(Kind::Link | Kind::Other) => self.refuse_foreign([path]).map(|()| None),
        }
    }

    fn refuse_link(&self, path: &str) -> Result<(), WriteError> {
        match self.tree.link(path) {
            Some(step) => Err(WriteError::Link {
                path: shown(&self.surface.out, step),
            }),
            None => Ok(()),
        }
    }

    /// Refuses when one of `paths` is not a file of ours.
    fn refuse_foreign<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p str>,
    ) -> Result<(), WriteError> {
        let foreign: Vec<String> = paths
            .into_iter()
            .filter(|p| !self.listed.contains(*p) || self.tree.kind(p) != Some(Kind::File))
            .map(|p| shown(&self.surface.out, p))
            .collect();
        if foreign.is_empty() {
            Ok(())
        } else {
            Err(WriteError::InTheWay { paths: foreign })
        }
    }

    /// Tells why stale files differ, and refuses those that we did not make and that nobody could
    /// bring back.
    fn tell_causes(&self, entries: &mut [Entry]) -> Result<(), WriteError> {
        let mut standing = Standing::new(self.root, &self.folder);
        let mut in_the_way = Vec::new();
        let prefix = self.surface.out.len() + 1;
        for entry in entries.iter_mut().filter(|e| e.state != State::Missing) {
            let inside = entry.path.get(prefix..).unwrap_or_default().to_owned();
            if listing::is_conflicted(&entry.old) {
                entry.state = State::Stale(Cause::Conflict);
            } else if standing.is_edited(&entry.path, &inside, &entry.old) {
                entry.state = State::Stale(Cause::Hand);
            }
            let is_ours = self.listed.contains(&inside) || names_itself_generated(&entry.old);
            if !is_ours && !standing.is_committed(&inside) {
                in_the_way.push(entry.path.clone());
            }
        }
        if in_the_way.is_empty() {
            Ok(())
        } else {
            Err(WriteError::InTheWay { paths: in_the_way })
        }
    }

    /// Orphans and foreign files.
    fn leftover(&self) -> Result<Vec<Entry>, WriteError> {
        let mut found = Vec::new();
        for path in &self.listed {
            if self.files.get(path).is_none() {
                self.refuse_link(path)?;
            }
        }
        for path in self.tree.leaves() {
            let name = path.rsplit('/').next().unwrap_or(path);
            if path == LISTING || self.files.get(path).is_some() {
                continue;
            }
            let is_ours = self.listed.contains(path) && !KEPT.contains(&path);
            if is_ours || (is_temporary(name) && self.tree.kind(path) == Some(Kind::File)) {
                found.push(self.entry(path, State::Orphan, Vec::new(), Arc::default()));
            } else if !IGNORED_FILES.contains(&name) {
                found.push(self.entry(path, State::Foreign, Vec::new(), Arc::default()));
            }
        }
        Ok(found)
    }

    /// The list itself, when it is not as it should be. A surface without files has none.
    fn list_entry(&self, old: Option<Vec<u8>>, wanted: &BTreeSet<&str>) -> Option<Entry> {
        if wanted.is_empty() {
            return old.map(|_| self.entry(LISTING, State::Orphan, Vec::new(), Arc::default()));
        }
        let new = listing::print(wanted.iter().copied());
        let state = match &old {
            None => State::Missing,
            Some(old) if old == new.as_bytes() => return None,
            Some(old) if listing::is_conflicted(old) => State::Stale(Cause::Conflict),
            Some(_) => State::Stale(Cause::Source),
        };
        Some(self.entry(
            LISTING,
            state,
            old.unwrap_or_default(),
            new.into_bytes().into(),
        ))
    }

    fn list_between(&self, wanted: &BTreeSet<&str>) -> Option<String> {
        let adds = wanted.iter().any(|path| !self.listed.contains(*path));
        let listed = self.listed.iter().map(String::as_str);
        adds.then(|| listing::print(listed.chain(wanted.iter().copied())))
    }
}

/// Whether the first lines say that a generator made the file.
fn names_itself_generated(bytes: &[u8]) -> bool {
    const MARK: &[u8] = b"@generated";
    let head = bytes.get(..1024).unwrap_or(bytes);
    head.windows(MARK.len()).any(|window| window == MARK)
}
