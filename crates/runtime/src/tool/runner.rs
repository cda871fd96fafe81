//! The one form in which dispatch knows a tool.

use serde_json::Value;
use toolcontract_protocol::ToolOutput;

use super::BoxFuture;
use crate::ctx::{AnyEvent, ToolCtx};

/// What dispatch runs.
pub(crate) trait Runner: Send + Sync {
    fn run<'a>(&'a self, input: Value, ctx: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, Ran>;

    fn current_digest(&self) -> Option<String>;

    /// Whether whoever runs the tool asks people of their own where the contract says so, and the
    /// session that they opened said that they do. It answers for `requires_approval` alone.
    fn asks_its_own_people(&self) -> bool {
        false
    }
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum Ran {
    /// The tool ran.
    Returned(ToolOutput),
    /// The tool's type does not take an input that its schema accepts. The tool did not run.
    NotTaken,
}
