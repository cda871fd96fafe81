//! Speed and memory, each beside a baseline that is measured in the same run. Run by
//! `cargo xtask bench [FILTER]`; prints ratios, fails only when something could not run.

mod compile;
mod floor;
mod fresh;
mod generation;
mod measure;
mod peers;
mod synthetic;
mod typify_baseline;

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;

/// Speed and memory, beside baselines of the same run
#[derive(Debug, Parser)]
struct Arguments {
    /// Only the benches whose name contains this
    #[arg(default_value = "")]
    filter: String,
    /// Inner use: make Rust from a folder of schemas with typify, and print the milliseconds
    #[arg(long, hide = true, num_args = 2, value_names = ["SCHEMAS", "OUT"])]
    typify: Option<Vec<PathBuf>>,
    /// Inner use: read two folders and compare
    #[arg(long, hide = true, num_args = 2, value_names = ["MANIFESTS", "GENERATED"])]
    floor: Option<Vec<PathBuf>>,
}

/// Why a bench could not run.
type Failure = Box<dyn std::error::Error>;

/// A name and the function that measures and prints.
type Bench = (&'static str, fn() -> Result<(), Failure>);

/// Every bench, in the order in which they run.
const BENCHES: &[Bench] = &[
    ("generation-of-500", generation::synthetic),
    ("generation-of-the-catalog", generation::catalog),
    ("check-of-generated-rust", compile::generated_rust),
    ("gen-in-a-fresh-clone", fresh::clone),
];

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("bench: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some([schemas, out]) = arguments.typify.as_deref() {
        return typify_baseline::generate(schemas, out);
    }
    if let Some([manifests, generated]) = arguments.floor.as_deref() {
        return floor::read_and_compare(manifests, generated);
    }
    let asked: Vec<&Bench> = BENCHES
        .iter()
        .filter(|(name, _)| name.contains(&arguments.filter))
        .collect();
    if asked.is_empty() {
        let names: Vec<&str> = BENCHES.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "there is no bench `{}`; there are {}",
            arguments.filter,
            names.join(", ")
        )
        .into());
    }
    for (name, bench) in asked {
        println!("== {name}");
        bench()?;
        println!();
    }
    Ok(())
}
