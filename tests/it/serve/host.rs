//! A host on the other end of the wire, with an HTTP client that is not ours. Every frame and every
//! answer that it sees is judged by the schemas in `generated/wire`.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::Duration,
};

use bytes::Bytes;
use futures_util::StreamExt as _;
use http_body_util::{BodyExt as _, Full};
use hyper::{Request, Response, StatusCode, body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use sse_stream::SseStream;
use tokio::{net::TcpStream, task::JoinHandle};
use tokio_util::sync::CancellationToken;
use toolcontract_runtime::{
    authz::AuthzGate,
    clock::{Clock as _, ManualClock},
    journal::MemoryJournal,
    registry::{Builder, Registry},
    serve::{Driver, Observer, Scripted, ServeLimits, Server, Token},
};
use toolcontract_schema::{Formats, Validator};

use crate::runtime::fakes::NOON;
pub(crate) use crate::runtime::fakes::probe;

pub(crate) const TOKEN: &str = "a-token-for-tests-only";

/// A server on a free port, which ends with the test.
pub(crate) struct Bed {
    pub(crate) address: SocketAddr,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) journal: Arc<MemoryJournal>,
    pub(crate) observer: Observer,
    pub(crate) end: CancellationToken,
    pub(crate) running: JoinHandle<()>,
}

impl Bed {
    /// A server whose calls `gate` decides and whose engine plays the body's script.
    pub(crate) async fn new(gate: impl AuthzGate + Clone + 'static) -> Self {
        Self::with(gate, Scripted, |limits| limits).await
    }

    pub(crate) async fn with(
        gate: impl AuthzGate + Clone + 'static,
        driver: impl Driver,
        limits: impl FnOnce(ServeLimits) -> ServeLimits,
    ) -> Self {
        Self::begun(move || Registry::builder(gate.clone()), driver, limits).await
    }

    pub(crate) async fn begun(
        begin: impl Fn() -> Builder + Send + Sync + 'static,
        driver: impl Driver,
        limits: impl FnOnce(ServeLimits) -> ServeLimits,
    ) -> Self {
        let clock = Arc::new(ManualClock::at(NOON));
        let journal = Arc::new(MemoryJournal::default());
        let kept = journal.clone();
        let listening = Server::new(
            Token::new(TOKEN).unwrap(),
            move |_| begin().journal(kept.clone()),
            driver,
        )
        .limits(limits(ServeLimits::default()))
        .clock(clock.clone())
        .bind("127.0.0.1:0")
        .await
        .unwrap();
        let end = CancellationToken::new();
        Self {
            address: listening.address(),
            observer: listening.observer(),
            clock,
            journal,
            running: tokio::spawn(listening.run(end.clone())),
            end,
        }
    }

    /// How much time has passed.
    pub(crate) fn clock_moved(&self) -> Duration {
        self.clock.monotonic()
    }

    pub(crate) fn host(&self) -> Host {
        Host {
            address: self.address,
            headers: vec![("authorization".to_owned(), format!("Bearer {TOKEN}"))],
        }
    }
}

/// Whoever speaks to the server.
#[derive(Clone)]
pub(crate) struct Host {
    address: SocketAddr,
    headers: Vec<(String, String)>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    /// The body of a success; it is what `kind` says.
    #[track_caller]
    pub(crate) fn ok(self, kind: &str) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        judge(kind, &self.body);
        self.body
    }

    /// The code of a refusal with `status`.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16) -> &str {
        assert_eq!(self.status, status, "{}", self.body);
        judge("RequestError", &self.body);
        self.code()
    }
}

impl Host {
    pub(crate) fn header(&self, name: &str, value: &str) -> Self {
        let mut host = self.clone();
        host.headers.retain(|(known, _)| known != name);
        if !value.is_empty() {
            host.headers.push((name.to_owned(), value.to_owned()));
        }
        host
    }

    async fn exchange(
        &self,
        method: &str,
        path: &str,
        body: impl Into<Bytes>,
    ) -> (Response<Incoming>, JoinHandle<()>) {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        let connection = tokio::spawn(async move {
            let _ = connection.await;
        });
        let mut request = Request::builder().method(method).uri(path);
        if self.headers.iter().all(|(name, _)| name != "host") {
            request = request.header("host", self.address.to_string());
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(body.into())).unwrap();
        let response = sender.send_request(request).await.unwrap();
        // Without a sender the connection ends with the response.
        (response, connection)
    }

    pub(crate) async fn send(&self, method: &str, path: &str, body: impl Into<Bytes>) -> Answer {
        let (response, _) = self.exchange(method, path, body).await;
        let (head, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let headers = head.headers.iter().map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.to_string(), value)
        });
        Answer {
            status: head.status.as_u16(),
            headers: headers.collect(),
            body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, body.to_string()).await
    }

    /// Opens a turn.
    pub(crate) async fn turn(&self, body: Value) -> String {
        let opened = self.post("/v1/turns", &body).await.ok("TurnCreated");
        opened["turn_id"].as_str().unwrap().to_owned()
    }

    /// The frames of a turn after `after`.
    pub(crate) async fn frames(&self, turn: &str, after: u64) -> Frames {
        let path = format!("/v1/turns/{turn}/events?after={after}");
        self.frames_at(&path).await
    }

    async fn frames_at(&self, path: &str) -> Frames {
        let (response, connection) = self.exchange("GET", path, "").await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        Frames {
            stream: Box::pin(SseStream::new(response.into_body())),
            connection,
        }
    }

    /// The frames at `path`, unless somebody else reads them.
    pub(crate) async fn get_head(&self, path: &str) -> Option<Frames> {
        let (response, connection) = self.exchange("GET", path, "").await;
        (response.status() == StatusCode::OK).then(|| Frames {
            stream: Box::pin(SseStream::new(response.into_body())),
            connection,
        })
    }

    /// Answers a `tool_request`.
    pub(crate) async fn result(&self, turn: &str, request: &Value, output: Value) -> Answer {
        let body = json!({ "request_id": request["request_id"], "output": output });
        self.post(&format!("/v1/turns/{turn}/tool-result"), &body)
            .await
    }

    /// Opens a turn with one call and reads it to its end; `run` is what the host's tool does.
    pub(crate) async fn one_call(
        &self,
        body: Value,
        run: impl Fn(&Value) -> Value,
    ) -> (Vec<Value>, Value) {
        let turn = self.turn(body).await;
        let mut frames = self.frames(&turn, 0).await;
        let mut seen = Vec::new();
        while let Some(frame) = frames.next().await {
            if frame["type"] == "tool_request" {
                self.result(&turn, &frame, run(&frame)).await.ok("Accepted");
            }
            seen.push(frame);
        }
        let last = seen.last().cloned().unwrap();
        assert_eq!(last["type"], "turn_complete", "{last}");
        (seen, last["outcome"].clone())
    }
}

/// The frames of a turn. Dropping it disconnects.
pub(crate) struct Frames {
    stream: std::pin::Pin<Box<SseStream<Incoming>>>,
    connection: JoinHandle<()>,
}

impl Frames {
    /// The next frame; none when the stream ended.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            let sse = self.stream.next().await?.ok()?;
            // A line that only keeps the connection open.
            let Some(data) = sse.data else { continue };
            let frame: Value = serde_json::from_str(&data).expect("a frame is JSON");
            judge("ServerFrame", &frame);
            let seq = frame["seq"].as_u64().map(|seq| seq.to_string());
            assert_eq!(sse.id, seq, "{frame}");
            return Some(frame);
        }
    }

    /// The next frame of type `kind`.
    pub(crate) async fn until(&mut self, kind: &str) -> Value {
        loop {
            let frame = self.next().await.expect("the stream goes on");
            if frame["type"] == kind {
                return frame;
            }
        }
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

/// `value` is what the committed wire schema of `kind` says.
#[track_caller]
pub(crate) fn judge(kind: &str, value: &Value) {
    static SCHEMAS: OnceLock<BTreeMap<String, Validator>> = OnceLock::new();
    let schemas = SCHEMAS.get_or_init(|| {
        let wire = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../generated/wire");
        let read = |path: &str| -> Value {
            let text = std::fs::read_to_string(wire.join(path)).expect("a wire schema");
            serde_json::from_str(&text).expect("JSON")
        };
        let index = read("index.json");
        let protocol = index["protocol"].as_object().expect("an index");
        let compile = |path: &Value| {
            let schema = read(path.as_str().expect("a path"));
            Validator::compile(&schema, Formats::Assert).expect("it compiles")
        };
        let all = protocol.iter();
        all.map(|(name, path)| (name.clone(), compile(path)))
            .collect()
    });
    if let Err(violations) = schemas[kind].validate(value, 8) {
        panic!("no {kind}: {violations}: {value}");
    }
}

/// A body with one call of `probe`.
pub(crate) fn probing(facts: Value, input: Value) -> Value {
    json!({
        "principal": "acct_9",
        "tools": [probe(facts)],
        "script": [{ "tool": "probe", "input": input }],
    })
}

pub(crate) fn text(content: &str) -> Value {
    json!({ "ok": { "content": content } })
}

/// The output of the only call of a script.
pub(crate) fn output(outcome: &Value) -> &Value {
    &outcome["outputs"][0]["output"]
}
