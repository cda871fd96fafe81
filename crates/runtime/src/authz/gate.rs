//! The port that every authorization system implements.

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
    /// thread; every other runs aside under a deadline.
    fn is_pure(&self) -> bool {
        false
    }
}

/// What a gate answered, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// The answer.
    pub result: Result<Decision, AuthzEvalError>,
    /// The rules that were asked: matches, misses and errors.
    pub steps: Vec<TraceStep>,
    /// Which step gave the answer.
    pub decided_by: usize,
}

impl Evaluation {
    /// An evaluation of one step named `gate:<name>`.
    #[must_use]
    pub fn of(name: &str, result: Result<Decision, AuthzEvalError>) -> Self {
        let rule = format!("gate:{name}");
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
}
