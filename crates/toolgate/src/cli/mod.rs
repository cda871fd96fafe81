//! The commands: each reads its arguments, asks the library, and prints. Refuses nothing itself.

mod io;
mod journal;

use clap::Subcommand;

pub use io::{Exit, Failure, Io, terminal};
pub use journal::JournalCommand;

/// What `toolgate` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read a journal of calls
    #[command(subcommand)]
    Journal(JournalCommand),
}

/// Runs a command, and says on standard error why it could not run.
pub fn run(command: &Command, io: &mut Io<'_>) -> Exit {
    let result = match command {
        Command::Journal(command) => command.run(io),
    };
    result.unwrap_or_else(|failure| {
        io.error(&failure);
        Exit::Failed
    })
}
