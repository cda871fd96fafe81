//! Who can answer a question.

use toolcontract_protocol::approval::{ApprovalAnswer, ApprovalRequest};

use super::Ticket;
use crate::tool::BoxFuture;

/// What came of asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answered {
    /// Somebody answered.
    Said {
        /// What.
        answer: ApprovalAnswer,
        /// Who, as this channel knows them.
        by: Option<String>,
    },
    /// There is nobody to ask. A no.
    Nobody,
}

/// A channel to somebody who can answer. Never a model, never a tool: what those say is text.
///
/// The registry stops waiting when the question expires or the caller goes away; the future is
/// dropped then.
pub trait Approver: Send + Sync {
    /// Puts the question and waits for the answer.
    fn ask<'a>(&'a self, ticket: &'a Ticket) -> BoxFuture<'a, Answered>;
}

/// Nobody can answer: every question is refused.
#[derive(Debug, Clone, Copy)]
pub struct Nobody;

impl Approver for Nobody {
    fn ask<'a>(&'a self, _: &'a Ticket) -> BoxFuture<'a, Answered> {
        Box::pin(std::future::ready(Answered::Nobody))
    }
}

/// The program answers for a person who told it beforehand how.
#[derive(Debug, Clone)]
pub struct Programmatic<F> {
    /// Who that person is; journals show it.
    pub by: String,
    /// The answer to a question.
    pub answer: F,
}

impl<F: Fn(&ApprovalRequest) -> ApprovalAnswer + Send + Sync> Approver for Programmatic<F> {
    fn ask<'a>(&'a self, ticket: &'a Ticket) -> BoxFuture<'a, Answered> {
        let answer = (self.answer)(&ticket.request);
        let by = Some(self.by.clone());
        Box::pin(std::future::ready(Answered::Said { answer, by }))
    }
}
