//! Holds what a crate made of values against what their schema says of them.

use std::fmt::Write as _;

use serde_json::Value;

use super::{
    equal::equal,
    krate::{Answer, Program},
};

/// A question and what is right.
pub(super) struct Question {
    /// The entry of the program.
    pub(super) entry: String,
    /// Ask with formats asserted, which is the authored posture.
    pub(super) formats: bool,
    pub(super) value: Value,
    /// Whether the schema accepts the value.
    pub(super) valid: bool,
}

/// What is to be thought of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Verdict {
    Exact,
    /// Refused for a reason that is on the list of reasons.
    Refused(&'static str),
    Wrong(String),
}

/// A verdict for each question.
pub(super) fn judge(program: &Program, questions: &[Question]) -> Vec<Verdict> {
    let asked: Vec<(&str, bool, &Value)> = questions
        .iter()
        .map(|q| (q.entry.as_str(), q.formats, &q.value))
        .collect();
    let answers = program.ask(&asked);
    assert_eq!(answers.len(), questions.len());
    questions
        .iter()
        .zip(answers)
        .map(|(question, answer)| verdict(question, answer))
        .collect()
}

fn verdict(question: &Question, answer: Answer) -> Verdict {
    let Question {
        entry,
        formats,
        value,
        valid,
    } = question;
    let fault = match answer {
        Answer::Ok(back) if *valid && equal(value, &back) => return Verdict::Exact,
        Answer::Invalid(_) if !valid => return Verdict::Exact,
        Answer::Invalid(why) if *formats && why.contains("within ±9007199254740991") => {
            return Verdict::Refused("integers beyond 2^53 - 1 in an authored contract");
        }
        Answer::Ok(back) if *valid => format!("gives back {back}"),
        Answer::Ok(_) => "takes what is invalid".to_owned(),
        Answer::Invalid(why) => format!("refuses what is valid: {why}"),
        Answer::Type(why) => format!("has a type that does not take it: {why}"),
        Answer::Schema(why) => format!("has a schema that does not compile: {why}"),
    };
    let posture = if *formats { ", formats asserted" } else { "" };
    let mut wrong = String::new();
    let _ = write!(wrong, "{entry}{posture}: {value}: {fault}");
    Verdict::Wrong(wrong)
}
