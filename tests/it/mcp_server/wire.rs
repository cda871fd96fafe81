//! A server process, and what goes over its standard streams.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

use serde_json::{Value, json};

/// How long an answer may take. Only a server that gives none needs it.
const PATIENCE: Duration = Duration::from_secs(30);

/// Which era a client is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    Legacy,
    Modern,
}

pub(crate) struct Wire {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    era: Era,
    forms: bool,
    next: u64,
    /// What came while something else was waited for.
    pub(crate) aside: Vec<Value>,
}

impl Wire {
    /// A process that has begun with a client of `era`, which shows forms or not.
    pub(crate) fn new(era: Era, forms: bool, arguments: &[&str]) -> Self {
        let mut wire = Self::silent(era, forms, arguments);
        if era == Era::Legacy {
            let capabilities = match forms {
                true => json!({ "elicitation": {} }),
                false => json!({}),
            };
            let params = json!({
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": { "name": "wire", "version": "1" },
            });
            let answer = wire.request("initialize", params);
            assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
            wire.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
        wire
    }

    /// A process to which nothing was said yet.
    pub(crate) fn silent(era: Era, forms: bool, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-fixture"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line).unwrap();
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
            era,
            forms,
            next: 1_000,
            aside: Vec::new(),
        }
    }

    /// The `_meta` that every request of a modern client has.
    pub(crate) fn meta(&self) -> Option<Value> {
        let capabilities = match self.forms {
            true => json!({ "elicitation": {} }),
            false => json!({}),
        };
        (self.era == Era::Modern).then(|| {
            json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": capabilities,
                "io.modelcontextprotocol/clientInfo": { "name": "wire", "version": "1" },
            })
        })
    }

    pub(crate) fn raw(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.raw(&message.to_string());
    }

    /// Sends a request; gives back its id.
    pub(crate) fn ask(&mut self, method: &str, mut params: Value) -> u64 {
        self.next += 1;
        if let Some(meta) = self.meta() {
            params["_meta"] = meta;
        }
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The next message.
    pub(crate) fn message(&mut self) -> Value {
        self.lines.recv_timeout(PATIENCE).expect("a message")
    }

    /// The answer to the request `id`.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.message();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.aside.push(message);
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// The result of a call.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// Whether the server still works.
    pub(crate) fn lives(&mut self) {
        let answer = self.call("add", json!({ "a": 20, "b": 22 }));
        assert_eq!(answer["result"]["structuredContent"]["sum"], 42, "{answer}");
    }

    /// Nobody writes any more; everything that still comes, and whether the process ended well.
    pub(crate) fn end(mut self) -> (Vec<Value>, bool) {
        drop(self.input.take());
        let rest = std::iter::from_fn(|| self.lines.recv_timeout(PATIENCE).ok()).collect();
        (rest, self.child.wait().unwrap().success())
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the runtime says of a failure, for programs.
pub(crate) fn facts(answer: &Value) -> &Value {
    &answer["result"]["_meta"]["dev.toolcontract/contract"]
}

/// The text of a result.
pub(crate) fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_default()
}
