//! `cargo xtask test`: every test, of every language.

use crate::step::Step;

/// The tests of the workspace, then those that Node runs.
pub(crate) fn steps() -> Vec<Step> {
    vec![
        // The Rust tests type-check TypeScript, so the packages come first.
        Step::new("npm ci --prefix tests/js --no-audit --no-fund")
            .unless_exists("tests/js/node_modules"),
        Step::new("cargo test --workspace --locked"),
        Step::new("npm test --prefix tests/js"),
    ]
}
