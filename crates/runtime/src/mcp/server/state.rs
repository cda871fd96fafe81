//! Asking by returning the question, as clients since 2026-07-28 are asked: the client repeats the
//! call with the answer and with the state that came with the question.
//!
//! The state is sealed, so a client cannot write one, and says which call it belongs to, so it is
//! good for no other. The ledger of the registry spends it: it counts once, and for a while.

use std::time::Duration;

use rmcp::model::{
    ElicitRequest, InputRequest, InputRequests, InputRequiredResult, InputResponses,
    RequestStateCodec, SealOptions,
};
use serde::{Deserialize, Serialize};
use toolcontract_protocol::{Principal, approval::ApprovalAnswer};
use toolcontract_schema::{
    bounds::{self, Limits},
    digest::digest,
};

use super::{
    ServeError,
    approve::{answer, question},
};
use crate::approval::Ticket;

/// Names the question among those of one result.
const QUESTION: &str = "approval";
/// How much longer a state can be opened than its question can be answered, so that it is the
/// ledger which says that the answer came too late.
const LONGER: Duration = Duration::from_secs(600);

/// What a state says.
#[derive(Serialize, Deserialize)]
pub(super) struct State {
    /// The question.
    pub(super) ticket: String,
    /// The tool that was called.
    pub(super) tool: String,
    /// Digest of the input as it was sent.
    pub(super) input: String,
}

/// Seals states, with a key that this process alone knows.
#[derive(Debug)]
pub(super) struct Seal(RequestStateCodec);

impl Seal {
    pub(super) fn new() -> Result<Self, ServeError> {
        let mut key = [0; RequestStateCodec::MIN_KEY_LENGTH];
        getrandom::fill(&mut key).map_err(|_| ServeError::NoRandomness)?;
        let codec = RequestStateCodec::try_new(key).map_err(|_| ServeError::NoRandomness)?;
        Ok(Self(codec))
    }

    /// The question of `ticket`, to be returned to the client of `principal`. None when it cannot
    /// be written.
    pub(super) fn ask(
        &self,
        ticket: &Ticket,
        sent: &str,
        principal: &Principal,
        time: Duration,
    ) -> Option<InputRequiredResult> {
        let state = State {
            ticket: ticket.id().to_owned(),
            tool: ticket.request.tool.clone(),
            input: sent_digest(sent)?,
        };
        let bound = principal.to_string();
        let options = SealOptions::new()
            .associated_data(bound.as_bytes())
            .ttl(time.saturating_add(LONGER));
        let state = self.0.seal_json_with(&state, &options).ok()?;
        let question = InputRequest::Elicitation(ElicitRequest::new(question(ticket)?));
        let questions = InputRequests::from_iter([(QUESTION.to_owned(), question)]);
        Some(InputRequiredResult::new(Some(questions), Some(state)))
    }

    /// What `state` says. None unless this process sealed it for `principal`.
    pub(super) fn open(&self, state: &str, principal: &Principal) -> Option<State> {
        let bound = principal.to_string();
        self.0.open_json_with(state, bound.as_bytes()).ok()
    }
}

impl State {
    /// Whether a call is the one that was asked about.
    pub(super) fn is_of(&self, tool: &str, sent: &str) -> bool {
        self.tool == tool && sent_digest(sent).is_some_and(|digest| digest == self.input)
    }
}

/// The answer among those that came back. None is a no.
pub(super) fn answered(responses: Option<&InputResponses>) -> ApprovalAnswer {
    let response = responses.and_then(|responses| responses.get(QUESTION));
    let result = response.and_then(|value| serde_json::from_value(value.clone()).ok());
    match result {
        Some(result) => answer(&result),
        None => ApprovalAnswer::Deny { reason: None },
    }
}

/// Digest of arguments as they were sent, before anything rewrote them.
fn sent_digest(sent: &str) -> Option<String> {
    let limits = Limits {
        numbers: bounds::Numbers::Any,
        ..Limits::default()
    };
    let value = bounds::read(sent.as_bytes(), &limits).ok()?;
    digest(&value).ok()
}
