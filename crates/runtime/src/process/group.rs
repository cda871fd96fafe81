//! A running command with everything that it starts. When this value goes, so do they.

use std::{
    io::{self, PipeReader, PipeWriter},
    os::fd::OwnedFd,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use tokio::{net::unix::pipe, process::ChildStdin};

use super::{Command, ProcessError, Streams};
use crate::text::one_line;

/// A program that was just written may still be open in a process that is being started.
const BUSY_TRIES: u32 = 30;
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// A running command with everything that it starts.
#[derive(Debug)]
pub(super) struct Group {
    leader: Box<dyn ChildWrapper>,
}

/// The ends of its streams.
#[derive(Debug)]
pub(super) struct Ends {
    pub(super) input: Option<ChildStdin>,
    pub(super) out: pipe::Receiver,
    /// None where it goes where standard output goes.
    pub(super) err: Option<pipe::Receiver>,
}

impl Group {
    /// Starts `command`.
    pub(super) async fn start(command: &Command) -> Result<(Self, Ends), ProcessError> {
        let program = command.argv.first().ok_or(ProcessError::NoProgram)?;
        let mut tries = 0;
        loop {
            match spawn(command) {
                Err(error)
                    if error.kind() == io::ErrorKind::ExecutableFileBusy && tries < BUSY_TRIES =>
                {
                    tries += 1;
                    tokio::time::sleep(BUSY_PAUSE).await;
                }
                started => {
                    return started.map_err(|source| ProcessError::Start {
                        program: one_line(&program.to_string_lossy(), 200),
                        source,
                    });
                }
            }
        }
    }

    /// How the leader ended. The others may still run.
    pub(super) async fn leader_ended(&mut self) -> io::Result<ExitStatus> {
        self.leader.inner_mut().wait().await
    }

    /// Kills all that is left.
    pub(super) fn kill(&mut self) {
        // An error says that there is nothing left to kill.
        let _ = self.leader.start_kill();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

fn spawn(command: &Command) -> io::Result<(Group, Ends)> {
    let (program, arguments) = command
        .argv
        .split_first()
        .ok_or(io::ErrorKind::InvalidInput)?;
    let (out, out_end) = io::pipe()?;
    let (err, err_end) = match command.streams {
        Streams::Merged(_) => (None, out_end.try_clone()?),
        Streams::Apart { .. } => {
            let (err, err_end) = io::pipe()?;
            (Some(err), err_end)
        }
    };
    let executable = match &command.executable {
        Some(executable) => executable.as_os_str(),
        None => program,
    };
    let mut wrapped = CommandWrap::with_new(executable, |child| {
        child
            .arg0(program)
            .args(arguments)
            .current_dir(&command.folder)
            .env_clear()
            .envs(command.environment.iter())
            .stdin(match command.input.is_empty() {
                true => Stdio::null(),
                false => Stdio::piped(),
            })
            .stdout(stdio(out_end))
            .stderr(stdio(err_end));
    });
    wrapped.wrap(ProcessGroup::leader());
    let mut group = Group {
        leader: wrapped.spawn()?,
    };
    // Our copies of the writing ends would keep the streams open.
    drop(wrapped);
    let ends = Ends {
        input: group.leader.stdin().take(),
        out: receiver(out)?,
        err: err.map(receiver).transpose()?,
    };
    Ok((group, ends))
}

fn stdio(end: PipeWriter) -> Stdio {
    Stdio::from(OwnedFd::from(end))
}

fn receiver(end: PipeReader) -> io::Result<pipe::Receiver> {
    pipe::Receiver::from_owned_fd(OwnedFd::from(end))
}
