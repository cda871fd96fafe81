//! One place in the workspace: a folder that is held open, and a name in it. What is written there
//! is written whole or not at all; what is no regular file is left alone.

use std::{
    ffi::OsString,
    io::{self, Read as _, Write as _},
};

use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::fs::{Dir, Metadata, OpenOptions, Permissions, PermissionsExt as _};
use cap_tempfile::TempFile;
use toolcontract_protocol::ErrorClass;
use toolcontract_runtime::tool::ToolError;

use super::workspace::{MAX_WHOLE, of_system, shown};

/// Where a file is or would be: a folder that is inside, and a name in it.
pub(super) struct Place {
    folder: Dir,
    name: OsString,
    /// The path relative to the workspace.
    pub(super) path: String,
}

impl Place {
    /// The name `name` in `folder`, which is inside; `path` is where that is.
    pub(super) fn new(folder: Dir, name: OsString, path: String) -> Self {
        Self { folder, name, path }
    }

    /// What is there; a link itself. None when nothing is.
    pub(super) fn entry(&self) -> Result<Option<Metadata>, ToolError> {
        match self.folder.symlink_metadata(&self.name) {
            Ok(metadata) => Ok(Some(metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(of_system(&self.path, &error)),
        }
    }

    /// The bytes of the regular file that is there. None when nothing is.
    pub(super) fn bytes(&self) -> Result<Option<Vec<u8>>, ToolError> {
        let Some(entry) = self.entry()? else {
            return Ok(None);
        };
        let refuse = |what: String| {
            let message = format!("`{}` {what}", shown(&self.path));
            Err(ToolError::new(ErrorClass::InvalidInput, message))
        };
        if !entry.is_file() {
            return refuse("is no regular file".to_owned());
        }
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true);
        let mut bytes = Vec::new();
        self.folder
            .open_with(&self.name, &options)
            .and_then(|file| file.take(MAX_WHOLE + 1).read_to_end(&mut bytes))
            .map_err(|error| of_system(&self.path, &error))?;
        if bytes.len() as u64 > MAX_WHOLE {
            return refuse(format!("is larger than {MAX_WHOLE} bytes; use `bash`"));
        }
        Ok(Some(bytes))
    }

    /// Puts a file with `bytes` there, whole or not at all. What was there keeps its mode, and its
    /// other hard links keep its old content.
    pub(super) fn replace(&self, bytes: &[u8]) -> Result<(), ToolError> {
        let before = self.entry()?;
        let replace = || {
            let mut file = TempFile::new(&self.folder)?;
            file.write_all(bytes)?;
            if let Some(before) = before {
                // What may be read, written and run; no file gives its owner's rights away here.
                let mode = before.permissions().mode() & 0o777;
                file.as_file()
                    .set_permissions(Permissions::from_mode(mode))?;
            }
            file.replace(&self.name)
        };
        replace().map_err(|error: io::Error| of_system(&self.path, &error))
    }

    /// Removes the entry.
    pub(super) fn remove(&self) -> Result<(), ToolError> {
        self.folder
            .remove_file(&self.name)
            .map_err(|error| of_system(&self.path, &error))
    }
}
