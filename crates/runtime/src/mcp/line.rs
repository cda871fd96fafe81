//! Messages as lines, over any pair of a reader and a writer. A line without end is skipped, not
//! kept. What goes out waits in a queue of fixed length, and lines that are ready together are
//! written together.

use std::{io, time::Duration};

use futures_util::StreamExt as _;
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _},
    sync::mpsc,
    task::JoinHandle,
};
use tokio_util::{
    bytes::Bytes,
    codec::{AnyDelimiterCodec, AnyDelimiterCodecError, FramedRead},
};

/// How many messages wait for a slow peer.
const WAITING: usize = 64;
/// How many bytes are written together.
const TOGETHER: usize = 64 << 10;
/// How long what is left may take to go out when a connection ends.
const LAST: Duration = Duration::from_secs(2);

/// A line has more bytes than are read.
#[derive(Debug)]
pub(crate) struct TooLong;

/// The lines that come in.
pub(crate) struct LineReader<R>(FramedRead<R, AnyDelimiterCodec>);

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// Reads lines of at most `max` bytes.
    pub(crate) fn new(reader: R, max: usize) -> Self {
        let newline = b"\n".to_vec();
        let codec = AnyDelimiterCodec::new_with_max_length(newline.clone(), newline, max);
        Self(FramedRead::new(reader, codec))
    }

    /// The next line that is not blank. None at the end. May be dropped at any point; nothing that
    /// was read is lost.
    pub(crate) async fn next(&mut self) -> Option<Result<Bytes, TooLong>> {
        loop {
            match self.0.next().await {
                Some(Ok(line)) if line.trim_ascii().is_empty() => {}
                Some(Ok(line)) => return Some(Ok(line)),
                Some(Err(AnyDelimiterCodecError::MaxChunkLengthExceeded)) => {
                    // The reader stops once after an error, and then goes on.
                    let _ = self.0.next().await;
                    return Some(Err(TooLong));
                }
                Some(Err(AnyDelimiterCodecError::Io(_))) | None => return None,
            }
        }
    }
}

/// The lines that go out.
pub(crate) struct LineWriter {
    queue: Option<mpsc::Sender<Vec<u8>>>,
    task: Option<JoinHandle<()>>,
}

impl LineWriter {
    pub(crate) fn new(writer: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let (sender, queue) = mpsc::channel(WAITING);
        Self {
            queue: Some(sender),
            task: Some(tokio::spawn(write(queue, writer))),
        }
    }

    /// Where lines are queued; none once it was closed.
    pub(crate) fn queue(&self) -> Option<mpsc::Sender<Vec<u8>>> {
        self.queue.clone()
    }

    /// Writes what is queued, unless nobody reads any more.
    pub(crate) async fn close(&mut self) {
        self.queue = None;
        if let Some(task) = self.task.take() {
            let _ = tokio::time::timeout(LAST, task).await;
        }
    }
}

/// Queues one message.
pub(crate) async fn queue_line(
    queue: Option<mpsc::Sender<Vec<u8>>>,
    message: &impl serde::Serialize,
) -> io::Result<()> {
    let line = line(message)?;
    let queue = queue.ok_or(io::ErrorKind::NotConnected)?;
    queue
        .send(line)
        .await
        .map_err(|_| io::ErrorKind::BrokenPipe.into())
}

/// One message as a line.
pub(crate) fn line(message: &impl serde::Serialize) -> io::Result<Vec<u8>> {
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
