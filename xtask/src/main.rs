//! `cargo xtask`: the generator's commands, and the tasks of this repository.

mod bench;
mod cedar;
mod ci;
mod step;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use toolcontract_codegen::cli::{self, Global, Program};

/// The tasks of this repository
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    after_help = "Examples:\n  cargo xtask gen     generate every surface\n  cargo xtask check   say what is stale\n  cargo xtask test    every test, of every language\n  cargo xtask ci      what continuous integration runs"
)]
struct Arguments {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    #[command(flatten)]
    Generator(cli::Command),
    /// Run every test: of the workspace, then the ones in TypeScript and JavaScript
    Test(test::Arguments),
    /// Run what continuous integration runs: format, lints, docs, drift, tests
    Ci,
    /// Build and test the Cedar gate, a workspace of its own
    Cedar,
    /// Measure speed and memory
    Bench(bench::Arguments),
}

fn main() -> ExitCode {
    let Arguments { global, task } = Arguments::parse();
    cli::terminal(|io| match task {
        Task::Generator(command) => cli::run(Program::CargoXtask, &global, &command, io),
        Task::Test(arguments) => step::run_all(&test::steps(&arguments), io),
        Task::Ci => step::run_all(&ci::steps(), io),
        Task::Cedar => step::run_all(&cedar::steps(), io),
        Task::Bench(arguments) => step::run_all(&bench::steps(&arguments), io),
    })
}
