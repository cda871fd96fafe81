//! Files that an operator names: read whole up to a limit, or appended to. Refuses what is no
//! regular file, without waiting for whoever might write into it.

use std::{
    fs::{File, FileType, Metadata},
    io::{self, Read as _},
    path::Path,
};

use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::{ambient_authority, fs::OpenOptions};

/// What is there in place of a regular file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotRegularError {
    /// A folder.
    #[error("it is a folder, and no regular file")]
    Folder,
    /// A FIFO, or a pipe.
    #[error("it is a FIFO, and no regular file")]
    Fifo,
    /// A socket.
    #[error("it is a socket, and no regular file")]
    Socket,
    /// A device, such as `/dev/null`.
    #[error("it is a device, and no regular file")]
    Device,
    /// Something else.
    #[error("it is no regular file")]
    Other,
}

impl NotRegularError {
    /// What is there, as `error` says, which a function of this module gave. None where that is
    /// not the error.
    #[must_use]
    pub fn of(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }

    fn of_type(file: FileType) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt as _;
            if file.is_fifo() {
                return Self::Fifo;
            }
            if file.is_socket() {
                return Self::Socket;
            }
            if file.is_char_device() || file.is_block_device() {
                return Self::Device;
            }
        }
        match file.is_dir() {
            true => Self::Folder,
            false => Self::Other,
        }
    }
}

/// The regular file at `path`, to be read; a link is followed.
///
/// # Errors
/// When it cannot be opened, and with [`NotRegularError`] when it is something else.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    opened(path, options)
}

/// The regular file at `path`, to be read and appended to; one that is not there is made. A link
/// is followed.
///
/// # Errors
/// Those of [`open`].
pub fn open_to_append(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    opened(path, options)
}

fn opened(path: &Path, mut options: OpenOptions) -> io::Result<File> {
    // To open a device can do something, and a socket cannot be opened at all.
    if let Ok(metadata) = path.metadata() {
        check(&metadata)?;
    }
    // A FIFO without a writer would wait for one.
    options.nonblock(true);
    let file = cap_std::fs::File::open_ambient_with(path, &options, ambient_authority())?;
    let file = file.into_std();
    // What was opened is what counts: the name may lead elsewhere since.
    check(&file.metadata()?)?;
    Ok(file)
}

/// Whether `metadata` is of a regular file.
pub(crate) fn check(metadata: &Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            NotRegularError::of_type(metadata.file_type()),
        )),
    }
}

/// Whether a regular file is at `path`; false where nothing is. Opens nothing, for files that
/// another library opens.
///
/// # Errors
/// With [`NotRegularError`] when something else is there, and when that cannot be told.
pub fn is_at(path: &Path) -> io::Result<bool> {
    match path.metadata() {
        Ok(metadata) => check(&metadata).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// At most `most` bytes of the regular file at `path`.
///
/// # Errors
/// Those of [`open`], and when it cannot be read.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
