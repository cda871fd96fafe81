//! What is measured, a file a group. To add one: a file with a `GROUP`, named here.

mod catalog;
mod compile;
mod fresh;
mod generation;
pub mod growth;
mod mcp;
mod parse;
mod proxy;
mod runtime;
mod schemas;
mod serve;
mod start;

use crate::{Failure, row::Row};

/// What belongs together and is measured in one go.
#[derive(Debug)]
pub struct Group {
    /// What a person types to run it alone.
    pub name: &'static str,
    /// What it measures, in a sentence.
    pub about: &'static str,
    /// Measures, and gives the figures with their limits. Baselines are measured in the same run.
    pub run: fn() -> Result<Vec<Row>, Failure>,
}

/// Every group, in the order in which they run.
pub const GROUPS: &[Group] = &[
    generation::GROUP,
    catalog::GROUP,
    compile::GROUP,
    schemas::GROUP,
    growth::GROUP,
    parse::GROUP,
    fresh::GROUP,
    serve::GROUP,
    mcp::GROUP,
    runtime::GROUP,
    proxy::GROUP,
    start::GROUP,
];
