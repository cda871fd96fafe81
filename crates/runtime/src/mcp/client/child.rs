//! A server as a child process: in a process group that goes when the connection does, with an
//! environment that holds only what was listed, and what it writes to standard error shown line by
//! line, with everything that steers a screen escaped.

use std::{
    ffi::OsString,
    fmt, io,
    path::PathBuf,
    process::{ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use rmcp::{
    RoleClient,
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::Transport,
};
use serde::de::IgnoredAny;
use tokio::{
    io::AsyncWriteExt as _,
    process::{ChildStderr, ChildStdout},
    sync::OwnedMutexGuard,
    task::JoinHandle,
};

use super::{
    raw::{Awaited, MAX_MESSAGE},
    state::State,
};
use crate::{
    mcp::line::{LineReader, LineWriter, TooLong, line},
    process::Environment,
    text::one_line,
};

/// How long a server may take to end once its input has.
const GRACE: Duration = Duration::from_secs(2);
/// The longest line of standard error that is read, in bytes, and shown, in characters.
const STDERR_LINE: usize = 64 << 10;
const STDERR_SHOWN: usize = 500;

/// Characters of a line of its output that is no message.
const STRANGE_SHOWN: usize = 120;
/// How long it is waited for how a server ended whose output has.
const SOON: Duration = Duration::from_millis(300);

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

/// What a server that does not begin did instead.
#[derive(Debug, Default)]
pub(super) struct Words(Mutex<Heard>);

#[derive(Debug, Default)]
struct Heard {
    /// The first line of its output that is no JSON.
    strange: Option<String>,
    /// The last line of its standard error.
    error: Option<String>,
    ended: Option<ExitStatus>,
}

impl Words {
    /// Forgets what was heard of another process.
    pub(super) fn clear(&self) {
        self.note(|heard| *heard = Heard::default());
    }

    fn note(&self, note: impl FnOnce(&mut Heard)) {
        note(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Each behind a comma; nothing where nothing is known.
impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(status) = heard.ended {
            match status.code() {
                Some(code) => write!(f, ", ended with exit code {code}")?,
                None => f.write_str(", was ended by a signal")?,
            }
        }
        if let Some(line) = &heard.strange {
            write!(f, ", wrote a line that is no JSON: `{line}`")?;
        }
        match &heard.error {
            Some(line) => write!(f, ", and said last: `{line}`"),
            None => Ok(()),
        }
    }
}

/// A running server.
pub(super) struct Child {
    reader: LineReader<ChildStdout>,
    writer: LineWriter,
    awaited: Awaited,
    process: Box<dyn ChildWrapper>,
    /// Who passes on its standard error.
    errors: Option<JoinHandle<()>>,
    words: Arc<Words>,
    /// Whether a message came.
    has_spoken: bool,
}

impl Child {
    /// Starts `program`. What it writes to standard error is shown as from `name`.
    /// `words` gets what is to be told when it does not begin.
    pub(super) fn start(
        name: &str,
        program: &Program,
        state: Arc<State>,
        words: Arc<Words>,
    ) -> io::Result<Self> {
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
        let errors = process.stderr().take();
        let show = |errors| tokio::spawn(show(name.to_owned(), errors, Arc::clone(&words)));
        let errors = errors.map(show);
        Ok(Self {
            reader: LineReader::new(output, MAX_MESSAGE),
            writer: LineWriter::new(input),
            awaited: Awaited::new(state),
            process,
            errors,
            words,
            has_spoken: false,
        })
    }

    /// Notes how it ended, where that is known soon.
    async fn note_end(&mut self) {
        if let Ok(Ok(status)) = tokio::time::timeout(SOON, self.ended()).await {
            self.words.note(|heard| heard.ended = Some(status));
        }
        if let Some(errors) = &mut self.errors
            && tokio::time::timeout(SOON, errors).await.is_ok()
        {
            self.errors = None;
        }
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
        let sent = line(&message).map(|line| self.writer.send(line));
        let has_spoken = self.has_spoken;
        async move {
            match sent?.await {
                // One that has not begun is told by how it ends.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe && !has_spoken => Ok(()),
                sent => sent,
            }
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let Some(line) = self.reader.next().await else {
                self.note_end().await;
                return None;
            };
            let line = match line {
                Ok(line) => line,
                Err(TooLong { beginning }) => match self.awaited.unread(&beginning) {
                    Some(message) => return Some(message),
                    None => continue,
                },
            };
            if let Some(message) = self.awaited.read(&line) {
                self.has_spoken = true;
                return Some(message);
            }
            if serde_json::from_slice::<IgnoredAny>(&line).is_err() {
                let text = one_line(&String::from_utf8_lossy(&line), STRANGE_SHOWN);
                self.words.note(|heard| {
                    heard.strange.get_or_insert(text);
                });
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

/// A running server that is lent: whoever speaks over it may let go of it without ending it.
pub(super) struct Lent(OwnedMutexGuard<Child>);

impl Lent {
    /// Waits until nobody else speaks over `child`.
    pub(super) async fn of(child: &Arc<tokio::sync::Mutex<Child>>) -> Self {
        Self(Arc::clone(child).lock_owned().await)
    }
}

impl Transport<RoleClient> for Lent {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.0.send(message)
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        self.0.receive().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.0.close().await
    }
}

/// Passes on what a server writes to standard error.
async fn show(name: String, errors: ChildStderr, words: Arc<Words>) {
    let mut lines = LineReader::new(errors, STDERR_LINE);
    let mut shown = tokio::io::stderr();
    while let Some(line) = lines.next().await {
        let text = match line {
            Ok(line) => one_line(&String::from_utf8_lossy(&line), STDERR_SHOWN),
            Err(_) => "a line that is too long to be shown".to_owned(),
        };
        let line = format!("{name}: {text}\n");
        words.note(|heard| heard.error = Some(text));
        if shown.write_all(line.as_bytes()).await.is_err() {
            return;
        }
    }
}
