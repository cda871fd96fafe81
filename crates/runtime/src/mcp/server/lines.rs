//! A client that sends and reads messages as lines.
//!
//! What is no message is answered here; a client that sends more requests than it waits for is
//! told so.

use std::{
    collections::HashSet,
    io,
    sync::{Arc, Mutex, PoisonError},
};

use rmcp::{
    RoleServer,
    model::{
        ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, GetExtensions as _,
        GetMeta as _, ProtocolVersion, RequestId, ServerJsonRpcMessage,
    },
    transport::Transport,
};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::mcp::{
    frame::{self, Frame, MAX_MESSAGE, Refusal},
    line::{LineReader, LineWriter, TooLong, line, queue_line},
};

/// How many requests of one client may be open.
const MAX_OPEN: usize = 1024;

/// One connection.
pub(super) struct Lines<R> {
    reader: LineReader<R>,
    writer: LineWriter,
    /// An answer of ours that is not queued yet.
    answer: Option<Vec<u8>>,
    open: Arc<Mutex<HashSet<RequestId>>>,
    /// Whether a request came that chooses an era. `rmcp` gives a connection up that begins with
    /// anything else.
    has_begun: bool,
}

impl<R: AsyncRead + Send + Unpin> Lines<R> {
    pub(super) fn new(reader: R, writer: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        Self {
            reader: LineReader::new(reader, MAX_MESSAGE),
            writer: LineWriter::new(writer),
            answer: None,
            open: Arc::default(),
            has_begun: false,
        }
    }

    /// The next message; what is none is refused.
    async fn next(&mut self) -> Option<Result<Frame, Box<Refusal>>> {
        Some(match self.reader.next().await? {
            Ok(line) => frame::read(&line),
            Err(TooLong) => Err(Refusal::too_large()),
        })
    }

    /// The message, where it may go on.
    fn admit(&mut self, frame: Frame) -> Result<Option<ClientJsonRpcMessage>, Box<Refusal>> {
        let Frame {
            mut message,
            arguments,
        } = frame;
        match &mut message {
            ClientJsonRpcMessage::Request(request) => {
                let missing = request.request.get_meta();
                let missing = missing.missing_required_keys(&ProtocolVersion::V_2026_07_28);
                self.has_begun |= match &request.request {
                    ClientRequest::InitializeRequest(_) => true,
                    ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => false,
                    _ => missing.is_empty(),
                };
                if let Some(arguments) = arguments {
                    request.request.extensions_mut().insert(arguments);
                }
                open_request(&self.open, &request.id)?;
            }
            _ if !self.has_begun => return Ok(None),
            ClientJsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    locked(&self.open).remove(id);
                }
            }
            ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_) => {}
        }
        Ok(Some(message))
    }
}

fn open_request(open: &Mutex<HashSet<RequestId>>, id: &RequestId) -> Result<(), Box<Refusal>> {
    let mut open = locked(open);
    let what = if open.contains(id) {
        "a request of this id is still open"
    } else if open.len() >= MAX_OPEN {
        "too many requests are open; wait for answers"
    } else {
        open.insert(id.clone());
        return Ok(());
    };
    Err(Box::new(Refusal {
        id: Some(id.clone()),
        error: ErrorData::invalid_request(what, None),
        is_answered: true,
    }))
}

fn locked(open: &Mutex<HashSet<RequestId>>) -> std::sync::MutexGuard<'_, HashSet<RequestId>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let queue = self.writer.queue();
        if let ServerJsonRpcMessage::Response(response) = &message {
            locked(&self.open).remove(&response.id);
        }
        if let ServerJsonRpcMessage::Error(error) = &message
            && let Some(id) = &error.id
        {
            locked(&self.open).remove(id);
        }
        async move { queue_line(queue, &message).await }
    }

    /// May be dropped at any point; nothing that was read is lost.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.answer.is_some() {
                let queue = self.writer.queue()?;
                let place = queue.reserve().await.ok()?;
                if let Some(answer) = self.answer.take() {
                    place.send(answer);
                }
            }
            let admitted = match self.next().await? {
                Ok(frame) => self.admit(frame),
                Err(refusal) => Err(refusal),
            };
            match admitted {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(refusal) => {
                    self.answer = refusal.into_answer().and_then(|a| line(&a).ok());
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.writer.close().await;
        Ok(())
    }
}
