//! Asking the person behind a client, by elicitation. Clients before 2026-07-28 are asked with a
//! request of the server; later ones by returning the question (`state`).
//!
//! Only an accepted form whose box is ticked is a yes. A client that cannot show a form has nobody
//! to ask.

use rmcp::{
    Peer, RoleServer,
    model::{
        ClientCapabilities, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema,
    },
};
use toolcontract_protocol::approval::ApprovalAnswer;

use crate::{
    approval::{Answered, Approver, Ticket},
    tool::BoxFuture,
};

/// The box of the form.
const APPROVE: &str = "approve";

/// Asks a client that takes requests of a server.
pub(super) struct Elicitation {
    pub(super) peer: Peer<RoleServer>,
    /// Who answers, as journals show it.
    pub(super) client: String,
}

impl Approver for Elicitation {
    fn ask<'a>(&'a self, ticket: &'a Ticket) -> BoxFuture<'a, Answered> {
        Box::pin(async move {
            let Some(question) = question(ticket) else {
                return Answered::Nobody;
            };
            match self.peer.create_elicitation(question).await {
                Ok(result) => Answered::Said {
                    answer: answer(&result),
                    by: Some(self.client.clone()),
                },
                Err(_) => Answered::Nobody,
            }
        })
    }
}

/// Whether a client shows forms. One that names no mode means them.
pub(super) fn shows_forms(client: Option<&ClientCapabilities>) -> bool {
    client
        .and_then(|client| client.elicitation.as_ref())
        .is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

/// The capability that is missing where nobody can be asked.
pub(super) fn forms() -> ClientCapabilities {
    ClientCapabilities::builder().enable_elicitation().build()
}

/// The form. None when it cannot be written.
pub(super) fn question(ticket: &Ticket) -> Option<ElicitRequestParams> {
    let requested_schema = ElicitationSchema::builder()
        .required_bool_with(APPROVE, |approve| {
            approve
                .title("Let it run once")
                .description("Ticked: this call runs, this once. Anything else is a no.")
        })
        .build()
        .ok()?;
    Some(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message(ticket),
        requested_schema,
    })
}

fn message(ticket: &Ticket) -> String {
    let shown = &ticket.shown;
    let asks = ticket.asks();
    format!("{asks}\nInput, {}:\n{}", shown.described(), shown.text)
}

/// What a form came back with.
pub(super) fn answer(result: &ElicitResult) -> ApprovalAnswer {
    let ticked = result
        .content
        .as_ref()
        .and_then(|content| content.get(APPROVE))
        .and_then(serde_json::Value::as_bool);
    match (&result.action, ticked) {
        (ElicitationAction::Accept, Some(true)) => ApprovalAnswer::Approve,
        _ => ApprovalAnswer::Deny { reason: None },
    }
}
