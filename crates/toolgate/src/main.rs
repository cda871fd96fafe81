//! The program `toolgate`: parses arguments and calls the library.

use std::process::ExitCode;

use clap::Parser;
use toolgate::cli::{self, Command};

/// Governs the calls of tools
#[derive(Debug, Parser)]
#[command(name = "toolgate", version, after_help = cli::EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let Arguments { command } = Arguments::parse();
    cli::terminal(|io| cli::run(&command, io))
}
