//! Runs a command to its end, or to the end of its time, and leaves nothing of it behind.

use std::{
    os::unix::process::ExitStatusExt as _,
    pin::pin,
    process::ExitStatus,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _},
    process::ChildStdin,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    Captured, Command, ProcessError, Streams,
    group::{Ends, Group},
};

/// How long streams are read after the group was killed: a process that left the group may hold
/// them open for ever.
const DRAIN: Duration = Duration::from_secs(1);

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// It was killed when its time was up.
    TimedOut,
    /// It was killed because nobody wanted its result any more.
    Cancelled,
}

/// A command that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub exit: Exit,
    /// What it wrote to standard output; where streams are merged, all that it wrote.
    pub out: Captured,
    /// What it wrote to standard error; empty where streams are merged.
    pub err: Captured,
    /// From start to end.
    pub duration: Duration,
}

/// Runs `command` and tells `heard` what it writes, as it writes it. When this returns, and also
/// when its future is dropped, the whole process group is gone.
///
/// Give it a tokio runtime with time and I/O enabled.
///
/// # Errors
/// When the command could not be started, or the system lost track of it.
pub async fn run(
    command: &Command,
    cancellation: &CancellationToken,
    heard: &mut (dyn FnMut(&[u8]) + Send),
) -> Result<Ended, ProcessError> {
    let started = Instant::now();
    let (mut group, ends) = Group::start(command).await?;
    let (keep_out, keep_err) = match command.streams {
        Streams::Merged(keep) => (keep, keep),
        Streams::Apart { out, err } => (out, err),
    };
    let (mut out, mut err) = (Captured::new(keep_out), Captured::new(keep_err));
    let exit = {
        let Ends {
            input,
            out: from_out,
            err: from_err,
        } = ends;
        let mut unheard = |_: &[u8]| ();
        let mut streaming = pin!(async {
            tokio::join!(
                feed(input, &command.input),
                read(Some(from_out), &mut out, heard),
                read(from_err, &mut err, &mut unheard),
            );
        });
        let mut streamed = false;
        let exit = loop {
            tokio::select! {
                biased;
                status = group.leader_ended() => break status.map(how),
                () = cancellation.cancelled() => break Ok(Exit::Cancelled),
                () = sleep(command.time.saturating_sub(started.elapsed())) => {
                    break Ok(Exit::TimedOut);
                }
                () = &mut streaming, if !streamed => streamed = true,
            }
        };
        group.kill();
        if let Ok(Exit::TimedOut | Exit::Cancelled) = exit {
            group.leader_ended().await.map_err(ProcessError::Wait)?;
        }
        if !streamed {
            let _ = timeout(DRAIN, streaming).await;
        }
        exit.map_err(ProcessError::Wait)?
    };
    Ok(Ended {
        exit,
        out,
        err,
        duration: started.elapsed(),
    })
}

fn how(status: ExitStatus) -> Exit {
    match status.code() {
        Some(code) => Exit::Code(code),
        None => Exit::Signal(status.signal().unwrap_or_default()),
    }
}

/// Writes `bytes`, then the end. A command that does not read them is no fault.
async fn feed(input: Option<ChildStdin>, bytes: &[u8]) {
    if let Some(mut input) = input {
        let _ = input.write_all(bytes).await;
        let _ = input.shutdown().await;
    }
}

async fn read(
    stream: Option<impl AsyncRead + Unpin>,
    captured: &mut Captured,
    heard: &mut (dyn FnMut(&[u8]) + Send),
) {
    let Some(mut stream) = stream else { return };
    let mut buffer = vec![0; 16 << 10];
    while let Ok(read) = stream.read(&mut buffer).await
        && let Some(bytes) = buffer.get(..read)
        && !bytes.is_empty()
    {
        captured.push(bytes);
        heard(bytes);
    }
}
