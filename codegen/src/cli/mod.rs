//! The command line that `toolcontract` and `cargo xtask` share.
//!
//! Commands write to a [`Io`], so that whole screens are tested as text. What is on standard
//! output is the result; progress, waiting and what could not run go to standard error.

mod args;
mod bump;
mod explain;
mod findings;
mod generate;
mod import;
mod init;
mod io;
mod lint;
mod list;
mod new;
mod report;
mod root;
mod run;
mod screen;

pub use args::{CheckArgs, Command, Format, GenArgs, Global, ListFormat};
pub use import::{ImportArgs, ImportCommand, ImportMcpArgs};
pub use io::{Io, terminal};
pub use report::{of_check as check_screen, of_write as write_screen};
pub use run::{CliError, Exit, run};
pub use screen::{Screen, Tone};

/// The program that was started, as messages name it in commands to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// The binary of this crate.
    Toolcontract,
    /// The task runner of a repository that builds the generator.
    CargoXtask,
}

impl Program {
    /// What a person types.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Toolcontract => "toolcontract",
            Self::CargoXtask => "cargo xtask",
        }
    }
}
