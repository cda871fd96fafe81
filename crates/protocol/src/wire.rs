//! Every type that travels, by name, for whoever derives schemas of them.
//!
//! A schema says what a reader takes, less what only leniency takes: tokens of later versions,
//! the older forms of a contract. Everything that is written is valid against it.

use schemars::{Schema, SchemaGenerator};

use crate::{
    approval::{ApprovalAnswer, ApprovalBinding, ApprovalRequest, ApprovalResolved},
    contract::{ToolContract, ToolSchema},
    decision::{AuthzEvalError, Decision, Verdict},
    error_code::{ErrorClass, ErrorCode},
    event::{EventEnvelope, ToolCallProgress},
    frame::{ApprovalAnswerIn, CancelIn, ServerFrame, ToolResultIn},
    journal::JournalEntry,
    output::ToolOutput,
    principal::Principal,
    provenance::Provenance,
    risk::RiskLevel,
    session::{
        Accepted, Clamped, RequestError, SessionCreated, SessionSpec, SessionState, TurnCreated,
    },
    tool_request::ToolRequest,
    trace::{Trace, TraceStep},
    violation::{Violation, Violations},
};

/// A type that travels.
#[derive(Debug, Clone, Copy)]
pub struct WireType {
    /// Its name, the same in every language.
    pub name: &'static str,
    /// Its schema by itself: what it refers to stands in `$defs`.
    pub root: fn(SchemaGenerator) -> Schema,
    /// A reference to it; its schema, and what that refers to, goes into the generator's definitions.
    pub refer: fn(&mut SchemaGenerator) -> Schema,
}

macro_rules! wire_types {
    ($($name:ident)+) => {
        /// Every type that travels, in the order of the docs.
        pub const WIRE_TYPES: &[WireType] = &[
            $(WireType {
                name: stringify!($name),
                root: SchemaGenerator::into_root_schema_for::<$name>,
                refer: SchemaGenerator::subschema_for::<$name>,
            }),+
        ];
    };
}

wire_types! {
    ToolContract
    ToolSchema
    RiskLevel
    Provenance
    Principal
    Decision
    Verdict
    AuthzEvalError
    Trace
    TraceStep
    ToolOutput
    ErrorClass
    ErrorCode
    Violations
    Violation
    EventEnvelope
    ToolCallProgress
    ApprovalRequest
    ApprovalBinding
    ApprovalAnswer
    ApprovalResolved
    SessionSpec
    SessionCreated
    SessionState
    TurnCreated
    Clamped
    Accepted
    RequestError
    ServerFrame
    ToolRequest
    ToolResultIn
    ApprovalAnswerIn
    CancelIn
    JournalEntry
}
