//! Asking a person: tickets that suspend a call, what the person is shown, who can answer.
//!
//! An approval is good for exactly one call, once, for a while: definition, input, principal,
//! policy, surface and session are bound to it and compared again when the call is launched. Time
//! that passes, a channel that breaks and an answer that is not understood are all a no.

mod approver;
mod ledger;
mod show;
mod terminal;

pub use approver::{Answered, Approver, Nobody, Programmatic};
pub(crate) use ledger::{Grant, Ledger, Pending, Redeemed, Unredeemed};
pub use show::Shown;
pub use terminal::Terminal;

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use toolcontract_protocol::approval::ApprovalRequest;

/// A call that waits for a person. Handing it out is safe: it approves nothing by itself, and only
/// the caller of the call can resume it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticket {
    /// The question, for a wire or a journal. Holds no input.
    pub request: ApprovalRequest,
    /// The same with the input, for the eyes of the person.
    pub shown: Shown,
    /// What would run, as it is.
    pub(crate) input: Arc<Value>,
    /// Until when, on the monotonic clock of the registry.
    pub(crate) expires: Duration,
}

impl Ticket {
    /// Names the question.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.request.approval_id
    }
}
