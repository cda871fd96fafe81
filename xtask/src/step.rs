//! A task is a list of commands. They run one after the other in the root of the repository; the
//! first that fails ends the task and is named.

use std::{path::Path, process::Command};

use toolcontract_codegen::cli::{Exit, Io, Screen, Tone};

/// One command.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// Program and arguments.
    words: Vec<String>,
    /// Variables that are set for it.
    env: Vec<(&'static str, &'static str)>,
    /// It runs only when this path does not exist.
    unless: Option<&'static str>,
}

impl Step {
    /// A command, its words separated by single spaces.
    pub(crate) fn new(line: &'static str) -> Self {
        Self {
            words: line.split(' ').map(str::to_owned).collect(),
            env: Vec::new(),
            unless: None,
        }
    }

    /// Adds one argument, unless it is empty.
    pub(crate) fn argument(mut self, word: &str) -> Self {
        if !word.is_empty() {
            self.words.push(word.to_owned());
        }
        self
    }

    /// Sets a variable for the command.
    pub(crate) fn env(mut self, name: &'static str, value: &'static str) -> Self {
        self.env.push((name, value));
        self
    }

    /// Leaves the command out when `path` exists.
    pub(crate) fn unless_exists(mut self, path: &'static str) -> Self {
        self.unless = Some(path);
        self
    }

    /// The command as a person would type it.
    fn line(&self) -> String {
        let set = self
            .env
            .iter()
            .map(|(name, value)| format!("{name}='{value}'"));
        let words = self.words.iter().cloned();
        set.chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// The root of this repository.
pub(crate) fn repository() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Runs `steps` until one fails.
pub(crate) fn run_all(steps: &[Step], io: &mut Io<'_>) -> Exit {
    for step in steps {
        if step
            .unless
            .is_some_and(|path| repository().join(path).exists())
        {
            continue;
        }
        say(io, Tone::Good, "Running", &step.line());
        if let Err(why) = run(step) {
            say(io, Tone::Bad, "Failed", &format!("{}: {why}", step.line()));
            return Exit::Failed;
        }
    }
    say(io, Tone::Good, "Finished", "every step");
    Exit::Clean
}

fn run(step: &Step) -> Result<(), String> {
    let [program, arguments @ ..] = step.words.as_slice() else {
        return Ok(());
    };
    let status = Command::new(program)
        .args(arguments)
        .envs(step.env.iter().copied())
        .current_dir(repository())
        .status()
        .map_err(|e| format!("cannot run `{program}`: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(status.to_string())
    }
}

/// To standard error, in order with what the commands print.
fn say(io: &mut Io<'_>, tone: Tone, verb: &str, about: &str) {
    let colour = io.colour;
    // A closed stream is no reason to stop a task.
    let _ = Screen::new(io.err, colour).line(tone, verb, about);
}
