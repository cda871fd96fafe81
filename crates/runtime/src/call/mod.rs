//! One call, in order: look up, bounds, input against schema, rewriters, the fold, approval, the
//! tool, output against schema, journal. Every surface goes through here and through nothing else.

mod aside;
mod authorize;
mod catch;
mod decide;
mod launch;
mod output;
mod prepare;
mod record;
mod report;
mod resume;
mod rewrite;

use serde_json::Value;

pub(crate) use authorize::Asked;
pub use authorize::AuthorizedCall;
pub(crate) use decide::{OF_THE_CONTRACT, of_the_contract};
pub use report::{CallReport, Recorded};

use crate::{
    approval::{Answered, Approver, Ticket},
    caller::Caller,
    registry::Registry,
};
use authorize::{Authorized, authorize};
use resume::End;

/// The input of a call, as it came in.
#[derive(Debug)]
pub enum CallInput<'i> {
    /// JSON text. A member that is there twice is refused.
    Bytes(&'i [u8]),
    /// A value that is read already, and so holds each member once.
    Value(Value),
}

impl<'i> From<&'i [u8]> for CallInput<'i> {
    fn from(bytes: &'i [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'i> From<&'i str> for CallInput<'i> {
    fn from(text: &'i str) -> Self {
        Self::Bytes(text.as_bytes())
    }
}

impl From<Value> for CallInput<'_> {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// How far a call came.
#[derive(Debug)]
pub enum Progress {
    /// It is over.
    Done(Box<CallReport>),
    /// A person must answer; [`Registry::resume`] goes on.
    Pending(Box<Ticket>),
}

impl Registry {
    /// Makes one call from beginning to end; where a person must answer, asks whoever the registry
    /// was built with and waits.
    ///
    /// Give it a tokio runtime with time enabled. Dropping the future gives the call up: the tool
    /// is dropped where it waits, and the journal says that nobody knows how it ended.
    pub async fn call(
        &self,
        name: &str,
        input: impl Into<CallInput<'_>>,
        caller: &Caller,
    ) -> CallReport {
        let approver = self.inner.approver.as_ref();
        self.call_asking(name, input, caller, approver).await
    }

    /// The same, and where a person must answer, asks `approver`. For surfaces that have a way of
    /// their own to ask.
    pub(crate) async fn call_asking(
        &self,
        name: &str,
        input: impl Into<CallInput<'_>>,
        caller: &Caller,
        approver: &dyn Approver,
    ) -> CallReport {
        match self.begin(name, input, caller).await {
            Progress::Done(report) => *report,
            Progress::Pending(ticket) => self.ask(&ticket, caller, approver).await,
        }
    }

    /// Makes one call up to the point where a person must answer. For surfaces that ask by
    /// returning.
    pub async fn begin(
        &self,
        name: &str,
        input: impl Into<CallInput<'_>>,
        caller: &Caller,
    ) -> Progress {
        let inner = &self.inner;
        let checked = match prepare::prepare(inner, name, input.into(), caller).await {
            Ok(checked) => checked,
            Err(refusal) => return done(record::unjudged(inner, name, caller, *refusal)),
        };
        let decided = decide::decide(inner, checked, caller).await;
        match authorize(decided) {
            Authorized::Run(call) => done(launch::launch(inner, call, caller).await),
            Authorized::Refuse(refused) => done(record::refused(inner, refused, caller)),
            Authorized::Ask(asked) => match resume::suspend(inner, asked, caller) {
                Ok(ticket) => Progress::Pending(Box::new(ticket)),
                Err(report) => Progress::Done(report),
            },
        }
    }

    /// Goes on with the call of the ticket `id`, for the caller who made it. An answer counts once.
    pub async fn resume(
        &self,
        id: &str,
        caller: &Caller,
        answer: toolcontract_protocol::approval::ApprovalAnswer,
        by: Option<String>,
    ) -> CallReport {
        resume::settle(&self.inner, id, caller, End::Answered { answer, by }).await
    }

    /// Ends the call of the ticket `id` because what came with its answer is not what was asked
    /// about.
    #[cfg(feature = "mcp")]
    pub(crate) async fn mismatched(&self, id: &str, caller: &Caller) -> CallReport {
        resume::settle(&self.inner, id, caller, End::Mismatched).await
    }

    /// Ends the call of the ticket `id` because its question cannot be put.
    #[cfg(feature = "mcp")]
    pub(crate) async fn unanswerable(&self, id: &str, caller: &Caller) -> CallReport {
        resume::settle(&self.inner, id, caller, End::Unanswerable).await
    }

    /// Puts the question of `ticket` to `approver`, and goes on with what it says.
    async fn ask(&self, ticket: &Ticket, caller: &Caller, approver: &dyn Approver) -> CallReport {
        let inner = &self.inner;
        let _forget = resume::ForgetOnDrop {
            inner,
            id: ticket.id(),
        };
        // Also the making of the future is the approver's, and may panic.
        let asking = catch::CatchPanic::new(Box::pin(async { approver.ask(ticket).await }));
        let end = tokio::select! {
            biased;
            answered = asking => match answered {
                Ok(Answered::Said { answer, by }) => End::Answered { answer, by },
                Ok(Answered::Nobody) | Err(catch::Panicked) => End::Unanswerable,
            },
            () = caller.cancellation().cancelled() => End::Cancelled,
            () = inner.clock.sleep_until(ticket.expires) => End::Expired,
        };
        resume::settle(inner, ticket.id(), caller, end).await
    }
}

fn done(report: CallReport) -> Progress {
    Progress::Done(Box::new(report))
}
