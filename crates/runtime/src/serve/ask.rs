//! Asks a person through the host of a turn: the question goes out as a frame, the answer comes
//! back on a route of its own. Only whoever holds the token can answer, and never a model.

use std::sync::Arc;

use serde_json::Value;
use toolcontract_protocol::frame::KnownFrame;

use super::line::Line;
use crate::{
    approval::{Answered, Approver, Ticket},
    tool::BoxFuture,
};

/// Asks with `approval_request` frames.
pub(super) struct ByFrame(pub(super) Arc<Line>);

impl Approver for ByFrame {
    fn ask<'a>(&'a self, ticket: &'a Ticket) -> BoxFuture<'a, Answered> {
        Box::pin(async move {
            let frame = KnownFrame::ApprovalRequest {
                request: ticket.request.clone(),
                input: Value::clone(&ticket.input),
            };
            let bytes = ticket.input.to_string().len();
            let said = self.0.question(ticket.id().to_owned(), frame, bytes).await;
            match said {
                Some((answer, by)) => Answered::Said { answer, by },
                None => Answered::Nobody,
            }
        })
    }
}
