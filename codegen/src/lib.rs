//! Derives every surface of a tool catalog from its manifests.
//!
//! Data flows one way: `load` (crates/manifest: text to manifests with places) → [`model`]
//! (references resolved, names allocated, order fixed) → [`lint`] (the only maker of a
//! [`lint::CheckedModel`]) → [`emit`] (model to files in memory) → [`mod@write`] (the only door to
//! the disk). A room uses only rooms to its left; [`mod@derive`] runs them in this order, and
//! [`cli`] is what a person runs.
//!
//! The check as one test of yours:
//!
//! ```no_run
//! let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
//! toolcontract_codegen::check(root).unwrap();
//! ```
#![warn(missing_docs)]

mod check;
pub mod cli;
pub mod derive;
pub mod emit;
mod git;
pub mod lint;
pub mod model;
mod tokens;
pub mod write;

pub use check::{Drift, check};
