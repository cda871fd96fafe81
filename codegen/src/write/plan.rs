//! Compares what a run wants the disk to hold with what it holds. Changes nothing.

use std::{
    borrow::Cow,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    disk::{Disk, Kind, is_temporary},
    error::WriteError,
    listing::{self, LISTING},
    look::{Folder, look},
    place,
    tree::shown,
};
use crate::emit::FileSet;

/// One surface: its files and the folder that they own.
#[derive(Debug, Clone)]
pub struct Surface {
    /// Id of the emitter.
    pub id: String,
    /// The folder, relative to the project root, forward slashes; it may begin with `..`.
    pub out: String,
    /// The files.
    pub files: Files,
}

/// The files of one surface. Those that are made when they are asked for are forgotten again, so
/// that only one surface of a large catalog is in memory at a time.
#[derive(Clone)]
pub enum Files {
    /// They are there.
    Here(FileSet),
    /// They are made, the same each time.
    Later(Arc<dyn Fn() -> FileSet + Send + Sync>),
}

impl Files {
    /// The files, made now if need be.
    #[must_use]
    pub fn get(&self) -> Cow<'_, FileSet> {
        match self {
            Self::Here(files) => Cow::Borrowed(files),
            Self::Later(make) => Cow::Owned(make()),
        }
    }
}

impl From<FileSet> for Files {
    fn from(files: FileSet) -> Self {
        Self::Here(files)
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Here(files) => f.debug_tuple("Here").field(files).finish(),
            Self::Later(_) => f.write_str("Later"),
        }
    }
}

/// A file outside every surface: the lock, a manifest that `bump` edits.
#[derive(Debug, Clone)]
pub struct Loose {
    /// Path relative to the project root, forward slashes.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What a run wants the disk to hold.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The surfaces.
    pub surfaces: Vec<Surface>,
    /// Other files.
    pub loose: Vec<Loose>,
    /// Where surfaces stand by default: a folder in it that has our list but is no surface any
    /// more is cleared. None to look for no such folder.
    pub former_in: Option<String>,
}

/// How a file on the disk differs from what is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It should be there and is not.
    Missing,
    /// It should have other bytes.
    Stale(Cause),
    /// We made it once and make it no more.
    Orphan,
    /// Nobody here made it. Left alone.
    Foreign,
}

/// Why a file has other bytes, as far as can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// What it is made from changed.
    Source,
    /// Somebody edited it.
    Hand,
    /// It holds an unresolved merge conflict.
    Conflict,
}

/// One file that is not as wanted.
#[derive(Debug)]
pub struct Entry {
    /// Id of the surface; none for a file outside every surface.
    pub surface: Option<String>,
    /// Path relative to the project root.
    pub path: String,
    /// How it differs.
    pub state: State,
    /// The bytes on the disk; only of stale files.
    pub old: Vec<u8>,
    /// The bytes that are wanted; empty for orphans and foreign files, and for missing files whose
    /// bytes wait on the disk already.
    pub new: Arc<[u8]>,
}

/// The difference between the disk and what is wanted.
#[derive(Debug)]
pub struct Plan {
    /// Absolute path of the project.
    pub(super) root: PathBuf,
    /// The folders that are owned.
    pub(super) folders: Vec<Folder>,
    /// Every file that is not as wanted, by path.
    pub entries: Vec<Entry>,
    /// How many files there should be: those of the surfaces with their lists, and the loose ones.
    pub wanted: usize,
}

/// Looks at the disk. `root` is the absolute path of the project.
///
/// # Errors
/// When something may not be written where it is wanted, stands in the way, or cannot be read.
pub fn plan(root: &Path, wanted: &Wanted, disk: &dyn Disk) -> Result<Plan, WriteError> {
    survey(root, wanted, disk, &mut |_, _| Ok(()))
}

/// Takes what differs in one surface before the next one is made. It may empty bytes that it keeps
/// elsewhere.
pub(super) type Take<'t> = dyn FnMut(&Folder, &mut Vec<Entry>) -> Result<(), WriteError> + 't;

/// Looks at the disk, surface by surface.
///
/// # Errors
/// As [`plan`], and when `take` fails.
pub(super) fn survey(
    root: &Path,
    wanted: &Wanted,
    disk: &dyn Disk,
    take: &mut Take<'_>,
) -> Result<Plan, WriteError> {
    place::check(root, &wanted.surfaces, disk)?;
    let former = former(root, wanted, disk)?;
    let mut plan = Plan {
        root: root.to_owned(),
        folders: Vec::new(),
        entries: Vec::new(),
        wanted: wanted.loose.len(),
    };
    for surface in wanted.surfaces.iter().chain(&former) {
        let files = surface.files.get();
        place::check_files(&surface.id, &files)?;
        let (folder, mut found) = look(root, surface, &files, disk)?;
        take(&folder, &mut found)?;
        plan.wanted += held(&files);
        plan.folders.push(folder);
        plan.entries.append(&mut found);
    }
    for loose in &wanted.loose {
        plan.entries.extend(look_at_loose(root, loose, disk)?);
    }
    plan.entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(plan)
}

impl Plan {
    /// Whether every wanted file is as wanted and none is left over. Foreign files do not count.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.entries.iter().all(|e| e.state == State::Foreign)
    }

    /// How many entries have a state that `is` says yes to.
    #[must_use]
    pub fn count(&self, is: impl Fn(State) -> bool) -> usize {
        self.entries.iter().filter(|e| is(e.state)).count()
    }
}

/// How many files the folder of a surface should hold; with the first comes the list.
fn held(files: &FileSet) -> usize {
    files.len() + usize::from(!files.is_empty())
}

/// Surfaces that the project no longer asks for, as far as their folder tells: they make no file.
fn former(root: &Path, wanted: &Wanted, disk: &dyn Disk) -> Result<Vec<Surface>, WriteError> {
    let Some(base) = &wanted.former_in else {
        return Ok(Vec::new());
    };
    let entries = disk
        .entries(&root.join(base))
        .map_err(|e| WriteError::io("look into", base, e))?;
    let mut found = Vec::new();
    for (name, kind) in entries {
        let out = shown(base, &name);
        let is_asked_for = wanted
            .surfaces
            .iter()
            .any(|s| s.out == out || s.out.starts_with(&format!("{out}/")));
        if kind != Kind::Folder || is_asked_for {
            continue;
        }
        // A run that was cut off may have left its first file there before the list.
        let inside = disk
            .entries(&root.join(&out))
            .map_err(|e| WriteError::io("look into", &out, e))?;
        let is_ours = |name: &str| name == LISTING || is_temporary(name);
        if inside
            .iter()
            .any(|(name, kind)| *kind == Kind::File && is_ours(name))
        {
            found.push(Surface {
                id: name,
                out,
                files: FileSet::default().into(),
            });
        }
    }
    Ok(found)
}

fn look_at_loose(root: &Path, loose: &Loose, disk: &dyn Disk) -> Result<Option<Entry>, WriteError> {
    for step in place::parents(&loose.path).chain(std::iter::once(loose.path.as_str())) {
        let kind = disk
            .kind(&root.join(step))
            .map_err(|e| WriteError::io("look at", step, e))?;
        if kind == Some(Kind::Link) {
            return Err(WriteError::Link {
                path: step.to_owned(),
            });
        }
    }
    let old = disk
        .read(&root.join(&loose.path))
        .map_err(|e| WriteError::io("read", &loose.path, e))?;
    let state = match &old {
        None => State::Missing,
        Some(old) if *old == loose.bytes => return Ok(None),
        Some(old) if listing::is_conflicted(old) => State::Stale(Cause::Conflict),
        Some(_) => State::Stale(Cause::Source),
    };
    Ok(Some(Entry {
        surface: None,
        path: loose.path.clone(),
        state,
        old: old.unwrap_or_default(),
        new: loose.bytes.as_slice().into(),
    }))
}
