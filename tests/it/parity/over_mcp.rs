//! A case over MCP, line by line: a client that shows forms where somebody is there to answer.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
    duplex, split,
};
use tokio::task::JoinHandle;
use toolcontract_protocol::{Principal, Provenance, ToolOutput};
use toolcontract_runtime::{
    authz::NoAuthz,
    clock::ManualClock,
    journal::MemoryJournal,
    mcp::{
        META_KEY,
        server::{Server, Settings},
    },
    registry::Registry,
};

use super::surfaces::{Case, PATIENCE, Seen, masked};
use crate::runtime::fakes::{Does, Fake, Log, NOON, contract};

struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
}

impl Client {
    async fn send(&mut self, message: &str) {
        self.writer.write_all(message.as_bytes()).await.unwrap();
        self.writer.write_all(b"\n").await.unwrap();
    }

    async fn message(&mut self) -> Value {
        let line = self.lines.next_line().await.unwrap();
        serde_json::from_str(&line.expect("the server goes on")).unwrap()
    }
}

/// A server of `registry`, and a client that shows forms or not.
async fn connect(registry: Registry, shows_forms: bool) -> (Client, JoinHandle<()>) {
    let settings = Settings::new(Principal::User, "parity", "1");
    let server = Server::new(registry, settings).unwrap();
    let (near, far) = duplex(1 << 16);
    let serving = tokio::spawn(async move {
        let (reader, writer) = split(far);
        server.serve_lines(reader, writer).await.unwrap();
    });
    let (reader, writer) = split(near);
    let mut client = Client {
        lines: BufReader::new(reader).lines(),
        writer,
    };
    let capabilities = match shows_forms {
        true => json!({ "elicitation": {} }),
        false => json!({}),
    };
    let begin = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "clientInfo": { "name": "parity", "version": "1" },
        },
    });
    client.send(&begin.to_string()).await;
    client.message().await;
    let begun = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    client.send(&begun.to_string()).await;
    (client, serving)
}

#[tokio::test]
async fn g18_what_is_served_outward_has_its_hints_from_the_contract() {
    let log = Log::default();
    let mut builder = Registry::builder(NoAuthz);
    let facts = [
        (
            json!({ "name": "reads", "read_only": true, "idempotent": true, "open_world": false }),
            [true, false, true, false],
        ),
        (
            json!({ "name": "adds", "risk": "medium", "additive": true }),
            [false, false, false, true],
        ),
        (
            json!({ "name": "erases", "risk": "destructive" }),
            [false, true, false, true],
        ),
    ];
    for (facts, _) in &facts {
        let tool = Fake::new(Does::Return(ToolOutput::text("")), &log);
        builder = builder.dyn_tool(Provenance::Builtin, contract(facts.clone()), tool);
    }
    // What a contract of others says about itself is served at its worst.
    let tool = Fake::new(Does::Return(ToolOutput::text("")), &log);
    let declared = contract(json!({ "name": "claims", "read_only": true, "idempotent": true }));
    builder = builder.dyn_tool(Provenance::Declared, declared, tool);
    let (mut client, serving) = connect(builder.build().unwrap(), false).await;
    client
        .send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#)
        .await;
    let listed = client.message().await;
    drop(client);
    serving.await.unwrap();
    let hints = |name: &str| {
        let tools = listed["result"]["tools"].as_array().unwrap();
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        let hints = [
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        ];
        hints.map(|hint| tool["annotations"][hint].as_bool().expect("written"))
    };
    for (facts, expected) in facts {
        let name = facts["name"].as_str().unwrap();
        assert_eq!(hints(name), expected, "{name}");
    }
    assert_eq!(hints("claims"), [false, true, false, true]);
}

#[tokio::test]
async fn a_tool_that_overruns_is_stopped_for_a_client_too() {
    let clock = Arc::new(ManualClock::at(NOON));
    let log = Log::default();
    let registry = Registry::builder(NoAuthz)
        .clock(clock.clone())
        .dyn_tool(
            Provenance::Builtin,
            contract(json!({})),
            Fake::new(Does::Stop, &log),
        )
        .build()
        .unwrap();
    let (mut client, serving) = connect(registry, false).await;
    client
        .send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"probe"}}"#)
        .await;
    while log.count("tool ") == 0 {
        tokio::task::yield_now().await;
    }
    clock.advance(std::time::Duration::from_secs(600));
    let answer = client.message().await;
    assert_eq!(output(&answer)["error"]["code"], "deadline_exceeded");
    drop(client);
    serving.await.unwrap();
}

impl Case {
    pub(super) async fn over_mcp(&self) -> Seen {
        let journal = Arc::new(MemoryJournal::default());
        let clock = Arc::new(ManualClock::at(NOON));
        let registry = self.with_tool(&journal, &clock).build().unwrap();
        let (mut client, serving) = connect(registry, self.person.is_some()).await;
        let answer = self.call(&mut client, &clock).await;
        drop(client);
        serving.await.unwrap();
        Seen {
            output: output(&answer),
            journal: masked(&journal.entries()),
        }
    }

    async fn call(&self, client: &mut Client, clock: &ManualClock) -> Value {
        // The arguments are text: they may be no JSON that a value could hold.
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":{},"arguments":{}}}}}"#,
            json!(self.tool()),
            self.arguments()
        );
        client.send(&call).await;
        loop {
            let message = client.message().await;
            if message["method"] == "elicitation/create" {
                let said = match self.person.as_deref() {
                    Some("silent") => {
                        clock.advance(PATIENCE);
                        continue;
                    }
                    Some("approves") => {
                        json!({ "action": "accept", "content": { "approve": true } })
                    }
                    _ => json!({ "action": "decline" }),
                };
                let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": said });
                client.send(&answer.to_string()).await;
            } else if message.get("result").is_some() || message.get("error").is_some() {
                return message;
            }
        }
    }
}

/// The answer of the protocol, as the output that it tells.
fn output(answer: &Value) -> Value {
    let (text, facts) = match answer.get("error") {
        Some(error) => (error["message"].clone(), &error["data"][META_KEY]),
        None => {
            let result = &answer["result"];
            let text = result["content"][0]["text"].clone();
            if result["isError"] != true {
                let mut ok = json!({ "content": text });
                if let Some(data) = result.get("structuredContent") {
                    ok["data"] = data.clone();
                }
                return json!({ "ok": ok });
            }
            (text, &result["_meta"][META_KEY])
        }
    };
    let mut error = json!({ "message": text });
    let facts = facts.as_object().cloned().unwrap_or_default();
    error.as_object_mut().unwrap().extend(facts);
    json!({ "error": error })
}
