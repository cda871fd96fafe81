//! Files that an operator names: read whole up to a limit. Refuses what is no regular file, without
//! waiting for whoever might write into it.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::{ambient_authority, fs::OpenOptions};

/// The regular file at `path`, to be read; a link is followed.
///
/// # Errors
/// When it cannot be opened, and when it is a folder, a FIFO, a socket or a device.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // A FIFO without a writer would wait for one.
    options.read(true).nonblock(true);
    let file = cap_std::fs::File::open_ambient_with(path, &options, ambient_authority())?;
    let file = file.into_std();
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is no regular file",
        )),
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
