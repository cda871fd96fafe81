//! The program `toolcontract`: parses arguments and calls the library.

use std::process::ExitCode;

use clap::Parser;
use toolcontract_codegen::cli::{self, Command, Global, Program};

#[cfg(feature = "allocator")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Derives every surface of a tool catalog from its manifests
#[derive(Debug, Parser)]
#[command(
    name = "toolcontract",
    version,
    after_help = "Examples:\n  toolcontract init          make a project here\n  toolcontract gen           generate every surface\n  toolcontract gen --check   say what is stale; for continuous integration"
)]
struct Arguments {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let Arguments { global, command } = Arguments::parse();
    cli::terminal(|io| cli::run(Program::Toolcontract, &global, &command, io))
}
