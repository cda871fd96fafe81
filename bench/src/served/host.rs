//! A host, with an HTTP client that is not ours.

use std::{net::SocketAddr, pin::Pin};

use bytes::Bytes;
use futures_util::StreamExt as _;
use http_body_util::{BodyExt as _, Full};
use hyper::{Request, Response, body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use sse_stream::SseStream;
use tokio::net::TcpStream;

use super::bed::TOKEN;
use crate::Failure;

/// A fault that may cross threads.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;

/// A host with one connection for requests, beside those for streams.
pub struct Host {
    address: SocketAddr,
    sender: http1::SendRequest<Full<Bytes>>,
}

impl Host {
    /// # Errors
    /// When the server does not take the connection.
    pub async fn connect(address: SocketAddr) -> Result<Self, Fault> {
        Ok(Self {
            address,
            sender: open(address).await?,
        })
    }

    /// # Errors
    /// When the answer is no success, or no JSON.
    pub async fn send(&mut self, method: &str, path: &str, body: &Value) -> Result<Value, Fault> {
        self.sender.ready().await?;
        let request = request(method, path, body.to_string())?;
        let response = self.sender.send_request(request).await?;
        let status = response.status();
        let bytes = response.into_body().collect().await?.to_bytes();
        match status.is_success() {
            true => Ok(serde_json::from_slice(&bytes)?),
            false => Err(format!("{path}: {status}: {}", String::from_utf8_lossy(&bytes)).into()),
        }
    }

    /// Opens a turn with the tool `probe`.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub async fn turn(&mut self, also: Value) -> Result<String, Fault> {
        let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } } });
        let mut body = json!({
            "tools": [{ "name": "probe", "description": "Probes.", "input_schema": schema }],
        });
        if let (Some(body), Value::Object(also)) = (body.as_object_mut(), also) {
            body.extend(also);
        }
        let opened = self.send("POST", "/v1/turns", &body).await?;
        Ok(opened["turn_id"].as_str().unwrap_or_default().to_owned())
    }

    /// # Errors
    /// When the server does not stream.
    pub async fn frames(&self, turn: &str) -> Result<Frames, Fault> {
        let mut sender = open(self.address).await?;
        let path = format!("/v1/turns/{turn}/events");
        let response: Response<Incoming> = sender
            .send_request(request("GET", &path, String::new())?)
            .await?;
        Ok(Frames(Box::pin(SseStream::new(response.into_body()))))
    }

    /// # Errors
    /// As [`Self::send`].
    pub async fn answer(&mut self, turn: &str, frame: &Value, content: &str) -> Result<(), Fault> {
        let output = json!({ "ok": { "content": content } });
        let body = json!({ "request_id": frame["request_id"], "output": output });
        let path = format!("/v1/turns/{turn}/tool-result");
        self.send("POST", &path, &body).await.map(|_| ())
    }
}

/// The frames of a turn.
pub struct Frames(Pin<Box<SseStream<Incoming>>>);

impl Frames {
    /// The next frame.
    ///
    /// # Errors
    /// When the stream ends or breaks.
    pub async fn next(&mut self) -> Result<Value, Fault> {
        loop {
            let Some(sse) = self.0.next().await else {
                return Err("the stream ended".into());
            };
            if let Some(data) = sse?.data {
                return Ok(serde_json::from_str(&data)?);
            }
        }
    }
}

async fn open(address: SocketAddr) -> Result<http1::SendRequest<Full<Bytes>>, Fault> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(async move {
        let _ = connection.await;
    });
    Ok(sender)
}

fn request(method: &str, path: &str, body: String) -> Result<Request<Full<Bytes>>, Fault> {
    Ok(Request::builder()
        .method(method)
        .uri(path)
        .header("host", "localhost")
        .header("authorization", format!("Bearer {TOKEN}"))
        .body(Full::new(Bytes::from(body)))?)
}

/// Runs hosts on threads of their own.
///
/// # Errors
/// What `hosts` fails with.
pub fn run<T>(hosts: impl Future<Output = Result<T, Fault>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(hosts).map_err(|fault| fault as Failure)
}
