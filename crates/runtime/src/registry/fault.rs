//! What a registry refuses to be built from. All of it is told at once.

use std::fmt;

use toolcontract_protocol::contradiction::{Contradiction, DuplicateName};
use toolcontract_schema::validator::CompileError;

use crate::text::one_line;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A name that no tool may have.
    #[error("tool `{}`: {reason}", one_line(.name, 80))]
    Name {
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Two tools that a call could mean.
    #[error(transparent)]
    Duplicate(DuplicateName),
    /// A contract that says two things that cannot both hold.
    #[error("tool `{tool}`: {contradiction}")]
    Contradiction {
        /// The tool.
        tool: String,
        /// What it says.
        contradiction: Contradiction,
    },
    /// A contract lists an event that only hosts or plugins emit.
    #[error("tool `{tool}`: event `{}` is not for tools to emit", one_line(.event, 130))]
    ReservedEvent {
        /// The tool.
        tool: String,
        /// The event.
        event: String,
    },
    /// A schema of a contract does not compile.
    #[error("tool `{tool}`: {which} at `{pointer}`: {message}", pointer = .error.pointer, message = .error.message)]
    Schema {
        /// The tool.
        tool: String,
        /// `input_schema` or `output_schema`.
        which: &'static str,
        /// Where, and what is wrong.
        error: CompileError,
    },
    /// A contract has no canonical JSON, so no approval or pin could be bound to it.
    #[error("tool `{tool}`: the contract has no form as canonical JSON")]
    Undigestible {
        /// The tool.
        tool: String,
    },
    /// The payload schema of an event does not compile.
    #[error("event `{}`: payload_schema at `{pointer}`: {message}", one_line(.event, 130), pointer = .error.pointer, message = .error.message)]
    EventSchema {
        /// The event.
        event: String,
        /// Where, and what is wrong.
        error: CompileError,
    },
    /// `tool.call.progress` is declared with a payload that is not the runtime's.
    #[error(
        "event `tool.call.progress`: payload_schema: the runtime sends `tool`, `call_id`, `seq`, `stage`, `message`, `done`, `total` and `unit`, and no other payload can be declared; leave it out, since it is declared already"
    )]
    ProgressPayload,
    /// An event is declared twice.
    #[error("event `{}` is declared twice", one_line(.event, 130))]
    DuplicateEvent {
        /// The event.
        event: String,
    },
    /// Two gates, hooks or rewriters of one name: a trace could not tell them apart.
    #[error("two gates, hooks or rewriters are named `{}`; rename one", one_line(.name, 80))]
    DuplicateGate {
        /// The name.
        name: String,
    },
}

/// Everything that is wrong, in the order of registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    /// At least one.
    pub faults: Vec<Fault>,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for BuildError {}
