//! `cargo xtask bench`: speed and memory, each beside its baseline in the same run. The benches
//! are a program of their own below `bench/`, so that nothing else builds what only they need.

use clap::Args;

use crate::step::Step;

/// Arguments of `bench`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Arguments {
    /// Only the groups whose name contains this: generation, catalog, compile, fresh and others
    filter: Option<String>,
}

/// Builds the benches and runs those that `arguments` ask for.
pub(crate) fn steps(arguments: &Arguments) -> Vec<Step> {
    let run = Step::new("cargo run --quiet --release --locked --manifest-path bench/Cargo.toml --");
    vec![run.argument(arguments.filter.as_deref().unwrap_or_default())]
}
