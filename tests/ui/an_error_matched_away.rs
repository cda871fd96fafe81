//~ E0005
//! The error cannot be left out of a match.
use toolcontract_runtime::protocol::{AuthzEvalError, Decision};

pub fn decide(answer: Result<Decision, AuthzEvalError>) -> Decision {
    let Ok(decision) = answer;
    decision
}
