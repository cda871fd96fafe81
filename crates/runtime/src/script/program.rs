//! Which files a command line names: the program, whatever reads it, scripts among the arguments.
//! Refuses a relative path that leads out of the workspace and a program that is not there.

use std::{
    collections::BTreeSet,
    env,
    ffi::{OsStr, OsString},
    io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use cap_std::{ambient_authority, fs::Dir};
use toolcontract_manifest::text::escape;

use super::files::{Digests, NamedFile, OpenFile, Role};

/// How many parts of an argument are looked at.
const MAX_PARTS: usize = 1_000;
/// How many interpreters may stand behind a program.
const MAX_INTERPRETERS: usize = 4;

/// A command line in a workspace.
#[derive(Debug)]
pub struct Program {
    argv: Vec<String>,
    root: PathBuf,
    handle: Dir,
    /// Where programs are searched.
    path: OsString,
    digests: Digests,
}

/// A file that a command line names cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The workspace cannot be opened.
    #[error("the workspace cannot be opened")]
    Workspace(#[source] io::Error),
    /// There is no program of that name.
    #[error("`{}` is no program on the search path", escape(.0))]
    NotFound(String),
    /// A path that is relative and leads elsewhere.
    #[error("`{}` leads out of the workspace; write an absolute path", escape(.0))]
    Outside(String),
    /// The file is there and cannot be read, or is no regular file.
    #[error("`{}` cannot be read as a file", escape(.path))]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// More interpreters behind each other than any system starts.
    #[error("`{}` is read by too many interpreters", escape(.0))]
    TooManyInterpreters(String),
}

impl Program {
    /// The command line `argv` in the workspace `root`; programs are searched in `path`.
    ///
    /// # Errors
    /// When the workspace cannot be opened.
    pub fn new(argv: Vec<String>, root: &Path, path: &OsStr) -> Result<Self, ProgramError> {
        let open = || {
            let root = root.canonicalize()?;
            let handle = Dir::open_ambient_dir(&root, ambient_authority())?;
            io::Result::Ok((root, handle))
        };
        let (root, handle) = open().map_err(ProgramError::Workspace)?;
        Ok(Self {
            argv,
            root,
            handle,
            path: path.to_owned(),
            digests: Digests::default(),
        })
    }

    /// The program and its arguments.
    #[must_use]
    pub fn argv(&self) -> &[String] {
        &self.argv
    }

    /// The workspace.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Every file that the command line names, with its digest as it is now.
    ///
    /// # Errors
    /// When one cannot be used.
    pub fn files(&self) -> Result<Vec<NamedFile>, ProgramError> {
        Ok(self.open()?.into_iter().map(|file| file.named).collect())
    }

    /// The same, opened. What runs is what was opened, not what has the name later.
    pub(super) fn open(&self) -> Result<Vec<OpenFile>, ProgramError> {
        let program = self.argv.first().map(String::as_str).unwrap_or_default();
        let mut opened = Vec::new();
        let mut file = self.open_program(program, Role::Program)?;
        for depth in 0..=MAX_INTERPRETERS {
            let next = file.interpreter();
            opened.push(file);
            let Some(words) = next else { break };
            if depth == MAX_INTERPRETERS {
                return Err(ProgramError::TooManyInterpreters(program.to_owned()));
            }
            let mut words = words.into_iter();
            let interpreter = words.next().unwrap_or_default();
            file = self.open_program(&interpreter, Role::Interpreter)?;
            // `env` starts what stands behind it.
            if Path::new(&interpreter).file_name() == Some(OsStr::new("env"))
                && let Some(real) = words.find(|word| !word.starts_with('-') && !word.contains('='))
            {
                opened.push(file);
                file = self.open_program(&real, Role::Interpreter)?;
            }
        }
        for (index, argument) in self.argv.iter().enumerate().skip(1) {
            match self.open_argument(argument, Role::Argument(index))? {
                Some(file) => opened.push(file),
                None => opened.extend(self.mentioned(argument, index)?),
            }
        }
        Ok(opened)
    }

    /// Folders that the command line names. What lies in them is not looked at.
    #[must_use]
    pub fn folders(&self) -> Vec<String> {
        let is_folder = |argument: &&String| {
            let path = Path::new(argument);
            match path.is_absolute() {
                true => path.is_dir(),
                false => !argument.is_empty() && self.handle.is_dir(path),
            }
        };
        self.argv
            .iter()
            .skip(1)
            .filter(is_folder)
            .cloned()
            .collect()
    }

    /// Files of the workspace that a part of `argument` names: what `sh -c` runs is read from
    /// them, too.
    fn mentioned(&self, argument: &str, index: usize) -> Result<Vec<OpenFile>, ProgramError> {
        let parts: BTreeSet<&str> = argument
            .split(|c: char| c.is_whitespace() || "\"'`$(){}<>;|&=,".contains(c))
            .filter(|part| !part.is_empty() && *part != argument)
            .take(MAX_PARTS)
            .collect();
        let mut files = Vec::new();
        for part in parts
            .into_iter()
            .filter(|part| Path::new(part).is_relative())
        {
            match self.open_argument(part, Role::Mentioned(index)) {
                Ok(file) => files.extend(file),
                // A word of a text need not be a path.
                Err(ProgramError::Outside(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(files)
    }

    fn open_program(&self, name: &str, role: Role) -> Result<OpenFile, ProgramError> {
        if name.contains('/') {
            let file = self.open_argument(name, role)?;
            return file.ok_or_else(|| ProgramError::NotFound(name.to_owned()));
        }
        let is_program = |path: &PathBuf| {
            path.is_absolute()
                && path
                    .metadata()
                    .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
        };
        let mut candidates = env::split_paths(&self.path).map(|folder| folder.join(name));
        let found = candidates.find(is_program);
        let found = found.ok_or_else(|| ProgramError::NotFound(name.to_owned()))?;
        self.open_absolute(&found, name, role)
    }

    /// The file that `argument` names. None when there is no such file: then it is just a word.
    fn open_argument(&self, argument: &str, role: Role) -> Result<Option<OpenFile>, ProgramError> {
        let path = Path::new(argument);
        if path.is_absolute() {
            return match path.metadata() {
                Ok(metadata) if metadata.is_file() => {
                    self.open_absolute(path, argument, role).map(Some)
                }
                _ => Ok(None),
            };
        }
        // A word with NUL or without any character names no file.
        if argument.is_empty() || argument.contains('\0') {
            return Ok(None);
        }
        match self.handle.canonicalize(path) {
            Ok(inside) => match self.handle.metadata(&inside) {
                Ok(metadata) if metadata.is_file() => {
                    self.open_inside(&inside, argument, role).map(Some)
                }
                _ => Ok(None),
            },
            Err(error)
                if error.kind() == io::ErrorKind::PermissionDenied
                    && error.raw_os_error().is_none() =>
            {
                Err(ProgramError::Outside(argument.to_owned()))
            }
            Err(_) => Ok(None),
        }
    }

    fn open_absolute(&self, path: &Path, name: &str, role: Role) -> Result<OpenFile, ProgramError> {
        let unreadable = |source| ProgramError::Unreadable {
            path: name.to_owned(),
            source,
        };
        let real = path.canonicalize().map_err(unreadable)?;
        if let Ok(inside) = real.strip_prefix(&self.root) {
            return self.open_inside(inside, name, role);
        }
        let file = std::fs::File::open(&real).map_err(unreadable)?;
        OpenFile::outside(file, real, role, &self.digests).map_err(unreadable)
    }

    fn open_inside(&self, inside: &Path, name: &str, role: Role) -> Result<OpenFile, ProgramError> {
        OpenFile::inside(&self.handle, inside, role).map_err(|source| ProgramError::Unreadable {
            path: name.to_owned(),
            source,
        })
    }
}
