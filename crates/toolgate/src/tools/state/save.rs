//! `save_state`: stores an entry.

use std::sync::Arc;

use stella_contracts::{
    events::StateUpdated,
    save_state::{Contract, Event, Input, Output},
};
use toolcontract_runtime::{
    ctx::ToolCtx,
    tool::{Tool, ToolError},
};

use super::Store;

/// `save_state` into a store.
#[derive(Debug)]
pub struct SaveState(pub Arc<Store>);

impl Tool for SaveState {
    type Contract = Contract;

    async fn call(&self, input: Input, ctx: &ToolCtx<Event>) -> Result<Output, ToolError> {
        let replaced = self.0.put(ctx.session_id(), &input.key, &input.content)?;
        let bytes = input.content.len() as u64;
        ctx.emit(&Event::StateUpdated(StateUpdated {
            key: input.key.clone(),
            bytes,
            replaced,
        }));
        Ok(Output {
            key: input.key,
            bytes,
            replaced,
        })
    }
}
