//! A tool whose contract is data: a script, a tool of a server, a tool of a host.

use serde_json::Value;
use toolcontract_protocol::ToolOutput;

use super::{BoxFuture, Ran, Runner};
use crate::ctx::{AnyEvent, ToolCtx};

/// A tool whose contract is data.
pub trait DynTool: Send + Sync + 'static {
    /// Runs one call: valid, authorized, written down. A panic is caught and told as a defect.
    fn call<'a>(&'a self, input: Value, ctx: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput>;

    /// Digest of the definition that would run now, where it can change after registration: the
    /// text of a script, what a server lists. A call whose definition is no longer the registered
    /// one is refused. `None`: it cannot change.
    fn current_digest(&self) -> Option<String> {
        None
    }
}

/// Takes a dynamic tool for what dispatch runs.
pub(crate) struct Dynamic<T>(pub(crate) T);

impl<T: DynTool> Runner for Dynamic<T> {
    fn run<'a>(&'a self, input: Value, ctx: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, Ran> {
        Box::pin(async move { Ran::Returned(self.0.call(input, ctx).await) })
    }

    fn current_digest(&self) -> Option<String> {
        self.0.current_digest()
    }
}
