//! The port that every authorization system implements.

use std::sync::Arc;

use serde_json::Value;
use toolcontract_protocol::{
    AuthzEvalError, Decision, Principal, ToolContract, TraceStep, trace::StepOutcome,
};

/// Decides one call from the contract, the caller and the input. Synchronous, and pure over data
/// that was read beforehand: no I/O, no clock.
///
/// An `Err` is an unconditional denial: no setting softens it. So are a panic and an answer that
/// comes after the deadline.
pub trait AuthzGate: Send + Sync {
    /// A short stable name; traces and journals show it.
    fn name(&self) -> &str;

    /// The answer.
    ///
    /// # Errors
    /// When the gate cannot decide: its data is missing, a rule meets a value of the wrong type.
    fn check(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Result<Decision, AuthzEvalError>;

    /// The answer with the rules behind it. By default one step for the whole gate.
    fn check_traced(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Evaluation {
        Evaluation::of(self.name(), self.check(contract, principal, input))
    }

    /// Names the policy in force. An approval is good only under the revision it was given for.
    fn revision(&self) -> String {
        String::new()
    }

    /// Whether an answer takes microseconds and cannot block. Such a gate runs on the caller's
    /// thread; every other runs on a thread of its own under a deadline.
    fn is_pure(&self) -> bool {
        false
    }

    /// Whether every call of this tool by this principal is denied, whatever its input. A model is
    /// then not shown the tool. Says nothing about whether a call is allowed; must be quick.
    fn withholds(&self, contract: &ToolContract, principal: &Principal) -> bool {
        let _ = (contract, principal);
        false
    }

    /// Rules that would be in vain in a session of `principal` with exactly these tools, such as a
    /// denial on a tool that none of them is: each in words for whoever wrote the rule. A session
    /// with one is not opened.
    fn unbound_in(&self, contracts: &[&ToolContract], principal: &Principal) -> Vec<String> {
        let _ = (contracts, principal);
        Vec::new()
    }
}

/// How the rule of a gate that names none begins.
const OF_A_GATE: &str = "gate:";

/// The rule by which an operator withholds what is not any more what a person adopted.
pub(crate) const CHANGED: &str = "adoption:changed";

/// How many steps of one answer a trace keeps.
const MAX_STEPS: usize = 1_000;
/// How many bytes of a step's texts.
const MAX_TEXT: usize = 1_000;

/// What a gate answered, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// The answer.
    pub result: Result<Decision, AuthzEvalError>,
    /// The rules that were asked: matches, misses and errors.
    pub steps: Vec<TraceStep>,
    /// Which step gave the answer; its outcome is that answer, or the answer counts as an error.
    pub decided_by: usize,
}

impl Evaluation {
    /// An evaluation of one step named `gate:<name>`.
    #[must_use]
    pub fn of(name: &str, result: Result<Decision, AuthzEvalError>) -> Self {
        Self::of_rule(format!("{OF_A_GATE}{name}"), result)
    }

    /// An evaluation of one step.
    #[must_use]
    pub fn of_rule(rule: impl Into<Arc<str>>, result: Result<Decision, AuthzEvalError>) -> Self {
        let step = match &result {
            Ok(Decision::Allow) => {
                TraceStep::came_to(StepOutcome::Allow, rule, "nothing against it")
            }
            Ok(Decision::Deny { reason }) => {
                TraceStep::came_to(StepOutcome::Deny, rule, reason.clone())
            }
            Ok(Decision::RequireApproval { reason }) => {
                TraceStep::came_to(StepOutcome::PendingApproval, rule, reason.clone())
            }
            Err(error) => TraceStep::came_to(StepOutcome::Error, rule, error.detail.clone()),
        };
        Self {
            result,
            steps: vec![step],
            decided_by: 0,
        }
    }

    /// A failure to evaluate, of the gate `name`.
    #[must_use]
    pub fn error(name: &str, detail: impl Into<String>) -> Self {
        let error = AuthzEvalError {
            gate: name.to_owned(),
            detail: detail.into(),
        };
        Self::of(name, Err(error))
    }

    /// Whether the gate answered as a whole, without naming a rule.
    pub(super) fn is_of_the_gate_itself(&self) -> bool {
        self.steps
            .get(self.decided_by)
            .is_none_or(|step| step.rule.starts_with(OF_A_GATE))
    }

    /// Whether the answer is that the tool has changed.
    pub(super) fn is_of_a_change(&self) -> bool {
        let decided = self.steps.get(self.decided_by);
        decided.is_some_and(|step| &*step.rule == CHANGED)
    }

    /// An answer whose trace does not bear it out is no answer; a trace that is too long is cut,
    /// and says so.
    pub(super) fn settle(&mut self, name: &str) {
        self.cut();
        let expected = match &self.result {
            Ok(Decision::Allow) => StepOutcome::Allow,
            Ok(Decision::Deny { .. }) => StepOutcome::Deny,
            Ok(Decision::RequireApproval { .. }) => StepOutcome::PendingApproval,
            Err(_) => StepOutcome::Error,
        };
        let decided = self.steps.get(self.decided_by);
        if decided.is_some_and(|step| step.outcome == Some(expected)) {
            return;
        }
        let failed = Self::error(name, "the trace does not bear out the answer");
        self.steps.extend(failed.steps);
        self.decided_by = self.steps.len() - 1;
        self.result = failed.result;
    }

    fn cut(&mut self) {
        let more = self.steps.len().saturating_sub(MAX_STEPS);
        if more > 0 {
            let decider = self.steps.get(self.decided_by).cloned();
            self.steps.truncate(MAX_STEPS);
            let what = format!("{more} more steps are not kept");
            self.steps.push(TraceStep::miss("trace:cut", what));
            if let (Some(step), true) = (decider, self.decided_by >= MAX_STEPS) {
                self.decided_by = self.steps.len();
                self.steps.push(step);
            }
        }
        for step in &mut self.steps {
            if let Some(short) = shortened(&step.rule) {
                step.rule = short.into();
            }
            if let Some(short) = shortened(&step.description) {
                step.description = short.into();
            }
        }
    }
}

/// `text` cut to what a trace keeps; none when it is short enough.
fn shortened(text: &str) -> Option<String> {
    let kept = text.get(..text.floor_char_boundary(MAX_TEXT))?;
    (text.len() > MAX_TEXT).then(|| format!("{kept}…"))
}
