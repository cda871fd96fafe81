//! Which files a command line names: the program, whatever reads it, scripts among the arguments.
//! Refuses a program that is not there, a path that leads out of the workspace, and an interpreter
//! that the system would look up in the workspace again after it was looked at.

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

use super::files::{Digests, NamedFile, OpenFile, Role, Room};
use crate::regular;

/// How many parts of an argument are looked at.
const MAX_PARTS: usize = 1_000;
/// How many interpreters may stand behind a program.
const MAX_INTERPRETERS: usize = 4;
/// Bytes of all files of the workspace that one command line names.
const MAX_SCRIPTS: u64 = 64 << 20;

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
    /// A link of the workspace to a file elsewhere, which could lead elsewhere when it is read.
    #[error("`{}` leads out of the workspace by a link; name the file that it leads to", escape(.0))]
    Link(String),
    /// An interpreter that the system looks up by a name in the workspace when the tool starts.
    #[error(
        "the interpreter `{}` is found in the workspace when the tool starts, and may be another by then; name it first in `command`, and the script behind it",
        escape(.0)
    )]
    Interpreter(String),
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
        let room = &mut Room(MAX_SCRIPTS);
        let mut opened = Vec::new();
        let mut file = self.open_program(program, Role::Program, room)?;
        for depth in 0..=MAX_INTERPRETERS {
            let next = file.interpreter();
            opened.push(file);
            let Some(words) = next else { break };
            if depth == MAX_INTERPRETERS {
                return Err(ProgramError::TooManyInterpreters(program.to_owned()));
            }
            let mut words = words.into_iter();
            let interpreter = words.next().unwrap_or_default();
            // The system searches no path for it, but the folder in which the tool starts.
            if Path::new(&interpreter).is_relative() {
                return Err(ProgramError::Interpreter(interpreter));
            }
            file = self.open_program(&interpreter, Role::Interpreter, room)?;
            // `env` starts what stands behind it.
            if Path::new(&interpreter).file_name() == Some(OsStr::new("env"))
                && let Some(real) = words.find(|word| !word.starts_with('-') && !word.contains('='))
            {
                opened.push(file);
                file = self.open_program(&real, Role::Interpreter, room)?;
            }
        }
        for (index, argument) in self.argv.iter().enumerate().skip(1) {
            match self.open_argument(argument, Role::Argument(index), room)? {
                Some(file) => opened.push(file),
                None => opened.extend(self.mentioned(argument, index, room)?),
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
    fn mentioned(
        &self,
        argument: &str,
        index: usize,
        room: &mut Room,
    ) -> Result<Vec<OpenFile>, ProgramError> {
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
            match self.open_argument(part, Role::Mentioned(index), room) {
                Ok(file) => files.extend(file),
                // A word of a text need not be a path.
                Err(ProgramError::Outside(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(files)
    }

    fn open_program(
        &self,
        name: &str,
        role: Role,
        room: &mut Room,
    ) -> Result<OpenFile, ProgramError> {
        let is_safe = |path: &Path| role != Role::Interpreter || !self.leads_through(path);
        if name.contains('/') {
            if !is_safe(Path::new(name)) {
                return Err(ProgramError::Interpreter(name.to_owned()));
            }
            let file = self.open_argument(name, role, room)?;
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
        match is_safe(&found) {
            true => self.open_absolute(&found, name, role, room),
            false => Err(ProgramError::Interpreter(name.to_owned())),
        }
    }

    /// Whether the workspace decides where `path` leads.
    fn leads_through(&self, path: &Path) -> bool {
        let is_inside = |part: &Path| {
            part.canonicalize()
                .is_ok_and(|real| real.starts_with(&self.root))
        };
        path.is_relative() || path.ancestors().any(is_inside)
    }

    /// The file that `argument` names. None when there is no such file: then it is just a word.
    fn open_argument(
        &self,
        argument: &str,
        role: Role,
        room: &mut Room,
    ) -> Result<Option<OpenFile>, ProgramError> {
        let path = Path::new(argument);
        if path.is_absolute() {
            return match path.metadata() {
                Ok(metadata) if metadata.is_file() => {
                    self.open_absolute(path, argument, role, room).map(Some)
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
                Ok(metadata) if metadata.is_dir() => Ok(None),
                // What went away between the two looks was there, and is no mere word; it fails
                // here as what is no regular file does.
                _ => self.open_inside(&inside, argument, role, room).map(Some),
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

    fn open_absolute(
        &self,
        path: &Path,
        name: &str,
        role: Role,
        room: &mut Room,
    ) -> Result<OpenFile, ProgramError> {
        let unreadable = |source| ProgramError::Unreadable {
            path: name.to_owned(),
            source,
        };
        let real = path.canonicalize().map_err(unreadable)?;
        if let Ok(inside) = real.strip_prefix(&self.root) {
            return self.open_inside(inside, name, role, room);
        }
        // A program is started as it is open here; an argument is read by its path later.
        if matches!(role, Role::Argument(_)) && self.leads_through(path) {
            return Err(ProgramError::Link(name.to_owned()));
        }
        let file = regular::open(&real).map_err(unreadable)?;
        OpenFile::outside(file, real, role, &self.digests).map_err(unreadable)
    }

    fn open_inside(
        &self,
        inside: &Path,
        name: &str,
        role: Role,
        room: &mut Room,
    ) -> Result<OpenFile, ProgramError> {
        OpenFile::inside(&self.handle, inside, role, room).map_err(|source| {
            ProgramError::Unreadable {
                path: name.to_owned(),
                source,
            }
        })
    }
}
