//! The same call through the Rust SDK of MCP, client and server in one process: what a program
//! pays that keeps its tools behind MCP.

use std::{hint::black_box, time::Instant};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt as _,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ServerCapabilities,
        ServerConfig,
    },
    service::RequestContext,
};

use super::{call::INPUT, percentile::Times};
use crate::Failure;

/// A server with a tool that does nothing.
struct Server;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        black_box(request.arguments);
        Ok(CallToolResult::success(vec![ContentBlock::text("done")]).into())
    }
}

pub async fn calls(warm: usize, calls: usize) -> Result<Times, Failure> {
    let (near, far) = tokio::io::duplex(1 << 16);
    let server = tokio::spawn(async move {
        let running = Server.serve(far).await;
        if let Ok(running) = running {
            let _ = running.waiting().await;
        }
    });
    let client = ().serve(near).await?;
    let mut times = Times::with_room(calls);
    for round in 0..warm + calls {
        let start = Instant::now();
        let arguments = serde_json::from_str(black_box(INPUT))?;
        let request = CallToolRequestParams::new("read_file").with_arguments(arguments);
        black_box(client.call_tool(request).await?);
        if round >= warm {
            times.push(start.elapsed());
        }
    }
    client.cancel().await?;
    server.abort();
    Ok(times)
}
