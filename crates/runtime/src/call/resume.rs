//! A call that waits for a person, and how it goes on. Whatever is not a yes in time is a no.

use toolcontract_protocol::{
    ErrorCode, ToolOutput,
    approval::{
        ApprovalAnswer, ApprovalBinding, ApprovalRequest, ApprovalResolution, ApprovalResolved,
    },
    decision::Verdict,
};

use super::{
    authorize::Asked,
    launch::{is_same_policy, launch},
    record,
    report::CallReport,
};
use crate::{
    approval::{Pending, Redeemed, Shown, Ticket, Unredeemed},
    caller::Caller,
    clock::timestamp,
    ctx::{host_event, together},
    nonce::nonce,
    registry::Inner,
    text::one_line,
};

/// How the waiting ended.
pub(super) enum End {
    Answered {
        answer: ApprovalAnswer,
        by: Option<String>,
    },
    Expired,
    Unanswerable,
    Cancelled,
    /// The answer came with another call.
    #[cfg(feature = "mcp")]
    Mismatched,
}

/// Lets a call wait. A question too many is not put.
pub(super) fn suspend(
    inner: &Inner,
    asked: Asked,
    caller: &Caller,
) -> Result<Ticket, Box<CallReport>> {
    let now = inner.clock.monotonic();
    let refuse = |asked: Asked, code| {
        Err(Box::new(record::refused(
            inner,
            asked.refused(code),
            caller,
        )))
    };
    if !caller.session().may_ask(inner.limits.asks, now) {
        return refuse(asked, ErrorCode::ApprovalLimit);
    }
    let Some(id) = nonce() else {
        return refuse(asked, ErrorCode::ApprovalUnanswerable);
    };
    let ticket = Ticket {
        request: request(inner, &asked, caller, id),
        shown: Shown::of(&asked.call().input),
        input: std::sync::Arc::clone(&asked.call().input),
        expires: now + inner.limits.approval,
    };
    let pending = Pending {
        asked,
        request: ticket.request.clone(),
        caller: caller.clone(),
        expires: ticket.expires,
    };
    if let Err(pending) = inner.ledger.suspend(pending, inner.limits.pending, now) {
        return refuse(pending.asked, ErrorCode::ApprovalLimit);
    }
    tell(
        inner,
        caller,
        "approval.requested",
        &ticket.request.tool,
        &ticket.request,
    );
    Ok(ticket)
}

fn request(inner: &Inner, asked: &Asked, caller: &Caller, id: String) -> ApprovalRequest {
    let call = asked.call();
    let contract = &call.entry.contract;
    let reason = match call.verdict() {
        Verdict::RequireApproval { reason } => reason.clone(),
        Verdict::Allow | Verdict::Deny { .. } | Verdict::Error(_) => String::new(),
    };
    let ttl = i64::try_from(inner.limits.approval.as_millis()).unwrap_or(i64::MAX);
    ApprovalRequest {
        approval_id: id,
        call_id: caller.call_id().to_owned(),
        tool: contract.name.clone(),
        reason,
        asked_by: call.asked_by.clone(),
        risk: contract.effective_risk(),
        read_only: contract.trusted_read_only(),
        binding: ApprovalBinding {
            definition_digest: call.entry.definition_digest.clone(),
            input_digest: call.input_digest.clone(),
            principal: caller.principal().clone(),
            policy_revision: call.policy_revision.clone(),
            surface: caller.surface(),
            session_id: caller.session().id().to_owned(),
        },
        expires_at: timestamp(inner.clock.unix_millis().saturating_add(ttl)),
    }
}

/// Ends the waiting of the ticket `id`.
pub(super) async fn settle(inner: &Inner, id: &str, caller: &Caller, end: End) -> CallReport {
    let now = inner.clock.monotonic();
    let unchanged = |pending: &Pending| {
        let call = pending.asked.call();
        call.entry.is_unchanged() && is_same_policy(inner, call)
    };
    let live = match inner.ledger.redeem(id, caller, now, unchanged) {
        Err(unredeemed) => return no_ticket(inner, id, caller, unredeemed),
        Ok(Redeemed::Expired(pending)) => return refuse(inner, pending, No::EXPIRED),
        Ok(Redeemed::Changed(pending)) => return refuse(inner, pending, No::CHANGED),
        Ok(Redeemed::Live(live)) => live,
    };
    match end {
        End::Answered {
            answer: ApprovalAnswer::Approve,
            by,
        } => {
            let (asked, asked_for, grant) = live.grant(by.map(|by| one_line(&by, 128)));
            tell_resolved(inner, &asked_for, grant.resolved());
            // The call of the caller who waits now, who may have gone away meanwhile.
            launch(inner, asked.granted(grant), &asked_for.waiting_with(caller)).await
        }
        End::Answered {
            answer: ApprovalAnswer::Deny { reason },
            by,
        } => {
            let no = No {
                by: by.map(|by| one_line(&by, 128)),
                // Words of a person who was asked, for whoever made the call.
                reason: reason.map(|words| one_line(&words, 300)),
                ..No::REFUSED
            };
            refuse(inner, live.refuse(), no)
        }
        End::Expired => refuse(inner, live.refuse(), No::EXPIRED),
        End::Unanswerable => refuse(inner, live.refuse(), No::UNANSWERABLE),
        End::Cancelled => refuse(inner, live.refuse(), No::CANCELLED),
        #[cfg(feature = "mcp")]
        End::Mismatched => refuse(inner, live.refuse(), No::CHANGED),
    }
}

/// A no, and how it came about.
struct No {
    code: ErrorCode,
    resolution: ApprovalResolution,
    by: Option<String>,
    reason: Option<String>,
}

impl No {
    const REFUSED: Self = Self::new(ErrorCode::ApprovalRefused, ApprovalResolution::Denied);
    const EXPIRED: Self = Self::new(ErrorCode::ApprovalExpired, ApprovalResolution::Expired);
    const CHANGED: Self = Self::new(ErrorCode::ApprovalMismatch, ApprovalResolution::Denied);
    const CANCELLED: Self = Self::new(ErrorCode::Cancelled, ApprovalResolution::Denied);
    const UNANSWERABLE: Self = Self::new(
        ErrorCode::ApprovalUnanswerable,
        ApprovalResolution::Unanswerable,
    );

    const fn new(code: ErrorCode, resolution: ApprovalResolution) -> Self {
        Self {
            code,
            resolution,
            by: None,
            reason: None,
        }
    }
}

fn refuse(inner: &Inner, pending: Pending, no: No) -> CallReport {
    let resolved = pending.resolved(no.resolution, no.by, no.reason.clone());
    tell_resolved(inner, &pending.caller, &resolved);
    let call = pending.asked.call();
    let mut message = record::refusal_text(&call.entry.contract.name, &no.code);
    if let Some(words) = no.reason {
        message.push_str(&format!(" They said: {words}"));
    }
    let output = ToolOutput::coded(no.code, message);
    record::refused_with(inner, call, &pending.caller, output, Some(resolved))
}

/// An answer to a question that is not there for this caller.
fn no_ticket(inner: &Inner, id: &str, caller: &Caller, why: Unredeemed) -> CallReport {
    let code = match why {
        Unredeemed::Spent => ErrorCode::ApprovalSpent,
        Unredeemed::Unknown => ErrorCode::ApprovalMismatch,
    };
    let refusal = super::prepare::Refusal {
        entry: None,
        rule: "approval:ticket".to_owned(),
        reason: format!("no call of this caller waits under `{}`", one_line(id, 64)),
        output: ToolOutput::coded(code.clone(), format!("Nothing ran. {}", code.about())),
        input_digest: None,
        steps: Vec::new(),
        failed: false,
    };
    record::unjudged(inner, "", caller, refusal)
}

fn tell_resolved(inner: &Inner, caller: &Caller, resolved: &ApprovalResolved) {
    let name = match resolved.resolution {
        ApprovalResolution::Granted => "approval.granted",
        ApprovalResolution::Denied | ApprovalResolution::Unanswerable => "approval.denied",
        ApprovalResolution::Expired => "approval.expired",
    };
    tell(inner, caller, name, &resolved.tool, resolved);
}

fn tell<T: serde::Serialize>(inner: &Inner, caller: &Caller, name: &str, tool: &str, payload: &T) {
    let clock = inner.clock.as_ref();
    let sink = together(inner.sink.clone(), caller.listener().cloned());
    host_event(sink.as_deref(), clock, caller, tool, name, payload);
}

/// Nobody waits for the answer any more when the call is given up.
pub(super) struct ForgetOnDrop<'a> {
    pub(super) inner: &'a Inner,
    pub(super) id: &'a str,
}

impl Drop for ForgetOnDrop<'_> {
    fn drop(&mut self) {
        self.inner.ledger.forget(self.id);
    }
}
