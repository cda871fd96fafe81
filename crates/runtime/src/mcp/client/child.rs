//! A server as a child process: in a process group that goes when the connection does, with an
//! environment that holds only what was listed, and what it writes to standard error shown line by
//! line, with everything that steers a screen escaped.

use std::{
    ffi::OsString,
    io,
    path::PathBuf,
    process::{ExitStatus, Stdio},
    sync::Arc,
    time::Duration,
};

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use rmcp::{
    RoleClient,
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::Transport,
};
use tokio::{
    io::AsyncWriteExt as _,
    process::{ChildStderr, ChildStdout},
};

use super::{
    raw::{Awaited, MAX_MESSAGE},
    state::State,
};
use crate::{
    mcp::line::{LineReader, LineWriter, line},
    process::Environment,
    text::one_line,
};

/// How long a server may take to end once its input has.
const GRACE: Duration = Duration::from_secs(2);
/// The longest line of standard error that is read, in bytes, and shown, in characters.
const STDERR_LINE: usize = 64 << 10;
const STDERR_SHOWN: usize = 500;

/// How a server is started.
#[derive(Debug, Clone)]
pub struct Program {
    /// The program and its arguments. No shell reads them.
    pub argv: Vec<OsString>,
    /// The folder in which it runs; that of this process where it is not said.
    pub folder: Option<PathBuf>,
    /// All of its environment.
    pub environment: Environment,
}

/// A running server.
pub(super) struct Child {
    reader: LineReader<ChildStdout>,
    writer: LineWriter,
    awaited: Awaited,
    process: Box<dyn ChildWrapper>,
}

impl Child {
    /// Starts `program`. What it writes to standard error is shown as from `name`.
    pub(super) fn start(name: &str, program: &Program, state: Arc<State>) -> io::Result<Self> {
        let (command, arguments) = program
            .argv
            .split_first()
            .ok_or(io::ErrorKind::InvalidInput)?;
        let mut wrapped = CommandWrap::with_new(command, |child| {
            child
                .args(arguments)
                .env_clear()
                .envs(program.environment.iter())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            if let Some(folder) = &program.folder {
                child.current_dir(folder);
            }
        });
        wrapped.wrap(ProcessGroup::leader());
        let mut process = wrapped.spawn()?;
        let taken = || io::Error::other("a stream of the process is missing");
        let input = process.stdin().take().ok_or_else(taken)?;
        let output = process.stdout().take().ok_or_else(taken)?;
        if let Some(errors) = process.stderr().take() {
            tokio::spawn(show(name.to_owned(), errors));
        }
        Ok(Self {
            reader: LineReader::new(output, MAX_MESSAGE),
            writer: LineWriter::new(input),
            awaited: Awaited::new(state),
            process,
        })
    }

    async fn ended(&mut self) -> io::Result<ExitStatus> {
        self.process.inner_mut().wait().await
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // An error says that there is nothing left to kill.
        let _ = self.process.start_kill();
    }
}

impl Transport<RoleClient> for Child {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.awaited.note(&message);
        let sent = line(&message).map(|line| self.writer.send(line, true));
        async move { sent?.await }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let line = self.reader.next().await?;
            if let Some(message) = line.ok().and_then(|line| self.awaited.read(&line)) {
                return Some(message);
            }
        }
    }

    /// Ends its input, waits a little, and kills what is left.
    async fn close(&mut self) -> io::Result<()> {
        self.writer.close().await;
        let _ = tokio::time::timeout(GRACE, self.ended()).await;
        let _ = self.process.start_kill();
        Ok(())
    }
}

/// Passes on what a server writes to standard error.
async fn show(name: String, errors: ChildStderr) {
    let mut lines = LineReader::new(errors, STDERR_LINE);
    let mut shown = tokio::io::stderr();
    while let Some(line) = lines.next().await {
        let text = match line {
            Ok(line) => one_line(&String::from_utf8_lossy(&line), STDERR_SHOWN),
            Err(_) => "a line that is too long to be shown".to_owned(),
        };
        let line = format!("{name}: {text}\n");
        if shown.write_all(line.as_bytes()).await.is_err() {
            return;
        }
    }
}
