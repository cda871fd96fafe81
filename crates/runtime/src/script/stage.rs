//! What is started: the bytes that were looked at, wherever the names lead by now. Scripts of the
//! workspace run from private copies; programs elsewhere run as they were opened, scripts among
//! them by their path.

use std::{
    ffi::OsString,
    fs::{File, OpenOptions},
    io::{self, Write as _},
    os::{fd::AsRawFd as _, unix::fs::OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use super::files::{OpenFile, Role};

/// A command line that is ready to run. The files live as long as this value.
pub(super) struct Staged {
    pub(super) argv: Vec<OsString>,
    /// What is started in place of the first word.
    pub(super) executable: Option<PathBuf>,
    _open: Vec<File>,
    _copies: Option<TempDir>,
}

/// Makes `argv` name what `files` hold.
pub(super) fn stage(argv: &[String], files: Vec<OpenFile>) -> io::Result<Staged> {
    let mut staged = Staged {
        argv: argv.iter().map(OsString::from).collect(),
        executable: None,
        _open: Vec::new(),
        _copies: None,
    };
    let mut copies = None;
    for file in files {
        let at = match file.named.role {
            Role::Program => 0,
            Role::Argument(index) => index,
            // The system opens it by the name that the first line of the program has.
            Role::Interpreter => continue,
            // No path is put into the middle of a text.
            Role::Mentioned(_) => continue,
        };
        match file.copy {
            Some(bytes) => {
                let folder = match &copies {
                    Some(folder) => folder,
                    None => copies.insert(tempfile::tempdir()?),
                };
                let path = copy(folder.path(), at, Path::new(&file.named.path), &bytes)?;
                if at == 0 {
                    staged.executable = Some(path.clone());
                }
                if let Some(word) = staged.argv.get_mut(at) {
                    *word = path.into_os_string();
                }
            }
            // Its interpreter opens it by path, when what is open here is closed.
            None if at == 0 && file.interpreter().is_some() => {
                staged.executable = Some(file.named.path.into());
            }
            None if at == 0 => {
                staged.executable = Some(opened(&file.file, &file.named.path));
                staged._open.push(file.file);
            }
            // A file of others that is only read.
            None => {}
        }
    }
    staged._copies = copies;
    Ok(staged)
}

/// A path of the open file itself.
#[cfg(target_os = "linux")]
fn opened(file: &File, _: &str) -> PathBuf {
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

/// The path by which the file was opened: this system has none of an open file.
#[cfg(not(target_os = "linux"))]
fn opened(_: &File, path: &str) -> PathBuf {
    path.into()
}

fn copy(folder: &Path, at: usize, original: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    // Scripts look at what they are called; a folder each keeps two of one name apart.
    let folder = folder.join(at.to_string());
    std::fs::create_dir(&folder)?;
    let path = folder.join(original.file_name().unwrap_or_default());
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o500);
    options.open(&path)?.write_all(bytes)?;
    Ok(path)
}
