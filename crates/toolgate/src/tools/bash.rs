//! `bash`: one shell command in the workspace root. Says how it goes while it goes; nothing that
//! it started in its process group outlives the call.

use std::{
    env,
    ffi::OsString,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use stella_contracts::{
    bash::{Contract, Event, Input, Output},
    events::CommandCompleted,
    types::{CommandExit, command_exit::Status},
};
use toolcontract_manifest::text::escape;
use toolcontract_protocol::ErrorClass;
use toolcontract_runtime::{
    ctx::{Progress, ToolCtx},
    process::{self, Command, Ended, Environment, Exit, Keep, ProcessError, Streams},
    tool::{Answer, Tool, ToolError},
};

use super::{blocking::stopped, workspace::Workspace};

/// Bytes of a command; Linux starts no program with a longer argument.
const MAX_COMMAND: usize = (128 << 10) - 1;
/// Bytes of output that a model reads.
const MAX_OUTPUT: usize = 64 << 10;
/// A sign of life goes out at most so often while the command writes, ...
const OFTEN: Duration = Duration::from_millis(100);
/// ... and at least so often while it does not.
const SELDOM: Duration = Duration::from_secs(5);
/// Characters of the line that goes with it.
const MAX_MESSAGE: usize = 200;

/// `bash` in a workspace.
#[derive(Debug)]
pub struct Bash {
    root: PathBuf,
    shell: OsString,
    environment: Environment,
}

impl Bash {
    /// Runs commands in `workspace` with `environment` and nothing else. The shell is the `bash`
    /// of its `PATH`, or `/bin/sh` where there is none.
    #[must_use]
    pub fn new(workspace: &Arc<Workspace>, environment: Environment) -> Self {
        let folders = environment.get("PATH").map(env::split_paths);
        let shell = folders
            .into_iter()
            .flatten()
            .map(|folder| folder.join("bash"))
            .find(|program| program.is_file());
        Self {
            root: workspace.root().to_owned(),
            shell: shell.map_or_else(|| "/bin/sh".into(), PathBuf::into_os_string),
            environment,
        }
    }

    fn command(&self, input: &Input) -> Command {
        let seconds = match input.timeout_secs_or_default() {
            0 => Input {
                timeout_secs: None,
                ..input.clone()
            }
            .timeout_secs_or_default(),
            seconds => seconds,
        };
        let mut argv = vec![self.shell.clone()];
        argv.extend(input.trace_or_default().then(|| "-x".into()));
        // A command that begins with a dash is no option.
        argv.extend(["-c".into(), "--".into(), input.command.clone().into()]);
        Command {
            argv,
            executable: None,
            folder: self.root.clone(),
            environment: self.environment.clone(),
            input: Vec::new(),
            time: Duration::from_secs(seconds),
            streams: Streams::Merged(Keep::of(MAX_OUTPUT)),
        }
    }
}

impl Tool for Bash {
    type Contract = Contract;

    async fn call(&self, input: Input, ctx: &ToolCtx<Event>) -> Result<Output, ToolError> {
        Ok(self.answer(input, ctx).await?.output)
    }

    async fn answer(
        &self,
        input: Input,
        ctx: &ToolCtx<Event>,
    ) -> Result<Answer<Output>, ToolError> {
        if input.command.contains('\0') {
            let message = "`command` cannot hold the character NUL";
            return Err(ToolError::new(ErrorClass::InvalidInput, message));
        }
        if input.command.len() > MAX_COMMAND {
            let message = format!(
                "`command` has more than {MAX_COMMAND} bytes; put it into a file and run that"
            );
            return Err(ToolError::new(ErrorClass::InvalidInput, message));
        }
        let ended = run(&self.command(&input), ctx).await.map_err(failed)?;
        let exit = exit(&ended).ok_or_else(stopped)?;
        ctx.emit(&Event::CommandCompleted(CommandCompleted {
            exit: exit.clone(),
            output_bytes: ended.out.written(),
        }));
        Ok(Answer {
            text: Some(text(&ended)),
            output: Output {
                exit,
                output_bytes: ended.out.written(),
                truncated: ended.out.lost() > 0,
            },
        })
    }
}

/// Runs the command and says that it runs.
async fn run(command: &Command, ctx: &ToolCtx<Event>) -> Result<Ended, ProcessError> {
    let written = AtomicU64::new(0);
    let sign = |message: Option<String>| {
        ctx.progress(Progress {
            stage: "running".to_owned(),
            message,
            done: Some(written.load(Ordering::Relaxed)),
            total: None,
            unit: Some("bytes".to_owned()),
        });
    };
    sign(None);
    let mut last: Option<Instant> = None;
    let mut heard = |bytes: &[u8]| {
        written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if last.is_none_or(|last| last.elapsed() >= OFTEN) {
            last = Some(Instant::now());
            sign(last_line(bytes));
        }
    };
    let mut running = std::pin::pin!(process::run(command, ctx.cancellation(), &mut heard));
    loop {
        tokio::select! {
            biased;
            ended = &mut running => return ended,
            () = tokio::time::sleep(SELDOM) => sign(None),
        }
    }
}

/// The last line that says anything, for people.
fn last_line(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    let line: String = line.trim_end().chars().take(MAX_MESSAGE).collect();
    Some(escape(&line).chars().take(2 * MAX_MESSAGE).collect())
}

/// None when the caller gave up.
fn exit(ended: &Ended) -> Option<CommandExit> {
    let (status, code) = match ended.exit {
        Exit::Code(code) => (Status::Exited, Some(i64::from(code))),
        Exit::Signal(_) => (Status::Signalled, None),
        Exit::TimedOut => (Status::TimedOut, None),
        Exit::Cancelled => return None,
    };
    Some(CommandExit {
        status,
        code,
        duration_ms: u64::try_from(ended.duration.as_millis()).unwrap_or(u64::MAX),
    })
}

fn text(ended: &Ended) -> String {
    let mut text = ended.out.text();
    if text.is_empty() {
        text.push_str("[no output]");
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&match ended.exit {
        Exit::Code(code) => format!("[exit code {code}]"),
        Exit::Signal(signal) => format!("[ended by signal {signal}]"),
        Exit::TimedOut => "[killed at its time limit]".to_owned(),
        Exit::Cancelled => "[cancelled]".to_owned(),
    });
    text
}

fn failed(error: ProcessError) -> ToolError {
    let cause = std::error::Error::source(&error).map(ToString::to_string);
    let message = match cause {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    };
    ToolError::new(ErrorClass::Environment, message)
}
