//! An MCP server with tools that do what a test wants to see. Standard streams, or with `--http`
//! an address of this machine, which it prints.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test program fails by panicking and tells by printing"
)]

use std::{
    sync::{Arc, OnceLock, atomic::AtomicU64, atomic::Ordering},
    time::Duration,
};

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::{
    ErrorClass, Principal, Provenance, RiskLevel, ToolContract, ToolOutput,
    event::TOOL_CALL_PROGRESS,
};
use toolcontract_runtime::{
    authz::NoAuthz,
    clock::{Clock, SystemClock},
    ctx::{AnyEvent, Progress, ToolCtx},
    journal::FileJournal,
    mcp::server::{Access, Server, Settings},
    registry::Registry,
    tool::{BoxFuture, DynTool},
};

/// What a tool does.
#[derive(Debug, Clone, Copy)]
enum Does {
    /// Adds two numbers.
    Add,
    /// Gives back a text.
    Say,
    /// Counts how often it ran; asks a person first.
    Erase,
    /// Says how far it is, step by step.
    Count,
    /// Runs until it is cancelled.
    Wait,
    /// Says how many calls of `wait` have begun, and how many were cancelled.
    Waited,
    /// Gives back what it did not promise.
    Broken,
    /// Cannot do its work.
    Fail,
    /// Gives back a list.
    Names,
    /// Has another tool served from now on.
    Grow,
}

const ALL: [(&str, Does); 10] = [
    ("add", Does::Add),
    ("say", Does::Say),
    ("erase", Does::Erase),
    ("count", Does::Count),
    ("wait", Does::Wait),
    ("waited", Does::Waited),
    ("broken", Does::Broken),
    ("fail", Does::Fail),
    ("names", Does::Names),
    ("grow", Does::Grow),
];

struct Tool {
    does: Does,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    erased: AtomicU64,
    waiting: AtomicU64,
    waited: AtomicU64,
    server: OnceLock<Server>,
    journal: OnceLock<Arc<FileJournal>>,
}

impl DynTool for Tool {
    fn call<'a>(&'a self, input: Value, ctx: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move { self.run(&input, ctx).await })
    }
}

impl Tool {
    async fn run(&self, input: &Value, ctx: &ToolCtx<AnyEvent>) -> ToolOutput {
        match self.does {
            Does::Add => {
                let number = |key| input.get(key).and_then(Value::as_i64).unwrap_or_default();
                let sum = json!({ "sum": number("a") + number("b") });
                ToolOutput::with_data(sum.to_string(), sum)
            }
            Does::Say => {
                let text = input.get("text").and_then(Value::as_str);
                ToolOutput::text(text.unwrap_or("nothing"))
            }
            Does::Erase => {
                let times = self.state.erased.fetch_add(1, Ordering::SeqCst) + 1;
                ToolOutput::text(format!("erased {times}"))
            }
            Does::Count => {
                for step in 1..=5 {
                    ctx.progress(Progress {
                        done: Some(step),
                        total: Some(5),
                        ..Progress::stage("counting")
                    });
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                ToolOutput::text("counted")
            }
            Does::Wait => {
                self.state.waiting.fetch_add(1, Ordering::SeqCst);
                ctx.cancellation().cancelled().await;
                self.state.waited.fetch_add(1, Ordering::SeqCst);
                ToolOutput::error(ErrorClass::Environment, "nobody wants it any more")
            }
            Does::Waited => {
                let began = self.state.waiting.load(Ordering::SeqCst);
                let ended = self.state.waited.load(Ordering::SeqCst);
                ToolOutput::text(format!("{began} {ended}"))
            }
            Does::Broken => {
                let data = json!({ "sum": "secret" });
                ToolOutput::with_data("secret", data)
            }
            Does::Fail => ToolOutput::error(ErrorClass::Environment, "the disk is gone"),
            Does::Names => {
                let names = json!(["a", "b"]);
                ToolOutput::with_data(names.to_string(), names)
            }
            Does::Grow => {
                if let Some(server) = self.state.server.get() {
                    server.replace(registry(&self.state, true));
                }
                ToolOutput::text("grown")
            }
        }
    }
}

fn contract(name: &str, does: Does) -> ToolContract {
    let text = json!({ "type": "string", "maxLength": 1_000_000 });
    let closed = |properties: Value, required: Value| json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties });
    let numbers = json!({ "a": { "type": "integer" }, "b": { "type": "integer" } });
    let sum = closed(json!({ "sum": { "type": "integer" } }), json!(["sum"]));
    let (input, output) = match does {
        Does::Add => (closed(numbers, json!(["a", "b"])), Some(sum)),
        Does::Broken => (closed(json!({}), json!([])), Some(sum)),
        Does::Say => (closed(json!({ "text": text }), json!(["text"])), None),
        Does::Erase => (closed(json!({ "what": text }), json!([])), None),
        Does::Names => {
            let list = json!({ "type": "array", "items": { "type": "string" } });
            (closed(json!({}), json!([])), Some(list))
        }
        Does::Count | Does::Wait | Does::Waited | Does::Fail | Does::Grow => {
            (closed(json!({}), json!([])), None)
        }
    };
    let asks = matches!(does, Does::Erase);
    ToolContract {
        output_schema: output,
        group: Some("test".to_owned()),
        read_only: !asks,
        open_world: false,
        risk: if asks {
            RiskLevel::High
        } else {
            RiskLevel::Low
        },
        requires_approval: asks,
        events: vec![TOOL_CALL_PROGRESS.to_owned()],
        ..ToolContract::declared(name, format!("Does {name}."), input)
    }
}

fn registry(state: &Arc<State>, grown: bool) -> Registry {
    let more = [("more", Does::Say)];
    let tools = ALL.iter().chain(more.iter().filter(|_| grown));
    let mut builder = tools.fold(Registry::builder(NoAuthz), |builder, (name, does)| {
        let state = Arc::clone(state);
        let tool = Tool { does: *does, state };
        builder.dyn_tool(Provenance::Builtin, contract(name, *does), tool)
    });
    if let Some(journal) = state.journal.get() {
        builder = builder.journal(Arc::clone(journal) as _);
    }
    builder.build().expect("the tools are sound")
}

fn millis(text: &str) -> Duration {
    Duration::from_millis(text.parse().expect("a number"))
}

#[tokio::main]
async fn main() {
    let state = Arc::new(State::default());
    let mut settings = Settings::new(Principal::User, "mcp-fixture", "1.2.3");
    let mut http = false;
    let mut access = Access::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().expect("a value");
        match argument.as_str() {
            "--http" => http = true,
            "--token" => access.token = Some(value()),
            "--sessions" => access.limits.sessions = value().parse().expect("a number"),
            "--connections" => access.limits.connections = value().parse().expect("a number"),
            "--head-ms" => access.limits.head_time = millis(&value()),
            "--body-ms" => access.limits.body_time = millis(&value()),
            "--idle-ms" => access.limits.session_idle = millis(&value()),
            "--page" => settings.page = value().parse().expect("a number"),
            "--journal" => {
                let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
                let journal = FileJournal::open(value().as_ref(), &clock).expect("a journal");
                let _ = state.journal.set(Arc::new(journal));
            }
            other => panic!("no argument `{other}`"),
        }
    }
    let server = Server::new(registry(&state, false), settings).expect("a server");
    let _ = state.server.set(server.clone());
    if http {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a port");
        println!("{}", listener.local_addr().expect("an address"));
        let over = CancellationToken::new();
        let served = server.serve_http(listener, access, over).await;
        served.expect("HTTP is served");
    } else {
        server.serve_stdio().await.expect("the client begins");
    }
}
