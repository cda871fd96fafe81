//~ E0308
//! A failed evaluation does not pass for a decision.
use toolcontract_runtime::protocol::{AuthzEvalError, Decision};

pub fn decide(answer: Result<Decision, AuthzEvalError>) -> Decision {
    answer
}
