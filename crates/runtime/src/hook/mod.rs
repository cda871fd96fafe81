//! Hooks: code and commands of the program's owner that have a say in every call.
//!
//! A hook is a gate like any other: it can stop a call or ask for a person, and what it allows
//! others may still deny. One that fails, whatever way, denies.

mod answer;
mod command;
mod config;
mod payload;
mod run;
mod shell;
mod typed;

pub use command::{HookCommand, HookRan, RunsHooks};
pub use config::{HookConfigError, HookSpec, specs};
pub use payload::EVENT;
pub use run::Processes;
pub use shell::ShellHook;
pub use typed::{HookCall, TypedHook};

/// A hook whose pattern over tool names is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}` is no pattern over tools: {reason}")]
pub struct MatcherError {
    /// The pattern, on one line.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Reads a pattern over tool names.
fn matcher(pattern: &str) -> Result<crate::policy::NamePattern, MatcherError> {
    crate::policy::NamePattern::parse(pattern).map_err(|error| MatcherError {
        pattern: crate::text::one_line(pattern, 64),
        reason: error.to_string(),
    })
}

/// The answer of a hook that does not look at the tool.
fn not_asked(name: &str) -> crate::authz::Evaluation {
    let mut evaluation = crate::authz::Evaluation::of_rule(
        format!("hook:{name}"),
        Ok(toolcontract_protocol::Decision::Allow),
    );
    for step in &mut evaluation.steps {
        step.description = "does not look at this tool".into();
    }
    evaluation
}
