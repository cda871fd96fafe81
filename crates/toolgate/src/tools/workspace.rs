//! The folder that file tools work in. Everything below is opened through its handle, so what a
//! path leads to is inside, whatever links and races there are.
//!
//! Refuses absolute paths, paths that lead out, and everything that is no regular file.

use std::{
    fs::File,
    io,
    path::{Component, Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::{
    ambient_authority,
    fs::{Dir, Metadata, OpenOptions},
};
use toolcontract_manifest::text::escape;
use toolcontract_protocol::ErrorClass;
use toolcontract_runtime::tool::ToolError;

use super::place::Place;

/// The largest file that is taken into memory whole, in bytes.
pub(super) const MAX_WHOLE: u64 = 16 << 20;

/// Characters of a call's text in a message.
const MAX_SHOWN: usize = 200;

/// The folder that file tools work in.
#[derive(Debug)]
pub struct Workspace {
    handle: Dir,
    root: PathBuf,
    /// Held from reading what is there until it is replaced, so that two edits do not lose one.
    changing: Mutex<()>,
}

/// The workspace cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("the workspace `{}` cannot be opened", root.display())]
pub struct WorkspaceError {
    /// The folder as it was named.
    root: PathBuf,
    /// What the system says.
    source: io::Error,
}

impl Workspace {
    /// Opens the folder `root`.
    ///
    /// # Errors
    /// When it is not there or no folder.
    pub fn open(root: &Path) -> Result<Self, WorkspaceError> {
        let open = || {
            let root = root.canonicalize()?;
            let handle = Dir::open_ambient_dir(&root, ambient_authority())?;
            io::Result::Ok((root, handle))
        };
        let (root, handle) = open().map_err(|source| WorkspaceError {
            root: root.to_owned(),
            source,
        })?;
        Ok(Self {
            handle,
            root,
            changing: Mutex::default(),
        })
    }

    /// Its absolute path, without links.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Held while a file is changed.
    pub(super) fn change(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the regular file at `path` to read it. Gives its size in bytes, too.
    pub(super) fn read(&self, path: &str) -> Result<(File, u64), ToolError> {
        let relative = relative(path)?;
        self.open_file(&relative)
            .map_err(|error| of_system(path, &error))?
            .ok_or_else(|| {
                let message = format!(
                    "`{}` is no regular file; `glob` lists the files of a folder",
                    shown(path)
                );
                ToolError::new(ErrorClass::InvalidInput, message)
            })
    }

    /// The same for a path that a walk has found. None for everything but a regular file.
    pub(super) fn open_file(&self, relative: &Path) -> io::Result<Option<(File, u64)>> {
        // Without waiting: nobody may ever write into a FIFO.
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true);
        let file = self.handle.open_with(relative, &options)?;
        let metadata = file.metadata()?;
        Ok(metadata
            .is_file()
            .then(|| (file.into_std(), metadata.len())))
    }

    /// The path that `path` comes to, links and `..` resolved; empty for the workspace itself.
    pub(super) fn resolve(&self, path: &str) -> Result<PathBuf, ToolError> {
        let real = self.handle.canonicalize(relative(path)?);
        let real = real.map_err(|error| of_system(path, &error))?;
        Ok(without_dots(&real))
    }

    /// What is at `path` inside, links followed.
    pub(super) fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.handle.metadata(or_dot(path))
    }

    /// The folder at `path` inside.
    pub(super) fn folder(&self, path: &Path) -> io::Result<Dir> {
        self.handle.open_dir(or_dot(path))
    }

    /// The place of the file that is at `path`, links followed; of one that is not there, when
    /// its folders are, or may be made.
    pub(super) fn place_to_write(&self, path: &str) -> Result<Place, ToolError> {
        let relative = relative(path)?;
        let system = |error: io::Error| of_system(path, &error);
        match self.handle.canonicalize(&relative) {
            Ok(real) => self.place(path, &real),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if self.handle.symlink_metadata(&relative).is_ok() {
                    let message = format!(
                        "`{}` is a symbolic link to nothing; delete it first",
                        shown(path)
                    );
                    return Err(ToolError::new(ErrorClass::InvalidInput, message));
                }
                if let Some(parent) = relative.parent().filter(|parent| !is_empty(parent)) {
                    self.handle.create_dir_all(parent).map_err(system)?;
                }
                self.place(path, &relative)
            }
            Err(error) => Err(system(error)),
        }
    }

    /// The place that `path` names itself: a link there is not followed.
    pub(super) fn place_of_entry(&self, path: &str) -> Result<Place, ToolError> {
        self.place(path, &relative(path)?)
    }

    fn place(&self, path: &str, relative: &Path) -> Result<Place, ToolError> {
        let name = relative.file_name().ok_or_else(|| {
            let message = format!("`{}` names a folder, not a file", shown(path));
            ToolError::new(ErrorClass::InvalidInput, message)
        })?;
        let parent = or_dot(relative.parent().unwrap_or(relative));
        let open = || {
            let real = self.handle.canonicalize(parent)?;
            let path = slashed(&real.join(name));
            Ok((self.handle.open_dir(parent)?, path))
        };
        let (folder, path_inside) = open().map_err(|error| of_system(path, &error))?;
        Ok(Place::new(folder, name.to_owned(), path_inside))
    }
}

/// No handle opens an empty path.
fn or_dot(path: &Path) -> &Path {
    match is_empty(path) {
        true => Path::new("."),
        false => path,
    }
}

fn is_empty(path: &Path) -> bool {
    path.as_os_str().is_empty()
}

/// `path` without `.` parts.
fn without_dots(path: &Path) -> PathBuf {
    path.components()
        .filter(|component| *component != Component::CurDir)
        .collect()
}

/// `path` as a relative one, `.` for the workspace itself. `..` takes back the part before it, as
/// in the rules of policies, whatever that part is on the disk: so the path that was judged is the
/// one that is opened. One that leads out is refused when it is opened.
pub(super) fn relative(path: &str) -> Result<PathBuf, ToolError> {
    let refuse = |message: String| Err(ToolError::new(ErrorClass::InvalidInput, message));
    if path.contains('\0') {
        return refuse("a path cannot hold the character NUL".to_owned());
    }
    let mut relative = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::Prefix(_) | Component::RootDir => {
                let path = shown(path);
                return refuse(format!(
                    "`{path}` is absolute; write it relative to the workspace root"
                ));
            }
            Component::CurDir => {}
            Component::ParentDir if ends_in_a_name(&relative) => {
                relative.pop();
            }
            Component::ParentDir | Component::Normal(_) => relative.push(component),
        }
    }
    if is_empty(&relative) {
        relative.push(".");
    }
    Ok(relative)
}

fn ends_in_a_name(path: &Path) -> bool {
    matches!(path.components().next_back(), Some(Component::Normal(_)))
}

/// A path as contracts write it.
pub(super) fn slashed(path: &Path) -> String {
    let path = without_dots(path);
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// Text of a call in a message, such as a path: what a reader does not see is escaped, what is
/// long is cut.
pub(super) fn shown(text: &str) -> String {
    let (head, more) = match text.char_indices().nth(MAX_SHOWN) {
        None => (text, ""),
        Some((at, _)) => (text.split_at(at).0, "…"),
    };
    let head = escape(head).replace('\n', "\\n").replace('\t', "\\t");
    format!("{head}{more}")
}

/// What the system says about `path`.
pub(super) fn of_system(path: &str, error: &io::Error) -> ToolError {
    let path = shown(path);
    // The refusal to leave the workspace is not the system's and has no code of it.
    if error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none() {
        let message = format!("`{path}` leads out of the workspace");
        return ToolError::new(ErrorClass::PermissionDenied, message);
    }
    let class = ToolError::from(io::Error::from(error.kind())).class;
    let what = match error.kind() {
        io::ErrorKind::NotFound => "does not exist".to_owned(),
        io::ErrorKind::IsADirectory => "is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "goes through something that is no folder".to_owned(),
        kind => format!("cannot be used: {kind}"),
    };
    ToolError::new(class, format!("`{path}` {what}"))
}
