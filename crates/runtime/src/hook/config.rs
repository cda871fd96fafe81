//! The block `hooks` of a settings file. Refuses an event that nobody knows, and times that are
//! no times; events that this program does not have are told, so that nobody waits for them.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::payload::EVENT;
use crate::text::one_line;

/// A hook as settings describe it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HookSpec {
    /// Its name in traces and journals: event and place, such as `PreToolUse-1`.
    pub name: String,
    /// Which tools it looks at: a name, or a pattern with `*`.
    pub matcher: String,
    /// The command line, which a shell reads.
    pub command: String,
    /// How long it may run.
    pub time: Duration,
    /// Whether it may change inputs as well.
    pub rewrites: bool,
}

impl HookSpec {
    /// A hook on every tool that may run for a minute.
    #[must_use]
    pub fn new(name: impl Into<String>, command: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            matcher: "*".to_owned(),
            command: command.into(),
            time: DEFAULT_TIME,
            rewrites: false,
        }
    }
}

/// How long a hook may run that says nothing.
const DEFAULT_TIME: Duration = Duration::from_secs(60);
/// How long any may run, in milliseconds.
const LONGEST: u64 = 600_000;

/// Events that hosts of agents know and that are no calls of tools.
const OF_HOSTS: [&str; 6] = [
    "SessionStart",
    "PostToolUse",
    "Stop",
    "PreCompact",
    "PreIssueWork",
    "PostIssueWork",
];

/// What is wrong with a block of hooks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HookConfigError {
    /// The block is not what the settings say it is.
    #[error("`hooks` cannot be read: {0}")]
    Shape(#[source] serde_json::Error),
    /// An event that nobody knows.
    #[error("there is no hook event `{0}`")]
    UnknownEvent(String),
    /// A time that is zero or too long.
    #[error("hook `{0}`: `timeoutMs` is between 1 and {LONGEST}")]
    Time(String),
    /// A hook without a command.
    #[error("hook `{0}` has no command")]
    NoCommand(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Matched {
    #[serde(default = "every_tool")]
    matcher: String,
    hooks: Vec<Handler>,
}

fn every_tool() -> String {
    "*".to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Handler {
    #[serde(rename = "type")]
    _kind: Kind,
    command: String,
    #[serde(rename = "timeoutMs")]
    timeout_ms: Option<u64>,
    #[serde(default)]
    rewrites: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Command,
}

/// The hooks of `block`, in its order, and the events in it that this program does not have.
///
/// # Errors
/// When anything in the block is not understood.
pub fn specs(block: &Value) -> Result<(Vec<HookSpec>, Vec<String>), HookConfigError> {
    let block: BTreeMap<String, Vec<Matched>> =
        serde_json::from_value(block.clone()).map_err(HookConfigError::Shape)?;
    let (mut specs, mut elsewhere) = (Vec::new(), Vec::new());
    for (event, matched) in block {
        if OF_HOSTS.contains(&event.as_str()) {
            elsewhere.push(event);
            continue;
        }
        if event != EVENT {
            return Err(HookConfigError::UnknownEvent(one_line(&event, 64)));
        }
        for matched in matched {
            for handler in matched.hooks {
                let name = format!("{event}-{}", specs.len() + 1);
                specs.push(spec(name, &matched.matcher, handler)?);
            }
        }
    }
    Ok((specs, elsewhere))
}

fn spec(name: String, matcher: &str, handler: Handler) -> Result<HookSpec, HookConfigError> {
    let time = match handler.timeout_ms {
        None => DEFAULT_TIME,
        Some(millis) if (1..=LONGEST).contains(&millis) => Duration::from_millis(millis),
        Some(_) => return Err(HookConfigError::Time(name)),
    };
    if handler.command.trim().is_empty() {
        return Err(HookConfigError::NoCommand(name));
    }
    Ok(HookSpec {
        name,
        matcher: matcher.to_owned(),
        command: handler.command,
        time,
        rewrites: handler.rewrites,
    })
}
