//! The questions that a schema leaves open while a value is made, and the answers taken. Another
//! attempt takes other answers.

use std::collections::BTreeMap;

/// Which alternative is taken, by place and union.
#[derive(Debug, Clone, Default)]
pub(super) struct Choices(pub(super) BTreeMap<(String, Question), usize>);

/// What is open at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Question {
    /// The nth union of the place, in reading order.
    Branch(usize),
    /// Which type, of several.
    Type,
    /// Which value, of those that fit equally.
    Value,
}

/// A question that came up, and how many answers it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) at: String,
    pub(super) question: Question,
    pub(super) answers: usize,
    pub(super) taken: usize,
}

/// Asks a question: what `choices` say, else `usual`.
pub(super) fn ask(
    at: &str,
    question: Question,
    answers: usize,
    usual: usize,
    choices: &Choices,
    asked: &mut Vec<Asked>,
) -> usize {
    let key = (at.to_owned(), question);
    let taken = choices.0.get(&key).copied().unwrap_or(usual);
    let taken = taken.min(answers.saturating_sub(1));
    asked.push(Asked {
        at: key.0,
        question,
        answers,
        taken,
    });
    taken
}
