//! An adopted tool while it is in use: before every call the ledger is asked again.

use serde_json::Value;
use toolcontract_protocol::ToolOutput;

use super::Ledger;
use crate::{
    ctx::{AnyEvent, ToolCtx},
    tool::{BoxFuture, DynTool},
};

/// A tool that runs only while the ledger has it enabled with its pin; counts its calls there.
#[derive(Debug)]
pub struct Pinned<T> {
    tool: T,
    name: String,
    digest: String,
    ledger: Ledger,
}

impl<T: DynTool> Pinned<T> {
    /// `tool` with the name and the pin under which it is adopted.
    #[must_use]
    pub fn new(tool: T, name: &str, digest: &str, ledger: Ledger) -> Self {
        Self {
            tool,
            name: name.to_owned(),
            digest: digest.to_owned(),
            ledger,
        }
    }
}

impl<T: DynTool> DynTool for Pinned<T> {
    fn call<'a>(&'a self, input: Value, ctx: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move {
            let output = self.tool.call(input, ctx).await;
            // A count that is lost stops no call.
            let _ = self.ledger.count(&self.name, !output.is_ok());
            output
        })
    }

    fn current_digest(&self) -> Option<String> {
        match self.ledger.has(&self.name, &self.digest) {
            true => self.tool.current_digest(),
            false => Some("withdrawn".to_owned()),
        }
    }
}
