//! What the journal is told, and the reports of calls that never ran.

use std::panic::{AssertUnwindSafe, catch_unwind};

use toolcontract_protocol::{
    ErrorCode, RiskLevel, ToolOutput, Trace, TraceStep,
    approval::ApprovalResolved,
    decision::{AuthzEvalError, Verdict},
    journal::{CallResult, Intent, Outcome, Record},
    trace::StepOutcome,
};

use super::{
    authorize::{Decided, Refused},
    prepare::Refusal,
    report::{CallReport, Recorded},
};
use crate::{
    authz::CHANGED,
    caller::Caller,
    clock::timestamp,
    ctx::EventCounts,
    journal::{self, JournalError},
    registry::Inner,
    text::one_line,
};

/// The digest of what was not read, or is not there.
const NO_DIGEST: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What a model reads of a refusal: what the code says, and nothing of rules or reasons.
pub(super) fn refusal_text(tool: &str, code: &ErrorCode) -> String {
    format!("`{tool}` did not run. {}", code.about())
}

/// The report of a call that ended before anything decided about it.
pub(super) fn unjudged(inner: &Inner, name: &str, caller: &Caller, refusal: Refusal) -> CallReport {
    // A name that nobody registered is text of others.
    let tool = match &refusal.entry {
        Some(entry) => entry.contract.name.clone(),
        None => one_line(name, 128),
    };
    let (outcome, verdict) = if refusal.failed {
        let error = AuthzEvalError {
            gate: refusal.rule.clone(),
            detail: refusal.reason.clone(),
        };
        (StepOutcome::Error, Verdict::Error(error))
    } else {
        let reason = refusal.reason.clone();
        (StepOutcome::Deny, Verdict::Deny { reason })
    };
    let mut decider = TraceStep::came_to(outcome, refusal.rule, refusal.reason);
    decider.decided = true;
    let mut steps = refusal.steps;
    steps.push(decider.clone());
    let contract = refusal.entry.as_ref().map(|entry| &entry.contract);
    let intent = Intent {
        tool: tool.clone(),
        version: contract.map_or(0, |contract| contract.version),
        risk: contract.map_or(RiskLevel::Destructive, |contract| contract.effective_risk()),
        principal: caller.principal().clone(),
        surface: caller.surface(),
        definition_digest: match &refusal.entry {
            Some(entry) => entry.definition_digest.clone(),
            None => NO_DIGEST.to_owned(),
        },
        input_digest: refusal
            .input_digest
            .clone()
            .unwrap_or_else(|| NO_DIGEST.to_owned()),
        policy_revision: String::new(),
        decision: verdict,
        trace: Trace {
            steps,
            decided_by: decider,
        },
        softened: None,
        approval: None,
    };
    let mut report = not_run(inner, caller, intent, refusal.output);
    report.tool = tool;
    report.input_digest = refusal.input_digest;
    report
}

/// The report of a call that was decided against, or that nobody said yes to.
pub(super) fn refused(inner: &Inner, refused: Refused, caller: &Caller) -> CallReport {
    let tool = &refused.call.entry.contract.name;
    let decided = refused.call.trace.decided_by.rule.as_ref();
    let message = match decided == CHANGED {
        true => format!(
            "`{tool}` did not run. It changed since a person adopted it, and is withheld until a person looks at it again."
        ),
        false => refusal_text(tool, &refused.code),
    };
    let output = ToolOutput::coded(refused.code, message);
    refused_with(inner, &refused.call, caller, output, None)
}

/// The same with an output of its own, and how the question to a person ended.
pub(super) fn refused_with(
    inner: &Inner,
    call: &Decided,
    caller: &Caller,
    output: ToolOutput,
    approval: Option<ApprovalResolved>,
) -> CallReport {
    let intent = intent(call, caller, approval);
    let mut report = not_run(inner, caller, intent, output);
    report.softened = call.softened.clone();
    report.input_digest = Some(call.input_digest.clone());
    report
}

/// Writes down a call that did not run.
fn not_run(inner: &Inner, caller: &Caller, intent: Intent, output: ToolOutput) -> CallReport {
    let mut report = CallReport {
        tool: intent.tool.clone(),
        call_id: caller.call_id().to_owned(),
        output,
        attachments: Vec::new(),
        ran: false,
        verdict: intent.decision.clone(),
        trace: intent.trace.clone(),
        softened: Vec::new(),
        approval: intent.approval.clone(),
        input_digest: None,
        events: EventCounts::default(),
        duration: None,
        detail: None,
        recorded: Recorded::Whole,
    };
    let written = append(inner, caller, Record::Intent(Box::new(intent)))
        .and_then(|_| append(inner, caller, outcome(&report)));
    note(inner, &mut report, written);
    report
}

/// The intent of a decided call.
pub(super) fn intent(
    call: &Decided,
    caller: &Caller,
    approval: Option<ApprovalResolved>,
) -> Intent {
    let contract = &call.entry.contract;
    let softened = call
        .softened
        .iter()
        .map(|(who, why)| format!("{who}: {why}"))
        .reduce(|all, one| format!("{all}; {one}"));
    Intent {
        tool: contract.name.clone(),
        version: contract.version,
        risk: contract.effective_risk(),
        principal: caller.principal().clone(),
        surface: caller.surface(),
        definition_digest: call.entry.definition_digest.clone(),
        input_digest: call.input_digest.clone(),
        policy_revision: call.policy_revision.clone(),
        decision: call.verdict().clone(),
        trace: call.trace.clone(),
        softened,
        approval,
    }
}

/// The outcome of the call of `report`.
pub(super) fn outcome(report: &CallReport) -> Record {
    Record::Outcome(Outcome {
        ran: report.ran,
        result: match &report.output {
            ToolOutput::Ok { .. } => CallResult::Ok,
            ToolOutput::Error { class, code, .. } => CallResult::Error {
                class: *class,
                code: code.clone(),
            },
        },
        duration_ms: report
            .duration
            .map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        events_emitted: report.events.emitted,
        events_dropped: report.events.dropped(),
    })
}

/// Appends one entry of the call of `caller`.
pub(super) fn append(inner: &Inner, caller: &Caller, record: Record) -> Result<(), JournalError> {
    let entry = journal::Entry {
        timestamp: timestamp(inner.clock.unix_millis()),
        session_id: caller.session().id().to_owned(),
        call_id: caller.call_of_session(),
        record,
    };
    catch_unwind(AssertUnwindSafe(|| inner.journal.append(entry)))
        .unwrap_or(Err(JournalError::Panicked))
        .map(|_| ())
}

/// Keeps in mind that the journal lacks an entry of a call that went on all the same.
pub(super) fn note(inner: &Inner, report: &mut CallReport, written: Result<(), JournalError>) {
    if let Err(error) = written {
        inner
            .unrecorded
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        report.recorded = Recorded::Failed;
        report.detail.get_or_insert_with(|| error.to_string());
    }
}
