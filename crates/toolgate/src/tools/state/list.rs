//! `list_state`: which entries there are.

use std::sync::Arc;

use stella_contracts::list_state::{Contract, Input, Output, OutputEntry};
use toolcontract_runtime::{
    ctx::ToolCtx,
    tool::{Tool, ToolError},
};

use super::Store;

/// `list_state` of a store.
#[derive(Debug)]
pub struct ListState(pub Arc<Store>);

impl Tool for ListState {
    type Contract = Contract;

    async fn call(&self, _: Input, ctx: &ToolCtx) -> Result<Output, ToolError> {
        let entries = self.0.list(ctx.session_id()).into_iter();
        let entries = entries.map(|(key, bytes)| OutputEntry {
            key,
            bytes: bytes as u64,
        });
        Ok(Output {
            entries: entries.collect(),
        })
    }
}
