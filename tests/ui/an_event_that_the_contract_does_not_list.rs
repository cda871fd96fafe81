//~ E0308
//! A tool without events emits none.
use toolcontract_runtime::ctx::{AnyEvent, ToolCtx};

pub fn emit(ctx: &ToolCtx, event: &AnyEvent) -> bool {
    ctx.emit(event)
}
