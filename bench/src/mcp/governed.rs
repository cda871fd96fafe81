//! Tools that do nothing, behind the runtime: validated both ways, decided, written down.

use serde_json::Value;
use toolcontract_protocol::{Principal, Provenance, RiskLevel, ToolContract, ToolOutput};
use toolcontract_runtime::{
    authz::RiskCeiling,
    ctx::{AnyEvent, ToolCtx},
    mcp::server::{Server, Settings},
    registry::Registry,
    tool::{BoxFuture, DynTool},
};

use super::tools::{done, input, name, output};
use crate::Failure;

struct Nothing;

impl DynTool for Nothing {
    fn call<'a>(&'a self, _: Value, _: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput> {
        let data = done();
        let output = ToolOutput::with_data(data.to_string(), data);
        Box::pin(std::future::ready(output))
    }
}

/// # Errors
/// When the client does not begin.
pub async fn serve(count: usize) -> Result<(), Failure> {
    let mut builder = Registry::builder(RiskCeiling(RiskLevel::High));
    for number in 0..count {
        let contract = ToolContract {
            output_schema: Some(output()),
            ..ToolContract::declared(name(number), "Does nothing.", input())
        };
        builder = builder.dyn_tool(Provenance::Declared, contract, Nothing);
    }
    let settings = Settings::new(Principal::User, "governed", "1");
    Server::new(builder.build()?, settings)?
        .serve_stdio()
        .await?;
    Ok(())
}
