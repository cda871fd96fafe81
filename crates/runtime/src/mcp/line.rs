//! Messages as lines, over any pair of a reader and a writer. A line without end is skipped, not
//! kept. Lines that wait for a slow peer are written together, by whichever of their senders comes
//! first; nothing is lost when one of them gives up.

use std::{
    io::{self, Cursor},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
    time::Duration,
};

use futures_util::StreamExt as _;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio_util::{
    bytes::{Buf as _, Bytes},
    codec::{AnyDelimiterCodec, AnyDelimiterCodecError, FramedRead},
};

/// How many bytes wait for a peer that is behind.
const BEHIND: usize = 8 << 20;
/// How long what is left may take to go out when a connection ends.
const LAST: Duration = Duration::from_secs(2);

/// How much is kept of a line that is not read.
const BEGINNING: usize = 1 << 10;

/// A line has more bytes than are read.
#[derive(Debug)]
pub(crate) struct TooLong {
    /// How it begins.
    pub(crate) beginning: Bytes,
}

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
                    let read = self.0.read_buffer();
                    let kept = read.get(..BEGINNING.min(read.len())).unwrap_or_default();
                    let beginning = Bytes::copy_from_slice(kept);
                    // The reader stops once after an error, and then goes on.
                    let _ = self.0.next().await;
                    return Some(Err(TooLong { beginning }));
                }
                Some(Err(AnyDelimiterCodecError::Io(_))) | None => return None,
            }
        }
    }
}

/// The lines that go out. Cheap to clone; clones write the same lines.
///
/// Lines wait without measure: whoever answers a peer looks at [`Self::is_behind`] before it reads
/// more of it.
#[derive(Clone)]
pub(crate) struct LineWriter(Arc<Out>);

struct Out {
    /// Lines that nobody has begun to write.
    waiting: Mutex<Vec<u8>>,
    /// None once it was closed.
    writing: tokio::sync::Mutex<Option<Writing>>,
}

struct Writing {
    writer: Box<dyn AsyncWrite + Send + Unpin>,
    begun: Cursor<Vec<u8>>,
    /// Something was written that may not have gone out.
    unflushed: bool,
}

impl LineWriter {
    pub(crate) fn new(writer: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let writing = Writing {
            writer: Box::new(writer),
            begun: Cursor::default(),
            unflushed: false,
        };
        Self(Arc::new(Out {
            waiting: Mutex::default(),
            writing: tokio::sync::Mutex::new(Some(writing)),
        }))
    }

    /// Puts `line` behind those that wait. [`Self::write`] writes it.
    pub(crate) fn put(&self, line: Vec<u8>) {
        let mut waiting = self.0.waiting();
        if waiting.is_empty() {
            *waiting = line;
        } else {
            waiting.extend(line);
        }
    }

    /// Whether the peer reads much more slowly than it is written to.
    pub(crate) fn is_behind(&self) -> bool {
        self.0.waiting().len() > BEHIND
    }

    /// Writes everything that waits. May be dropped at any point; the rest is written by the next.
    ///
    /// # Errors
    /// When it was closed, or nobody reads any more.
    pub(crate) async fn write(&self) -> io::Result<()> {
        let mut writing = self.0.writing.lock().await;
        let writing = writing.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        loop {
            if !writing.begun.has_remaining() {
                writing.begun = Cursor::new(mem::take(&mut *self.0.waiting()));
            }
            if !writing.begun.has_remaining() && !writing.unflushed {
                return Ok(());
            }
            writing.unflushed = true;
            while writing.begun.has_remaining() {
                if writing.writer.write_buf(&mut writing.begun).await? == 0 {
                    return Err(io::ErrorKind::WriteZero.into());
                }
            }
            writing.writer.flush().await?;
            writing.unflushed = false;
        }
    }

    /// Sends `line`. Writing begins here, and not when the future is looked at: a peer with several
    /// requests open works on the first answer while the next one is made.
    pub(crate) fn send(
        &self,
        line: Vec<u8>,
    ) -> impl Future<Output = io::Result<()>> + Send + use<> {
        self.put(line);
        let writer = self.clone();
        let mut write = Box::pin(async move { writer.write().await });
        // The future is looked at again by a task that can be woken.
        let begun = write.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        async move {
            match begun {
                Poll::Ready(written) => written,
                Poll::Pending => write.await,
            }
        }
    }

    /// Writes what waits, unless nobody reads any more, and ends the stream.
    pub(crate) async fn close(&self) {
        let end = async {
            let _ = self.write().await;
            self.0.writing.lock().await.take();
        };
        let _ = tokio::time::timeout(LAST, end).await;
    }
}

impl Out {
    fn waiting(&self) -> MutexGuard<'_, Vec<u8>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One message as a line.
pub(crate) fn line(message: &impl serde::Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[tokio::test]
    async fn what_a_sender_leaves_is_written_by_the_next() {
        let (near, mut far) = tokio::io::duplex(8);
        let writer = LineWriter::new(near);
        // Eight bytes fit; the rest waits, although nobody asks for it.
        drop(writer.send(b"0123456789\n".to_vec()));
        drop(writer.send(b"abc\n".to_vec()));
        let mut read = [0; 15];
        let (written, got) = tokio::join!(writer.write(), far.read_exact(&mut read));
        written.unwrap();
        assert_eq!(got.unwrap(), 15);
        assert_eq!(&read, b"0123456789\nabc\n");
    }

    #[tokio::test]
    async fn a_closed_stream_ends() {
        let (near, mut far) = tokio::io::duplex(64);
        let writer = LineWriter::new(near);
        writer.put(b"last\n".to_vec());
        writer.close().await;
        let mut read = String::new();
        far.read_to_string(&mut read).await.unwrap();
        assert_eq!(read, "last\n");
        let late = writer.send(b"late\n".to_vec()).await;
        assert_eq!(late.unwrap_err().kind(), io::ErrorKind::NotConnected);
    }
}
