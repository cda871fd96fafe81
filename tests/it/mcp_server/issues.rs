//! Public bug reports about calls: each ends as the report says that it should.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use toolcontract_protocol::{Principal, Provenance, ToolContract, ToolOutput};
use toolcontract_runtime::{
    authz::NoAuthz,
    ctx::{AnyEvent, ToolCtx},
    mcp::server::{Server, Settings},
    registry::Registry,
    tool::{BoxFuture, DynTool},
};

struct Gives(ToolOutput);

impl DynTool for Gives {
    fn call<'a>(&'a self, _: Value, _: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(std::future::ready(self.0.clone()))
    }
}

/// A server of one tool `x`.
fn server(case: &Value) -> Server {
    let input = case.get("input").cloned();
    let input = input.unwrap_or_else(|| json!({ "type": "object" }));
    let gives = case.get("gives").cloned();
    let gives = gives.map(|gives| serde_json::from_value(gives).unwrap());
    let contract = ToolContract {
        output_schema: case.get("output").cloned(),
        ..ToolContract::declared("x", "Does x.", input)
    };
    let tool = Gives(gives.unwrap_or_else(|| ToolOutput::text("ran")));
    let registry = Registry::builder(NoAuthz).dyn_tool(Provenance::Declared, contract, tool);
    let settings = Settings::new(Principal::User, "issues", "1");
    Server::new(registry.build().unwrap(), settings).unwrap()
}

/// The answer to one call of an earlier client, in this process.
async fn answer(server: Server, call: &Value) -> Value {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(theirs);
    let served = tokio::spawn(async move { server.serve_lines(reader, writer).await });
    let (reader, mut writer) = tokio::io::split(ours);
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    for message in [
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call }),
    ] {
        let line = format!("{message}\n");
        writer.write_all(line.as_bytes()).await.unwrap();
    }
    let mut lines = BufReader::new(reader).lines();
    loop {
        let line = lines.next_line().await.unwrap().expect("an answer");
        let message: Value = serde_json::from_str(&line).unwrap();
        if message["id"] == 1 {
            drop((writer, lines));
            served.await.unwrap().unwrap();
            return message;
        }
    }
}

#[tokio::test]
async fn reports_about_calls_end_as_they_should() {
    let cases = include_str!("../../data/mcp_server/issues.json");
    for case in serde_json::from_str::<Vec<Value>>(cases).unwrap() {
        let id = case["id"].as_str().unwrap();
        let answer = answer(server(&case), &case["call"]).await;
        let result = &answer["result"];
        let facts = &result["_meta"]["dev.toolcontract/contract"];
        for (key, expected) in case["expect"].as_object().unwrap() {
            let got = match key.as_str() {
                "error" => &answer["error"]["code"],
                "isError" => &result["isError"],
                "structured" => &result["structuredContent"],
                "says" => {
                    let said = result["content"][0]["text"].as_str().unwrap();
                    assert!(said.contains(expected.as_str().unwrap()), "{id}: {answer}");
                    continue;
                }
                fact => &facts[fact],
            };
            assert_eq!(got, expected, "{id}: {answer}");
        }
        if result["isError"] == true {
            assert!(result.get("structuredContent").is_none(), "{id}: {answer}");
        }
    }
}
