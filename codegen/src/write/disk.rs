//! The few things that the writer asks of a disk, as a trait: tests put a failing one in its place.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// What stands at a path, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A plain file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, to whatever.
    Link,
    /// A socket, a device and the like.
    Other,
}

/// A file that was written under a temporary name and waits to take its place.
#[derive(Debug)]
pub struct Staged(PathBuf);

/// Prefix and suffix of temporary names. A file that is named so was left by a run that was cut off.
const TEMPORARY: (&str, &str) = (".toolcontract-", ".tmp");

/// Whether `name` is one of a temporary file of ours.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1)
}

/// A disk. No operation follows a link at the last step of its path.
pub trait Disk: Sync {
    /// What stands at `path`; none when nothing does.
    ///
    /// # Errors
    /// When the disk does not say.
    fn kind(&self, path: &Path) -> io::Result<Option<Kind>>;

    /// The bytes of a file; none when there is none.
    ///
    /// # Errors
    /// When the disk does not give them.
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>>;

    /// Names and kinds of what a folder holds, sorted by name; nothing when there is no folder.
    ///
    /// # Errors
    /// When the disk does not give them.
    fn entries(&self, folder: &Path) -> io::Result<Vec<(String, Kind)>>;

    /// Makes one folder; its parent exists.
    ///
    /// # Errors
    /// When the disk refuses.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Writes `bytes` to a new file in `folder` under a temporary name.
    ///
    /// # Errors
    /// When the disk refuses.
    fn stage(&self, folder: &Path, bytes: &[u8]) -> io::Result<Staged>;

    /// Puts a staged file at `path` in one step, over what is there.
    ///
    /// # Errors
    /// When the disk refuses; the staged file is gone then.
    fn replace(&self, staged: Staged, path: &Path) -> io::Result<()>;

    /// Removes a staged file that is not wanted any more.
    ///
    /// # Errors
    /// When the disk refuses.
    fn discard(&self, staged: Staged) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// When the disk refuses.
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// Removes a folder that is empty; `false` when it is not.
    ///
    /// # Errors
    /// When the disk refuses.
    fn remove_folder(&self, path: &Path) -> io::Result<bool>;
}

/// The real one.
#[derive(Debug, Clone, Copy)]
pub struct LocalDisk;

impl Disk for LocalDisk {
    fn kind(&self, path: &Path) -> io::Result<Option<Kind>> {
        match fs::symlink_metadata(path) {
            Ok(metadata) => Ok(Some(kind(metadata.file_type()))),
            Err(e) if is_absent(&e) => Ok(None),
            Err(e) => Err(e),
        }
    }

    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) if is_absent(&e) => Ok(None),
            Err(e) => Err(e),
        }
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<(String, Kind)>> {
        let listed = match fs::read_dir(folder) {
            Ok(listed) => listed,
            Err(e) if is_absent(&e) => return Ok(Vec::new()),
            Err(e) => return Err(e),
        };
        let mut entries = listed
            .map(|entry| {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy().into_owned();
                Ok((name, kind(entry.file_type()?)))
            })
            .collect::<io::Result<Vec<_>>>()?;
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(entries)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn stage(&self, folder: &Path, bytes: &[u8]) -> io::Result<Staged> {
        use io::Write as _;
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
        // Temporary files are private by default; these are not temporary for long.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(bytes)?;
        let path = file.into_temp_path().keep()?;
        Ok(Staged(path))
    }

    fn replace(&self, staged: Staged, path: &Path) -> io::Result<()> {
        let staged = tempfile::TempPath::try_from_path(staged.0)?;
        staged.persist(path).map_err(|e| e.error)
    }

    fn discard(&self, staged: Staged) -> io::Result<()> {
        self.remove_file(&staged.0)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "this is the place that the ban points to"
    )]
    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<bool> {
        match fs::remove_dir(path) {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::DirectoryNotEmpty || is_absent(&e) => Ok(false),
            Err(e) => Err(e),
        }
    }
}

/// Makes the folder of a new project, with those above it, and gives its absolute path.
///
/// # Errors
/// When the disk refuses.
pub fn make_root(folder: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    folder.canonicalize()
}

fn kind(file_type: fs::FileType) -> Kind {
    if file_type.is_symlink() {
        Kind::Link
    } else if file_type.is_dir() {
        Kind::Folder
    } else if file_type.is_file() {
        Kind::File
    } else {
        Kind::Other
    }
}

/// Nothing there, also when a file stands where a folder on the way would be.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
