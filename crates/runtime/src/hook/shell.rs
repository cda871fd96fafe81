//! Hooks that are commands, as gates and as rewriters.

use std::{path::PathBuf, sync::Arc};

use serde_json::Value;
use toolcontract_protocol::{AuthzEvalError, Decision, Principal, ToolContract};
use toolcontract_schema::digest::digest;

use super::{
    MatcherError,
    answer::{Said, read},
    command::{HookCommand, HookRan, RunsHooks},
    config::HookSpec,
    matcher, not_asked, payload,
};
use crate::{
    authz::{AuthzGate, Evaluation, Rewriter},
    policy::NamePattern,
};

/// A hook that is a command. As a gate it decides; as a rewriter it changes the input before
/// anything decides. One that does both is registered as both, and runs twice.
#[derive(Clone)]
pub struct ShellHook {
    spec: HookSpec,
    matcher: NamePattern,
    folder: PathBuf,
    commands: Arc<dyn RunsHooks>,
}

impl std::fmt::Debug for ShellHook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShellHook")
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}

impl ShellHook {
    /// A hook that runs in `folder`.
    ///
    /// # Errors
    /// When the pattern over tools is none.
    pub fn new(
        spec: HookSpec,
        folder: impl Into<PathBuf>,
        commands: Arc<dyn RunsHooks>,
    ) -> Result<Self, MatcherError> {
        Ok(Self {
            matcher: matcher(&spec.matcher)?,
            spec,
            folder: folder.into(),
            commands,
        })
    }

    /// Whether the hook is meant to change inputs as well.
    #[must_use]
    pub fn rewrites(&self) -> bool {
        self.spec.rewrites
    }

    fn ask(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Result<Said, AuthzEvalError> {
        let payload = payload::of(&self.folder, contract, principal, input)
            .map_err(|_| self.failed("the call has no JSON form"))?;
        let ran = self.commands.run(HookCommand {
            line: self.spec.command.clone(),
            input: payload,
            folder: self.folder.clone(),
            time: self.spec.time,
        });
        match ran {
            HookRan::Ended {
                code: 0,
                out: Some(out),
            } => read(&out).map_err(|why| self.failed(why)),
            HookRan::Ended { code: 0, out: None } => Err(self.failed("it wrote too much")),
            HookRan::Ended { code, .. } => Err(self.failed(&format!("it ended with code {code}"))),
            HookRan::Failed { what } => Err(self.failed(&what)),
        }
    }

    fn failed(&self, what: &str) -> AuthzEvalError {
        AuthzEvalError {
            gate: self.spec.name.clone(),
            detail: what.to_owned(),
        }
    }

    fn decide(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        match self.ask(contract, principal, input)? {
            Said::Nothing => Ok(Decision::Allow),
            Said::Decision(decision) => Ok(decision),
            // The input was changed already, where the hook may change it.
            Said::Rewrite(other) if is_same(&other, input) => Ok(Decision::Allow),
            Said::Rewrite(_) => Err(self.failed(
                "it changes the input when it is asked to decide about it; give it `rewrites`",
            )),
        }
    }
}

fn is_same(a: &Value, b: &Value) -> bool {
    matches!((digest(a), digest(b)), (Ok(a), Ok(b)) if a == b)
}

impl AuthzGate for ShellHook {
    fn name(&self) -> &str {
        &self.spec.name
    }

    fn check(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        self.check_traced(contract, principal, input).result
    }

    fn check_traced(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Evaluation {
        if !self.matcher.matches(&contract.name) {
            return not_asked(&self.spec.name);
        }
        let rule = format!("hook:{}", self.spec.name);
        Evaluation::of_rule(rule, self.decide(contract, principal, input))
    }

    fn revision(&self) -> String {
        // Words and numbers always have a digest.
        digest(&self.spec).unwrap_or_default()
    }
}

impl Rewriter for ShellHook {
    fn name(&self) -> &str {
        &self.spec.name
    }

    fn rewrite(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Result<Option<Value>, AuthzEvalError> {
        if !self.matcher.matches(&contract.name) {
            return Ok(None);
        }
        match self.ask(contract, principal, input)? {
            Said::Rewrite(input) => Ok(Some(input)),
            // It decides when it is asked to.
            Said::Nothing | Said::Decision(_) => Ok(None),
        }
    }
}
