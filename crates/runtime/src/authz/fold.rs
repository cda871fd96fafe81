//! The one decision function: all answers in, one verdict out.
//!
//! Pure, and the same for every order of the answers. Softening turns a gate's or a hook's
//! `Ok(Deny)` into a recorded warning and reaches nothing else: not an error, not the operator,
//! not a question to a person.

use toolcontract_protocol::{
    Decision, ErrorCode, Trace, TraceStep, decision::Verdict, trace::StepOutcome,
};

use super::answer::{Answer, Rank, Source};

/// What a denial of a gate or hook does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Enforcement {
    /// It denies.
    #[default]
    Enforce,
    /// It is written down and the call goes on. For trying out a policy.
    Warn,
}

/// What all answers together came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    /// The verdict.
    pub verdict: Verdict,
    /// The code of a refusal.
    pub code: Option<ErrorCode>,
    /// The rules that want a person asked, in the order of the trace; filled when the verdict asks.
    pub asked_by: Vec<String>,
    /// Denials that became warnings: who, and why.
    pub softened: Vec<(String, String)>,
    /// Every rule of every answer; one decided.
    pub trace: Trace,
}

/// Folds `answers`. With none at all nobody allowed the call, and it is denied. An answer that is
/// there twice counts once.
#[must_use]
pub fn fold(mut answers: Vec<Answer>, enforcement: Enforcement) -> Folded {
    answers.sort_by(Answer::order);
    answers.dedup();
    for answer in &mut answers {
        answer.evaluation.settle(&answer.name);
    }
    let softened = match enforcement {
        Enforcement::Enforce => Vec::new(),
        Enforcement::Warn => soften(&mut answers),
    };
    let rank = |answer: &Answer| Rank::of(answer.source, &answer.evaluation.result);
    let heaviest = answers.iter().map(rank).reduce(Rank::join);
    let weighs = |answer: &Answer| Some(rank(answer)) == heaviest;
    // An operator only narrows: a call is allowed by whoever else allows it.
    let allows = |answer: &Answer| weighs(answer) && answer.source != Source::Operator;
    let first = answers.iter().position(weighs);
    let decider = match heaviest {
        Some(Rank::Allow) => answers.iter().position(allows).or(first),
        _ => first,
    };
    let Some((heaviest, decider)) = heaviest.zip(decider) else {
        return nobody();
    };
    let asked_by = match heaviest {
        Rank::Ask => answers
            .iter()
            .filter(|a| rank(a) == Rank::Ask)
            .filter_map(|a| a.evaluation.steps.get(a.evaluation.decided_by))
            .map(|step| step.rule.to_string())
            .collect(),
        Rank::Allow | Rank::Deny | Rank::Error | Rank::OperatorDeny => Vec::new(),
    };
    let verdict = match answers.get(decider) {
        Some(answer) => Verdict::from(answer.evaluation.result.clone()),
        None => return nobody(),
    };
    let code = answers
        .get(decider)
        .and_then(|answer| code(answer, heaviest));
    match trace(answers, decider) {
        Some(trace) => Folded {
            verdict,
            code,
            asked_by,
            softened,
            trace,
        },
        None => nobody(),
    }
}

/// Turns denials of gates and hooks into warnings and says whose.
fn soften(answers: &mut [Answer]) -> Vec<(String, String)> {
    let mut softened = Vec::new();
    for answer in answers {
        let soft = matches!(
            answer.source,
            Source::Gate | Source::Hook | Source::ShellHook
        );
        if let (true, Ok(Decision::Deny { reason })) = (soft, &answer.evaluation.result) {
            softened.push((answer.name.clone(), reason.clone()));
            answer.evaluation.steps.push(TraceStep::came_to(
                StepOutcome::Allow,
                format!("softened:{}", answer.name),
                "the denial is a warning while enforcement is off",
            ));
            answer.evaluation.decided_by = answer.evaluation.steps.len() - 1;
            answer.evaluation.result = Ok(Decision::Allow);
        }
    }
    softened
}

fn code(answer: &Answer, rank: Rank) -> Option<ErrorCode> {
    match (rank, answer.source) {
        (Rank::Allow | Rank::Ask, _) => None,
        (Rank::OperatorDeny, _) if answer.evaluation.is_of_a_change() => {
            Some(ErrorCode::DefinitionChanged)
        }
        (Rank::OperatorDeny, _) => Some(ErrorCode::ToolDisabled),
        (Rank::Error, _) => Some(ErrorCode::PolicyError),
        (Rank::Deny, Source::Hook | Source::ShellHook) => Some(ErrorCode::DeniedByHook),
        (Rank::Deny, Source::Operator | Source::Gate | Source::Contract) => {
            Some(if answer.evaluation.is_of_the_gate_itself() {
                ErrorCode::DeniedByGate
            } else {
                ErrorCode::DeniedByPolicy
            })
        }
    }
}

/// All steps in order; the decider's deciding step decides.
fn trace(answers: Vec<Answer>, decider: usize) -> Option<Trace> {
    let mut steps = Vec::new();
    let mut at = None;
    for (index, answer) in answers.into_iter().enumerate() {
        if index == decider {
            at = Some(steps.len() + answer.evaluation.decided_by);
        }
        steps.extend(answer.evaluation.steps);
    }
    Trace::decided(steps, at?)
}

fn nobody() -> Folded {
    let reason = "no gate answered";
    let step = TraceStep {
        decided: true,
        ..TraceStep::came_to(StepOutcome::Deny, "fold:no-answer", reason)
    };
    Folded {
        verdict: Verdict::Deny {
            reason: reason.to_owned(),
        },
        code: Some(ErrorCode::DeniedByGate),
        asked_by: Vec::new(),
        softened: Vec::new(),
        trace: Trace {
            steps: vec![step.clone()],
            decided_by: step,
        },
    }
}
