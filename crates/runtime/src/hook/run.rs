//! Commands of hooks as processes: a shell in a process group of its own, an environment that
//! holds only what was listed, a deadline, a cap on the output.

use tokio_util::sync::CancellationToken;

use super::command::{HookCommand, HookRan, RunsHooks};
use crate::process::{Command, Environment, Exit, Keep, Streams, run};

/// More than this of standard output is not kept, in bytes.
const MOST: usize = 8 << 20;

/// Runs commands of hooks as processes.
#[derive(Debug, Clone)]
pub struct Processes {
    /// What the commands find in their environment.
    pub environment: Environment,
}

impl RunsHooks for Processes {
    fn run(&self, command: HookCommand) -> HookRan {
        // A hook is asked on a thread of its own, which no other runtime uses.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let Ok(runtime) = runtime else {
            return failed("there is no runtime to run it on");
        };
        let command = Command {
            argv: ["bash", "-c", &command.line].map(Into::into).to_vec(),
            executable: None,
            folder: command.folder,
            environment: self.environment.clone(),
            input: command.input,
            time: command.time,
            streams: Streams::Apart {
                out: Keep {
                    head: MOST,
                    tail: 0,
                },
                err: Keep { head: 0, tail: 0 },
            },
        };
        let ended = runtime.block_on(run(&command, &CancellationToken::new(), &mut |_| ()));
        match ended {
            Ok(ended) => match ended.exit {
                Exit::Code(code) => HookRan::Ended {
                    code,
                    out: ended.out.whole(),
                },
                Exit::Signal(signal) => failed(&format!("it was ended by signal {signal}")),
                Exit::TimedOut => failed("it was killed when its time was up"),
                Exit::Cancelled => failed("it was killed"),
            },
            Err(error) => failed(&error.to_string()),
        }
    }
}

fn failed(what: &str) -> HookRan {
    HookRan::Failed {
        what: what.to_owned(),
    }
}
