//! `cargo xtask ci`: what continuous integration runs, in the order in which it is quick to fail.

use crate::{cedar, step::Step, test};

/// Format, lints, docs, drift, tests, and the gate that is built apart.
pub(crate) fn steps() -> Vec<Step> {
    let mut steps = vec![
        Step::new("cargo fmt --all --check"),
        Step::new("cargo clippy --workspace --all-targets --locked -- -D warnings"),
        // Sets of features that nothing else here builds.
        lint_runtime(""),
        lint_runtime("serve"),
        lint_runtime("mcp"),
        Step::new("cargo doc --workspace --no-deps --locked").env("RUSTDOCFLAGS", "-D warnings"),
        Step::new("cargo xtask gen --check --diff --deny warnings"),
        // The other set of features gives the same bytes.
        Step::new(
            "cargo run --package toolcontract-codegen --no-default-features --locked -- gen --check",
        ),
    ];
    steps.extend(test::all());
    steps.extend(cedar::steps());
    steps
}

/// The lints of the runtime alone, with `features`.
fn lint_runtime(features: &str) -> Step {
    Step::new("cargo clippy --package toolcontract-runtime --no-default-features --locked")
        .argument(&format!("--features={features}"))
        .argument("--")
        .argument("-Dwarnings")
}
