//! Why a condition holds, or does not: the tests that settle it, in the words of the policy.

use serde_json::Value;

use crate::policy::role::{Answer, Condition};

/// How many tests are told.
const MOST: usize = 8;

/// The tests that make the condition hold, or keep it from holding.
pub(super) fn settle(condition: &Condition, input: &Value) -> String {
    let holds = matches!(condition.answer(input), Answer::Match);
    let mut told = Vec::new();
    collect(condition, input, holds, &mut told);
    let more = told.len().saturating_sub(MOST);
    told.truncate(MOST);
    let mut text = told.join("; ");
    if more > 0 {
        text.push_str(&format!("; and {more} more"));
    }
    text
}

/// Nests no deeper than a file may.
fn collect(condition: &Condition, input: &Value, wanted: bool, told: &mut Vec<String>) {
    let settles = |part: &&Condition| match part.answer(input) {
        Answer::Match => wanted,
        Answer::NoMatch => !wanted,
        Answer::Error(_) => false,
    };
    match condition {
        // One part is enough to keep `all` from holding, and all are needed to make it hold.
        Condition::All(parts) | Condition::Any(parts) => parts
            .iter()
            .filter(settles)
            .for_each(|part| collect(part, input, wanted, told)),
        Condition::Not(inner) => collect(inner, input, !wanted, told),
        Condition::Leaf(leaf) if wanted => told.push(leaf.about()),
        Condition::Leaf(leaf) if leaf.is_absent(input) => {
            told.push(format!("`{}` is not there", leaf.pointer.text));
        }
        Condition::Leaf(leaf) => told.push(leaf.about_unmet()),
    }
}
