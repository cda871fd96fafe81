//! Messages as lines, over standard streams or any other pair of a reader and a writer.
//!
//! A line without end is skipped, not kept; what is no message is answered here; a client that
//! sends more requests than it waits for is told so. What goes out waits in a queue of fixed
//! length, and lines that are ready together are written together.

use std::{
    collections::HashSet,
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::StreamExt as _;
use rmcp::{
    RoleServer,
    model::{
        ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, GetExtensions as _,
        GetMeta as _, ProtocolVersion, RequestId, ServerJsonRpcMessage,
    },
    transport::Transport,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _},
    sync::mpsc,
    task::JoinHandle,
};
use tokio_util::codec::{AnyDelimiterCodec, AnyDelimiterCodecError, FramedRead};

use crate::mcp::frame::{self, Frame, MAX_MESSAGE, Refusal};

/// How many messages wait for a slow client before requests do.
const WAITING: usize = 64;
/// How many requests of one client may be open.
const MAX_OPEN: usize = 1024;
/// How many bytes are written together.
const TOGETHER: usize = 64 << 10;
/// How long what is left may take to go out when the connection ends.
const LAST: Duration = Duration::from_secs(2);

/// One connection.
pub(super) struct Lines<R> {
    reader: FramedRead<R, AnyDelimiterCodec>,
    out: Option<mpsc::Sender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
    /// An answer of ours that is not queued yet.
    answer: Option<Vec<u8>>,
    open: Arc<Mutex<HashSet<RequestId>>>,
    /// Whether a request came that chooses an era. `rmcp` gives a connection up that begins with
    /// anything else.
    has_begun: bool,
}

impl<R: AsyncRead + Send + Unpin> Lines<R> {
    pub(super) fn new(reader: R, writer: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let (out, queue) = mpsc::channel(WAITING);
        let codec =
            AnyDelimiterCodec::new_with_max_length(b"\n".to_vec(), b"\n".to_vec(), MAX_MESSAGE);
        Self {
            reader: FramedRead::new(reader, codec),
            out: Some(out),
            writer: Some(tokio::spawn(write(queue, writer))),
            answer: None,
            open: Arc::default(),
            has_begun: false,
        }
    }

    /// The next line that is a message; what is none is refused.
    async fn next(&mut self) -> Option<Result<Frame, Box<Refusal>>> {
        loop {
            let line = match self.reader.next().await {
                Some(Ok(line)) => line,
                Some(Err(AnyDelimiterCodecError::MaxChunkLengthExceeded)) => {
                    // The reader stops once after an error, and then goes on.
                    let _ = self.reader.next().await;
                    return Some(Err(Refusal::too_large()));
                }
                Some(Err(AnyDelimiterCodecError::Io(_))) | None => return None,
            };
            if !line.trim_ascii().is_empty() {
                return Some(frame::read(&line));
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
        let out = self.out.clone();
        if let ServerJsonRpcMessage::Response(response) = &message {
            locked(&self.open).remove(&response.id);
        }
        if let ServerJsonRpcMessage::Error(error) = &message
            && let Some(id) = &error.id
        {
            locked(&self.open).remove(id);
        }
        async move {
            let line = line(&message)?;
            let out = out.ok_or(io::ErrorKind::NotConnected)?;
            out.send(line)
                .await
                .map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }

    /// May be dropped at any point; nothing that was read is lost.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.answer.is_some() {
                let place = self.out.as_ref()?.reserve().await.ok()?;
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
        self.out = None;
        if let Some(writer) = self.writer.take() {
            // A client that does not read any more is not waited for.
            let _ = tokio::time::timeout(LAST, writer).await;
        }
        Ok(())
    }
}

fn line(message: &ServerJsonRpcMessage) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Writes what is queued until nobody queues any more, or nobody reads.
async fn write(mut queue: mpsc::Receiver<Vec<u8>>, mut writer: impl AsyncWrite + Send + Unpin) {
    while let Some(mut lines) = queue.recv().await {
        while lines.len() < TOGETHER
            && let Ok(line) = queue.try_recv()
        {
            lines.extend(line);
        }
        if writer.write_all(&lines).await.is_err() || writer.flush().await.is_err() {
            return;
        }
    }
}
