//! The files below a folder of the workspace, in the order of paths. Goes down by handles, so that
//! no link leads out while it walks; leaves out `.git`, what ignore files name, and what symbolic
//! links lead to.

use std::{
    ffi::OsString,
    io::{self, Read as _},
    path::{Path, PathBuf},
    rc::Rc,
};

use cap_fs_ext::{DirExt as _, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::fs::{Dir, FileType, OpenOptions};
use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder},
};
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::ErrorClass;
use toolcontract_runtime::tool::ToolError;

use super::workspace::{Workspace, of_system, shown};

/// Ignore files, the ones that count more first.
const IGNORE_FILES: [&str; 2] = [".ignore", ".gitignore"];
/// Bytes of an ignore file that are read.
const MAX_IGNORE_FILE: u64 = 1 << 20;
/// How deep it goes.
const MAX_DEPTH: usize = 256;

/// Where a search begins.
pub(super) enum Start {
    File(PathBuf),
    Folder(PathBuf, Dir),
}

/// What is at `path`, which is inside the workspace; the workspace itself without one.
pub(super) fn start(workspace: &Workspace, path: Option<&str>) -> Result<Start, ToolError> {
    let path = path.unwrap_or(".");
    let inside = workspace.resolve(path)?;
    let metadata = workspace.metadata(&inside);
    let metadata = metadata.map_err(|error| of_system(path, &error))?;
    if metadata.is_dir() {
        let folder = workspace.folder(&inside);
        let folder = folder.map_err(|error| of_system(path, &error))?;
        Ok(Start::Folder(inside, folder))
    } else if metadata.is_file() {
        Ok(Start::File(inside))
    } else {
        let message = format!("`{}` is neither a file nor a folder", shown(path));
        Err(ToolError::new(ErrorClass::InvalidInput, message))
    }
}

/// Whether something is a file, and is it one itself or through a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Link,
}

/// Every file and link below a folder, until `stop` ends.
pub(super) struct Walk<'s> {
    levels: Vec<Level>,
    stop: &'s CancellationToken,
}

/// A folder on the way down.
struct Level {
    handle: Dir,
    path: PathBuf,
    /// What is left of it, the last one first.
    entries: Vec<(OsString, FileType)>,
    rules: Rc<Rules>,
}

/// The ignore files of a folder and of those above.
struct Rules {
    own: Vec<Gitignore>,
    above: Option<Rc<Rules>>,
}

impl<'s> Walk<'s> {
    /// Walks `folder`, which is at `path` in the workspace.
    pub(super) fn new(path: PathBuf, folder: Dir, stop: &'s CancellationToken) -> Self {
        let first = Level::open(folder, path, None);
        Self {
            levels: Vec::from_iter(first),
            stop,
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = (PathBuf, Kind);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.stop.is_cancelled() {
                return None;
            }
            let depth = self.levels.len();
            let level = self.levels.last_mut()?;
            let Some((name, kind)) = level.entries.pop() else {
                self.levels.pop();
                continue;
            };
            let path = level.path.join(&name);
            if name == ".git" || level.rules.ignore(&path, kind.is_dir()) {
                continue;
            }
            if kind.is_file() {
                return Some((path, Kind::File));
            }
            if kind.is_symlink() {
                return Some((path, Kind::Link));
            }
            if kind.is_dir() && depth < MAX_DEPTH {
                // A folder that cannot be opened, or is none any more, is passed over.
                let below = level.handle.open_dir_nofollow(&name).ok();
                let rules = Some(Rc::clone(&level.rules));
                self.levels
                    .extend(below.and_then(|below| Level::open(below, path, rules)));
            }
        }
    }
}

impl Level {
    fn open(handle: Dir, path: PathBuf, above: Option<Rc<Rules>>) -> Option<Self> {
        let entries = handle.entries().ok()?.filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.file_name(), entry.file_type().ok()?))
        });
        let mut entries: Vec<_> = entries.collect();
        entries.sort_by(|(a, _), (b, _)| b.cmp(a));
        let own = IGNORE_FILES
            .iter()
            .filter_map(|name| ignore_file(&handle, &path, name))
            .collect();
        Some(Self {
            handle,
            path,
            entries,
            rules: Rc::new(Rules { own, above }),
        })
    }
}

impl Rules {
    /// Whether `path` is left out. The nearest file that has a word on it decides.
    fn ignore(&self, path: &Path, is_folder: bool) -> bool {
        let mut rules = Some(self);
        while let Some(here) = rules {
            for file in &here.own {
                match file.matched(path, is_folder) {
                    Match::None => {}
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                }
            }
            rules = here.above.as_deref();
        }
        false
    }
}

/// The rules in a file of `folder`. One that is no regular file has none.
fn ignore_file(folder: &Dir, path: &Path, name: &str) -> Option<Gitignore> {
    let text = || {
        let mut options = OpenOptions::new();
        options
            .read(true)
            .nonblock(true)
            .follow(cap_fs_ext::FollowSymlinks::No);
        let file = folder.open_with(name, &options)?;
        let mut text = String::new();
        if file.metadata()?.is_file() {
            file.take(MAX_IGNORE_FILE).read_to_string(&mut text)?;
        }
        io::Result::Ok(text)
    };
    let mut builder = GitignoreBuilder::new(path);
    for line in text().ok()?.lines() {
        // A line that is no pattern ignores nothing.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}
