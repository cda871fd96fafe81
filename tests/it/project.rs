//! A project in a temporary folder, and the commands run in it.
#![expect(
    clippy::disallowed_methods,
    reason = "these files are what a person would have put there"
)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command as Process,
};

use clap::Parser as _;
use tempfile::TempDir;
use toolcontract_codegen::cli::{self, Command, Exit, Global, Io, Program};

/// A folder that goes when the test ends.
pub(crate) struct Project {
    _folder: TempDir,
    root: PathBuf,
}

/// What a command said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) exit: Exit,
    pub(crate) out: String,
    pub(crate) err: String,
}

#[derive(clap::Parser)]
struct Arguments {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

impl Project {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        fs::create_dir(&root).unwrap();
        Self {
            _folder: folder,
            root,
        }
    }

    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let project = Self::empty();
        for (path, text) in files {
            project.put(path, text);
        }
        project
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Puts a file, and the folders above it.
    pub(crate) fn put(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.root.join(path)).unwrap();
    }

    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
    }

    /// Replaces what must be there once.
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.text(path);
        assert_eq!(text.matches(from).count(), 1, "{path} holds `{from}` once");
        self.put(path, &text.replace(from, to));
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.root.join(path).symlink_metadata().is_ok()
    }

    /// Every file with its bytes, and every folder with none, by path. Without what a working copy
    /// knows about itself.
    pub(crate) fn tree(&self) -> BTreeMap<String, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.root.clone()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(&self.root).unwrap();
                let name = name.to_str().unwrap().replace('\\', "/");
                if name == ".toolcontract" || name == ".git" {
                    continue;
                }
                if path.is_symlink() {
                    let target = fs::read_link(&path).unwrap();
                    found.insert(
                        name,
                        Some(target.to_string_lossy().into_owned().into_bytes()),
                    );
                } else if path.is_dir() {
                    found.insert(name, None);
                    open.push(path);
                } else {
                    found.insert(name, Some(fs::read(&path).unwrap()));
                }
            }
        }
        found
    }

    /// Runs `toolcontract LINE` here; words are separated by single spaces.
    pub(crate) fn run(&self, line: &str) -> Said {
        let (global, command) = self.command(line);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut io = Io {
            out: &mut out,
            err: &mut err,
            colour: false,
            progress: false,
        };
        let exit = cli::run(Program::Toolcontract, &global, &command, &mut io);
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).unwrap();
            text.replace(self.root.to_str().unwrap(), "PROJECT")
        };
        Said {
            exit,
            out: text(out),
            err: text(err),
        }
    }

    /// What `toolcontract LINE` asks for, here.
    pub(crate) fn command(&self, line: &str) -> (Global, Command) {
        let words = ["toolcontract", "--root", self.root.to_str().unwrap()];
        let words = words.into_iter().chain(line.split(' '));
        let Arguments { global, command } = Arguments::try_parse_from(words).unwrap();
        (global, command)
    }

    /// Runs git here, as somebody in particular.
    pub(crate) fn git(&self, line: &str) {
        let output = Process::new("git")
            .args(["-c", "user.name=Test", "-c", "user.email=test@example.com"])
            .args(line.split(' '))
            .current_dir(&self.root)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {line}: {said}");
    }
}

impl Said {
    /// The screen as tests keep it: both streams and the exit code.
    pub(crate) fn screen(&self) -> String {
        format!("{}{}(exit code {})\n", self.out, self.err, self.exit.code())
    }
}
