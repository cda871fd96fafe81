//! `cargo xtask cedar`: the Cedar gate, which is a workspace of its own because Cedar costs minutes
//! to build. Everything else of this repository builds without it.

use crate::step::Step;

/// Format and tests of `crates/cedar`.
pub(crate) fn steps() -> Vec<Step> {
    vec![
        Step::new("cargo fmt --manifest-path crates/cedar/Cargo.toml --check"),
        Step::new(
            "cargo test --locked --manifest-path crates/cedar/Cargo.toml --target-dir target/cedar",
        ),
    ]
}
