//! A folder of manifests, opened once and read by its handle. Refuses links, FIFOs, devices,
//! files that have another name elsewhere, and files that are too large.

use std::{
    io::{self, Read as _},
    path::{Component, Path},
};

use cap_fs_ext::{
    DirExt as _, FollowSymlinks, MetadataExt as _, OpenOptionsFollowExt as _,
    OpenOptionsSyncExt as _,
};
use cap_std::{
    ambient_authority,
    fs::{Dir, OpenOptions},
};
use toolcontract_manifest::parse;

/// How many manifests one folder may hold.
const MAX_FILES: usize = 1_000;

/// A folder of manifests.
#[derive(Debug)]
pub struct ToolFolder {
    handle: Dir,
    /// How findings name it.
    pub(super) shown: String,
}

/// A folder of manifests that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The folder is there and cannot be opened as one.
    #[error("the folder `{shown}` cannot be opened")]
    Open {
        /// The folder, as findings name it.
        shown: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// A path that is not below the workspace.
    #[error("`{0}` is not a folder inside the workspace; write a relative path without `..`")]
    Outside(String),
    /// More manifests than anybody wrote.
    #[error("the folder `{0}` holds more than {MAX_FILES} manifests")]
    TooMany(String),
}

/// Why a file is not read.
#[derive(Debug)]
pub(super) enum Unreadable {
    Link,
    NotAFile,
    OtherName,
    TooLarge,
    Io(io::Error),
}

impl ToolFolder {
    /// The folder `relative` below `root`, without following a link on the way. None when it is
    /// not there.
    ///
    /// # Errors
    /// When it cannot be opened, or lies elsewhere.
    pub fn inside(root: &Path, relative: &str) -> Result<Option<Self>, FolderError> {
        let error = |source| FolderError::Open {
            shown: relative.to_owned(),
            source,
        };
        let mut handle = Dir::open_ambient_dir(root, ambient_authority()).map_err(error)?;
        for part in Path::new(relative).components() {
            handle = match part {
                Component::CurDir => continue,
                Component::Normal(name) => match handle.open_dir_nofollow(name) {
                    Ok(below) => below,
                    Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
                    Err(source) => return Err(error(source)),
                },
                Component::Prefix(_) | Component::RootDir | Component::ParentDir => {
                    return Err(FolderError::Outside(relative.to_owned()));
                }
            };
        }
        let shown = relative.to_owned();
        Ok(Some(Self { handle, shown }))
    }

    /// The folder at `path`, named `shown` in findings. None when it is not there.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn at(path: &Path, shown: &str) -> Result<Option<Self>, FolderError> {
        match Dir::open_ambient_dir(path, ambient_authority()) {
            Ok(handle) => Ok(Some(Self {
                handle,
                shown: shown.to_owned(),
            })),
            Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(FolderError::Open {
                shown: shown.to_owned(),
                source,
            }),
        }
    }

    /// Names of the manifests, in order. Hidden files and everything else are somebody else's.
    pub(super) fn manifests(&self) -> Result<Vec<String>, FolderError> {
        let error = |source| FolderError::Open {
            shown: self.shown.clone(),
            source,
        };
        let mut names = Vec::new();
        for entry in self.handle.entries().map_err(error)? {
            let Ok(name) = entry.map_err(error)?.file_name().into_string() else {
                continue;
            };
            if !name.starts_with('.') && parse::Syntax::of_path(&name).is_some() {
                names.push(name);
            }
            if names.len() > MAX_FILES {
                return Err(FolderError::TooMany(self.shown.clone()));
            }
        }
        names.sort();
        Ok(names)
    }

    /// The bytes of the manifest `name`.
    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, Unreadable> {
        let entry = self.handle.symlink_metadata(name).map_err(Unreadable::Io)?;
        if entry.is_symlink() {
            return Err(Unreadable::Link);
        }
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = self.handle.open_with(name, &options);
        let file = file.map_err(Unreadable::Io)?;
        let metadata = file.metadata().map_err(Unreadable::Io)?;
        if !metadata.is_file() {
            return Err(Unreadable::NotAFile);
        }
        // Its other name may be that of a secret, which a finding would show.
        if metadata.nlink() > 1 {
            return Err(Unreadable::OtherName);
        }
        let mut bytes = Vec::new();
        let limit = parse::MAX_BYTES as u64 + 1;
        file.take(limit)
            .read_to_end(&mut bytes)
            .map_err(Unreadable::Io)?;
        match bytes.len() > parse::MAX_BYTES {
            true => Err(Unreadable::TooLarge),
            false => Ok(bytes),
        }
    }
}
