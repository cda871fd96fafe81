//! A client that sends and reads messages as lines.
//!
//! What is no message is answered here; a client that sends more requests than it waits for is
//! told so. A client that nothing can be written to any more has gone, whatever it still sends.

use std::{io, sync::Arc};

use rmcp::{
    RoleServer,
    model::{
        ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, GetExtensions as _,
        GetMeta as _, ProtocolVersion, RequestMetaObject, ServerJsonRpcMessage,
    },
    transport::Transport,
};
use tokio::io::{AsyncRead, AsyncWrite};

use super::{VERSIONS, open::Open, running::Running};
use crate::mcp::{
    frame::{self, Frame, MAX_MESSAGE, Refusal},
    line::{LineReader, LineWriter, TooLong, line},
};

const BEGUN: &str =
    "this connection speaks 2026-07-28 or later, without sessions; open another one to initialize";

/// One connection.
pub(super) struct Lines<R> {
    reader: LineReader<R>,
    writer: LineWriter,
    /// An answer of ours is not written yet; nothing more is read before it is.
    is_answering: bool,
    open: Arc<Open>,
    running: Running,
    /// Whether a request came that chooses an era. `rmcp` gives a connection up that begins with
    /// anything else.
    has_begun: bool,
    /// Whether the first request that chose an era chose the one without sessions.
    is_modern: bool,
}

impl<R: AsyncRead + Send + Unpin> Lines<R> {
    /// A connection whose waiting requests are `open`, and whose calls are `running`.
    pub(super) fn new(
        reader: R,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        open: Arc<Open>,
        running: Running,
    ) -> Self {
        Self {
            reader: LineReader::new(reader, MAX_MESSAGE),
            writer: LineWriter::new(writer),
            is_answering: false,
            open,
            running,
            has_begun: false,
            is_modern: false,
        }
    }

    /// The next message; what is none is refused.
    async fn next(&mut self) -> Option<Result<Frame, Box<Refusal>>> {
        Some(match self.reader.next().await? {
            Ok(line) => frame::read(&line),
            Err(TooLong { .. }) => Err(Refusal::too_large()),
        })
    }

    /// The next message that may go on. None when the client has gone.
    async fn admitted(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // Who does not read is not read either.
            if self.is_answering || self.writer.is_behind() {
                if self.writer.write().await.is_err() {
                    self.running.give_up();
                    return None;
                }
                self.is_answering = false;
            }
            let admitted = match self.next().await? {
                Ok(frame) => self.admit(frame),
                Err(refusal) => Err(refusal),
            };
            match admitted {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(refusal) => {
                    let answer = refusal.into_answer();
                    if let Some(line) = answer.and_then(|answer| line(&answer).ok()) {
                        self.writer.put(line);
                        self.is_answering = true;
                    }
                }
            }
        }
    }

    /// The message, where it may go on.
    fn admit(&mut self, frame: Frame) -> Result<Option<ClientJsonRpcMessage>, Box<Refusal>> {
        let Frame {
            mut message,
            arguments,
        } = frame;
        match &mut message {
            ClientJsonRpcMessage::Request(request) => {
                let meta = request.request.get_meta();
                match &request.request {
                    ClientRequest::InitializeRequest(_) if self.is_modern => {
                        return Err(Refusal::of(
                            &request.id,
                            ErrorData::invalid_request(BEGUN, None),
                        ));
                    }
                    ClientRequest::InitializeRequest(_) => self.has_begun = true,
                    ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => {}
                    _ if chooses_an_era(meta) => {
                        self.is_modern |= !self.has_begun;
                        self.has_begun = true;
                    }
                    _ => {}
                }
                if let Some(arguments) = arguments {
                    request.request.extensions_mut().insert(arguments);
                }
                self.open.open(&request.id)?;
            }
            _ if !self.has_begun => return Ok(None),
            ClientJsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open.close(id);
                }
            }
            ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_) => {}
        }
        Ok(Some(message))
    }
}

/// Whether a request that says `meta` of itself begins the era without sessions: it says all that
/// is asked for, and a version that is served. Any other is refused, and has begun nothing.
fn chooses_an_era(meta: &RequestMetaObject) -> bool {
    let missing = meta.missing_required_keys(&ProtocolVersion::V_2026_07_28);
    let version = meta.protocol_version();
    missing.is_empty() && version.is_some_and(|version| VERSIONS.contains(&version))
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let line = self.open.line(&message);
        let sent = line.map(|line| self.writer.send(line));
        let running = self.running.clone();
        async move { sent?.await.inspect_err(|_| running.give_up()) }
    }

    /// May be dropped at any point; nothing that was read is lost.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let running = self.running.clone();
        tokio::select! {
            biased;
            () = running.over() => None,
            message = self.admitted() => message,
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.writer.close().await;
        Ok(())
    }
}
