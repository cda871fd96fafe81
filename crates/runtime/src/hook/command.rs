//! The port to whatever runs the command of a hook.

use std::{path::PathBuf, time::Duration};

/// A command of a hook, before it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookCommand {
    /// The command line, which a shell reads.
    pub line: String,
    /// What it reads on standard input.
    pub input: Vec<u8>,
    /// The folder in which it runs.
    pub folder: PathBuf,
    /// How long it may run.
    pub time: Duration,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookRan {
    /// It ended by itself.
    Ended {
        /// Its exit code.
        code: i32,
        /// What it wrote to standard output; none when that was too much to keep.
        out: Option<Vec<u8>>,
    },
    /// It was killed, by its deadline or by a signal, or could not be started.
    Failed {
        /// What happened, without anything that the command wrote.
        what: String,
    },
}

/// Runs commands of hooks. Called on a thread that may block.
pub trait RunsHooks: Send + Sync {
    /// Runs the command to its end. When this returns, nothing of it is left running.
    fn run(&self, command: HookCommand) -> HookRan;
}
