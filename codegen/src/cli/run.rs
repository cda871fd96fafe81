//! Runs one command and turns its end into an exit code.

use std::error::Error as _;

use super::{
    Command, Global, Io, Program, bump, explain, generate, import, init, lint, list, new,
    root::Root,
};
use crate::{derive::DeriveError, write::WriteError};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Nothing to say against it.
    Clean,
    /// It could not run.
    Failed,
    /// It was asked for in a way that it does not understand.
    Usage,
    /// Generated files are not as the manifests say.
    Stale,
    /// Findings of level error.
    Findings,
}

impl Exit {
    /// The code for the shell.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Stale => 4,
            Self::Findings => 100,
        }
    }
}

/// Why a command could not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CliError {
    /// The manifests or the lock cannot be used.
    #[error(transparent)]
    Derive(#[from] DeriveError),
    /// The disk, or what is on it, refused.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// There is no project.
    #[error("{0}")]
    Root(String),
    /// The output stream refused.
    #[error("cannot write the result")]
    Output(#[from] std::io::Error),
    /// It was asked for something that is not there or cannot be done.
    #[error("{0}")]
    Request(String),
}

/// Runs `command`.
pub fn run(program: Program, global: &Global, command: &Command, io: &mut Io<'_>) -> Exit {
    let ended = dispatch(program, global, command, io);
    io.done();
    ended.unwrap_or_else(|error| fail(program, &error, io))
}

fn dispatch(
    program: Program,
    global: &Global,
    command: &Command,
    io: &mut Io<'_>,
) -> Result<Exit, CliError> {
    if let Command::Init(args) = command {
        return init::run(program, global, args, io);
    }
    if let Command::Explain { rule } = command {
        return explain::run(rule.as_deref(), io);
    }
    if let Command::Import(command) = command {
        return import::run(program, global, command, io);
    }
    let root = Root::find(global.root.as_deref(), program)?;
    match command {
        Command::Gen(args) => generate::run(&root, args, io),
        Command::Check(args) => generate::check(&root, args, io),
        Command::Lint(args) => lint::run(&root, args, io),
        Command::New(args) => new::run(&root, args, io),
        Command::Bump(args) => bump::run(&root, args, io),
        Command::List(args) => list::run(&root, *args, io),
        Command::Explain { .. } | Command::Init(_) | Command::Import(_) => Ok(Exit::Clean),
    }
}

/// Says why a command could not run, with every cause.
fn fail(program: Program, error: &CliError, io: &mut Io<'_>) -> Exit {
    if let CliError::Output(e) = error
        && e.kind() == std::io::ErrorKind::BrokenPipe
    {
        // Whoever read the result has seen enough.
        return Exit::Clean;
    }
    let mut text = format!("{}: {error}", program.as_str());
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    io.note(&text);
    Exit::Failed
}
