//! `cargo xtask bench`: speed and memory, each beside its baseline in the same run.

use clap::Args;
use toolcontract_codegen::cli::{Exit, Io};

/// Arguments of `bench`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Arguments {
    /// Only the benches whose name contains this
    filter: Option<String>,
}

/// One measurement.
struct Bench {
    /// What `bench FILTER` matches.
    name: &'static str,
    /// Measures and prints.
    run: fn(&mut Io<'_>) -> Exit,
}

/// Every bench, in the order in which they run.
const BENCHES: &[Bench] = &[];

/// Runs the benches that `arguments` ask for.
pub(crate) fn run(arguments: &Arguments, io: &mut Io<'_>) -> Exit {
    let is_asked = |bench: &&Bench| {
        let filter = arguments.filter.as_deref().unwrap_or_default();
        bench.name.contains(filter)
    };
    let asked: Vec<&Bench> = BENCHES.iter().filter(is_asked).collect();
    if asked.is_empty() {
        io.note("cargo xtask bench: there is no such bench");
        return Exit::Failed;
    }
    for bench in asked {
        match (bench.run)(io) {
            Exit::Clean => {}
            other => return other,
        }
    }
    Exit::Clean
}
