//! The commands: each reads its arguments, asks the library, and prints. Refuses nothing itself.

mod adopt;
mod adopt_script;
mod adopt_served;
mod adopted;
mod call;
mod contracts;
mod examples;
mod governance;
mod interrupt;
mod io;
mod journal;
mod journal_show;
mod list;
mod mcp;
mod new_file;
mod offers;
mod person;
mod policy;
mod principal;
mod proxy;
mod scan;
mod scripts;
mod serve;
mod settings;
mod unmet;
mod upstream;
mod why;

use clap::Subcommand;

pub use adopt::Adopt;
pub use call::Call;
pub use examples::EXIT_CODES;
pub use governance::{Governance, Rules};
pub use io::{Exit, Failure, Io, terminal};
pub use journal::JournalCommand;
pub use list::List;
pub use mcp::Mcp;
pub use policy::PolicyCommand;
pub use proxy::Proxy;
pub use scan::Scan;
pub use scripts::ScriptArgs;
pub use serve::Serve;
pub use why::WhyCommand;

/// What `toolgate` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make one governed call
    #[command(after_help = examples::CALL)]
    Call(Call),
    /// List the tools, and the facts that decide about them
    #[command(after_help = examples::LIST)]
    List(List),
    /// Look at a tool, give it a grade and enable it
    #[command(after_help = examples::ADOPT)]
    Adopt(Adopt),
    /// List the adopted tools, how they stand, and what they did since
    #[command(after_help = examples::ADOPTED)]
    Adopted(adopted::List),
    /// Take a tool out of the adopted ones
    #[command(after_help = examples::WITHDRAW)]
    Withdraw(adopted::Withdraw),
    /// Serve sessions over HTTP to hosts that run their own tools
    #[command(after_help = examples::SERVE)]
    Serve(Serve),
    /// Serve the tools to MCP clients
    #[command(after_help = examples::MCP)]
    Mcp(Mcp),
    /// Stand in front of an MCP server and govern its tools
    #[command(after_help = examples::PROXY)]
    Proxy(Proxy),
    /// Say what to look at before the tools of an MCP server are let in
    #[command(after_help = examples::SCAN)]
    Scan(Scan),
    /// Read a journal of calls
    #[command(subcommand)]
    Journal(JournalCommand),
    /// Check a policy, or start one
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Say what would be decided about a call, and which line of the policy decides
    #[command(after_help = examples::WHY)]
    Why(WhyCommand),
}

/// Runs a command, and says on standard error why it could not run.
pub fn run(command: &Command, io: &mut Io<'_>) -> Exit {
    let result = match command {
        Command::Call(command) => command.run(io),
        Command::List(command) => command.run(io),
        Command::Adopt(command) => command.run(io),
        Command::Adopted(command) => command.run(io),
        Command::Withdraw(command) => command.run(io),
        Command::Serve(command) => command.run(io),
        Command::Mcp(command) => command.run(io),
        Command::Proxy(command) => command.run(io),
        Command::Scan(command) => command.run(io),
        Command::Journal(command) => command.run(io),
        Command::Policy(command) => command.run(io),
        Command::Why(command) => command.run(io),
    };
    result.unwrap_or_else(|failure| {
        io.error(&failure);
        Exit::Failed
    })
}
