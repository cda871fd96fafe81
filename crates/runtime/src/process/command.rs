//! What is started, before it is.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use super::{Environment, Keep};

/// A command to run.
#[derive(Debug, Clone)]
pub struct Command {
    /// The program and its arguments. No shell reads them.
    pub argv: Vec<OsString>,
    /// What is started, where that is not what the program is called.
    pub executable: Option<PathBuf>,
    /// The folder in which it runs.
    pub folder: PathBuf,
    /// All of its environment.
    pub environment: Environment,
    /// What it reads on standard input; then comes the end.
    pub input: Vec<u8>,
    /// How long it may run.
    pub time: Duration,
    /// Where its output goes.
    pub streams: Streams,
}

/// What becomes of standard output and standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streams {
    /// Both into one stream, in the order in which they were written.
    Merged(Keep),
    /// Each by itself.
    Apart {
        /// Standard output.
        out: Keep,
        /// Standard error.
        err: Keep,
    },
}
