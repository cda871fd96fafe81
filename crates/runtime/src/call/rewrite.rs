//! Rewriters, each on the input as it was sent. They come before everything that decides, so that
//! nothing is decided about an input that does not run.

use std::sync::Arc;

use serde_json::Value;
use toolcontract_protocol::{
    AuthzEvalError, ErrorCode, Principal, ToolOutput, TraceStep, trace::StepOutcome,
};

use super::{
    aside,
    prepare::{Refusal, digest_of},
};
use crate::{
    authz::Rewriter,
    registry::{Entry, Inner, Named},
};

/// The input after all rewriters.
pub(super) struct Rewritten {
    pub(super) input: Arc<Value>,
    pub(super) changed: bool,
    pub(super) steps: Vec<TraceStep>,
}

type Rewrite = Result<Option<Value>, AuthzEvalError>;

pub(super) async fn rewrite(
    inner: &Inner,
    entry: &Arc<Entry>,
    principal: &Principal,
    input: Arc<Value>,
) -> Result<Rewritten, Box<Refusal>> {
    if inner.rewriters.is_empty() {
        return Ok(Rewritten {
            input,
            changed: false,
            steps: Vec::new(),
        });
    }
    let original = digest_of(&input);
    let mut steps = Vec::new();
    let mut rewrites: Vec<(String, Value)> = Vec::new();
    for (name, result) in ask(inner, entry, principal, &input).await {
        let rule = format!("rewrite:{name}");
        let rewritten = match result {
            Ok(rewritten) => rewritten,
            Err(error) => {
                let failed = TraceStep::came_to(StepOutcome::Error, rule.as_str(), error.detail);
                steps.push(failed);
                let why = "a rewriter could not tell what the input should be";
                let code = ErrorCode::PolicyError;
                return Err(refuse(entry, &rule, why, code, original, steps));
            }
        };
        let digest = rewritten.as_ref().map(digest_of);
        match rewritten.zip(digest) {
            Some((value, digest)) if digest != original => {
                let what = format!("rewrote the input, which had the SHA-256 {original}");
                steps.push(TraceStep::miss(rule, what));
                if rewrites.iter().all(|(other, _)| *other != digest) {
                    rewrites.push((digest, value));
                }
            }
            Some(_) | None => steps.push(TraceStep::miss(rule, "left the input as it was")),
        }
    }
    if rewrites.len() > 1 {
        let why = "two rewriters disagree about the input";
        let code = ErrorCode::RewriteConflict;
        let rule = "rewrite:conflict";
        return Err(refuse(entry, rule, why, code, original, steps));
    }
    let rewritten = rewrites.pop().map(|(_, rewritten)| Arc::new(rewritten));
    Ok(Rewritten {
        changed: rewritten.is_some(),
        input: rewritten.unwrap_or(input),
        steps,
    })
}

/// What each rewriter says, in the order of registration.
async fn ask(
    inner: &Inner,
    entry: &Arc<Entry>,
    principal: &Principal,
    input: &Arc<Value>,
) -> Vec<(String, Rewrite)> {
    let until = inner.clock.monotonic() + inner.limits.shell_hook;
    let start = |named: &Named<dyn Rewriter>| {
        if named.is_pure {
            return aside::here(|| named.port.rewrite(&entry.contract, principal, input));
        }
        let rewriter = Arc::clone(&named.port);
        let (contract, principal) = (Arc::clone(&entry.contract), principal.clone());
        let input = Arc::clone(input);
        aside::start(named, move || {
            rewriter.rewrite(&contract, &principal, &input)
        })
    };
    let asked: Vec<_> = inner.rewriters.iter().map(|r| (r, start(r))).collect();
    let mut answers = Vec::with_capacity(asked.len());
    for (named, asked) in asked {
        let result = asked
            .until(inner.clock.as_ref(), until)
            .await
            .unwrap_or_else(|detail| Err(failed(&named.name, detail)));
        answers.push((named.name.clone(), result));
    }
    answers
}

fn failed(name: &str, detail: &str) -> AuthzEvalError {
    AuthzEvalError {
        gate: name.to_owned(),
        detail: detail.to_owned(),
    }
}

fn refuse(
    entry: &Arc<Entry>,
    rule: &str,
    reason: &str,
    code: ErrorCode,
    input_digest: String,
    steps: Vec<TraceStep>,
) -> Box<Refusal> {
    let message = super::record::refusal_text(&entry.contract.name, &code);
    Box::new(Refusal {
        entry: Some(Arc::clone(entry)),
        rule: rule.to_owned(),
        reason: reason.to_owned(),
        output: ToolOutput::coded(code, message),
        input_digest: Some(input_digest),
        steps,
        failed: true,
    })
}
