//! `cargo xtask test`: every test, of every language.

use clap::Args;

use crate::step::Step;

/// Arguments of `test`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Arguments {
    /// Also those that take minutes, as continuous integration does
    #[arg(long)]
    all: bool,
}

/// The tests of the workspace, then those that Node runs.
pub(crate) fn steps(arguments: &Arguments) -> Vec<Step> {
    let mut steps = vec![
        // The Rust tests type-check TypeScript, so the packages come first.
        Step::new("npm ci --prefix tests/js --no-audit --no-fund")
            .unless_exists("tests/js/node_modules"),
        Step::new("cargo test --workspace --locked"),
    ];
    if arguments.all {
        steps.push(Step::new(
            "cargo test --package tests --locked -- --ignored",
        ));
    }
    steps.push(Step::new("npm test --prefix tests/js"));
    steps
}

/// Every test that there is.
pub(crate) fn all() -> Vec<Step> {
    steps(&Arguments { all: true })
}
