//! The same tools with `rmcp` and nothing else: no validation, no decision, no journal.

use std::sync::Arc;

use super::tools::{done, input, name, output};
use crate::Failure;
use rmcp::{
    RoleServer, ServerHandler, ServiceExt as _,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};

struct Bare(Vec<Tool>);

impl ServerHandler for Bare {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match self.0.iter().any(|tool| tool.name == request.name) {
            true => Ok(CallToolResult::structured(done()).into()),
            false => Err(ErrorData::invalid_params("there is no such tool", None)),
        }
    }
}

/// # Errors
/// When the client does not begin.
pub async fn serve(count: usize) -> Result<(), Failure> {
    let object = |value: serde_json::Value| value.as_object().cloned().unwrap_or_default();
    let (input, output) = (Arc::new(object(input())), Arc::new(object(output())));
    let tools = (0..count)
        .map(|number| {
            Tool::new(name(number), "Does nothing.", Arc::clone(&input))
                .with_raw_output_schema(Arc::clone(&output))
        })
        .collect();
    let service = Bare(tools).serve(rmcp::transport::stdio_pipes()).await?;
    service.waiting().await?;
    Ok(())
}
