//! Commands that tools start: an argument vector without a shell, an environment that holds only
//! what was listed, a process group that ends with the call, a cap on what is kept of its output.
//!
//! A process that makes a session of its own leaves the group; nothing here finds it again.

mod capture;
mod command;
mod environment;
mod group;
mod run;

pub use capture::{Captured, Keep};
pub use command::{Command, Streams};
pub use environment::Environment;
pub use run::{Ended, Exit, run};

/// Why a command did not run to an end that is known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// There is no program to start.
    #[error("the command has no program")]
    NoProgram,
    /// The program could not be started.
    #[error("`{program}` cannot be started")]
    Start {
        /// The program, what a reader does not see escaped.
        program: String,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// The system lost track of the process.
    #[error("how the command ended is not known")]
    Wait(#[source] std::io::Error),
}
