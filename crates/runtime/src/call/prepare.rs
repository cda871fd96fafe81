//! From what came in to an input that the contract accepts. No gate and no person has seen it.

use std::sync::Arc;

use serde_json::Value;
use toolcontract_protocol::{ErrorClass, ErrorCode, ToolOutput, TraceStep, Violations};
use toolcontract_schema::{
    bounds,
    digest::{self, hex},
};

use super::{CallInput, rewrite::rewrite};
use crate::{
    caller::Caller,
    registry::{Checker, Entry, Inner},
};

/// An input that is what the contract says. Only [`prepare`] makes one.
pub(super) struct Checked {
    pub(super) entry: Arc<Entry>,
    pub(super) input: Arc<Value>,
    pub(super) input_digest: String,
    /// What the rewriters did.
    pub(super) steps: Vec<TraceStep>,
}

/// Why a call ended before anything decided about it.
pub(super) struct Refusal {
    pub(super) entry: Option<Arc<Entry>>,
    /// The step of the call that refused, as a rule of the trace.
    pub(super) rule: String,
    /// Why, without values.
    pub(super) reason: String,
    pub(super) output: ToolOutput,
    pub(super) input_digest: Option<String>,
    pub(super) steps: Vec<TraceStep>,
    /// Whether something could not be evaluated, as opposed to refused.
    pub(super) failed: bool,
}

pub(super) async fn prepare(
    inner: &Inner,
    name: &str,
    input: CallInput<'_>,
    caller: &Caller,
) -> Result<Checked, Box<Refusal>> {
    let Some(entry) = inner.entries.get(name) else {
        return Err(Box::new(Refusal {
            entry: None,
            rule: "call:look-up".to_owned(),
            reason: "no tool of that name is registered".to_owned(),
            output: ToolOutput::coded(ErrorCode::UnknownTool, "there is no tool of that name"),
            input_digest: None,
            steps: Vec::new(),
            failed: false,
        }));
    };
    let raw_digest = match input {
        // What is over the limit is not read, not even to digest it.
        CallInput::Bytes(bytes) if bytes.len() <= inner.limits.input.bytes => Some(bytes),
        CallInput::Bytes(_) | CallInput::Value(_) => None,
    };
    let input = match input {
        CallInput::Value(value) => value,
        CallInput::Bytes(bytes) => bounds::read(bytes, &Checker::limits(&inner.limits.input))
            .map_err(|fault| {
                let mismatch = crate::registry::out_of_bounds(&fault);
                let digest = raw_digest.map(hex);
                refuse(entry, "call:bounds", *mismatch, digest, Vec::new())
            })?,
    };
    check(inner, entry, &input, &[])?;
    let rewritten = rewrite(inner, entry, caller.principal(), Arc::new(input)).await?;
    if rewritten.changed {
        check(inner, entry, &rewritten.input, &rewritten.steps)?;
    }
    Ok(Checked {
        entry: Arc::clone(entry),
        input_digest: digest_of(&rewritten.input),
        input: rewritten.input,
        steps: rewritten.steps,
    })
}

/// Input against schema, bounds first.
fn check(
    inner: &Inner,
    entry: &Arc<Entry>,
    input: &Value,
    steps: &[TraceStep],
) -> Result<(), Box<Refusal>> {
    let limits = &inner.limits;
    entry
        .input
        .check(input, &limits.input, limits.violations)
        .map_err(|mismatch| {
            let rule = match mismatch.code {
                None | Some(ErrorCode::PatternLimit) => "call:input-schema",
                Some(_) => "call:bounds",
            };
            let digest = digest::digest_of(input).ok();
            refuse(entry, rule, *mismatch, digest, steps.to_vec())
        })
}

fn refuse(
    entry: &Arc<Entry>,
    rule: &str,
    mismatch: crate::registry::Mismatch,
    input_digest: Option<String>,
    steps: Vec<TraceStep>,
) -> Box<Refusal> {
    Box::new(Refusal {
        entry: Some(Arc::clone(entry)),
        rule: rule.to_owned(),
        reason: "the input is not what the contract says".to_owned(),
        output: invalid_input(&entry.contract.name, mismatch.code, &mismatch.violations),
        input_digest,
        steps,
        failed: false,
    })
}

/// The structured error of an invalid input.
pub(super) fn invalid_input(
    tool: &str,
    code: Option<ErrorCode>,
    violations: &Violations,
) -> ToolOutput {
    match ToolOutput::invalid_input(tool, violations) {
        ToolOutput::Error { message, data, .. } => ToolOutput::Error {
            message,
            class: ErrorClass::InvalidInput,
            code,
            data,
        },
        output @ ToolOutput::Ok { .. } => output,
    }
}

/// The digest of a value within bounds; empty when there is none, which equals no digest.
pub(super) fn digest_of(input: &Value) -> String {
    digest::digest_of(input).unwrap_or_default()
}
