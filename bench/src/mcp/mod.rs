//! Servers of tools that do nothing, each in a process of its own, and a client that asks them over
//! standard streams.

mod bare;
pub mod client;
pub mod front;
mod governed;
mod tools;

use crate::Failure;

/// Inner use: serves `tools` tools on standard streams, as `kind` says.
///
/// # Errors
/// When there is no such kind, or it does not serve.
pub fn serve(kind: &str, tools: &str) -> Result<(), Failure> {
    let tools: usize = tools.parse()?;
    let (mut many, mut one) = (
        tokio::runtime::Builder::new_multi_thread(),
        tokio::runtime::Builder::new_current_thread(),
    );
    match kind {
        // On one thread, as `toolgate mcp` serves.
        "governed" => one.enable_all().build()?.block_on(governed::serve(tools)),
        // On many, as the guide of `rmcp` has it.
        "bare" => many.enable_all().build()?.block_on(bare::serve(tools)),
        "bare-one" => one.enable_all().build()?.block_on(bare::serve(tools)),
        other => Err(format!("there is no server `{other}`").into()),
    }
}
