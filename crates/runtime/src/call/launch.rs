//! The one place where a tool is run: written down before, bound once more to what was decided,
//! under a deadline, and written down after.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use toolcontract_protocol::{
    ErrorCode, RiskLevel, ToolOutput, Violation, Violations,
    journal::{CallResult, Outcome, Record},
};

use super::{
    authorize::{AuthorizedCall, Decided},
    catch::{CatchPanic, Panicked},
    output::judge,
    prepare::invalid_input,
    record,
    report::{CallReport, Recorded},
};
use crate::{
    caller::Caller,
    ctx::{Attached, EventCounts, Outlet, Shared, ToolCtx, together},
    registry::{Entry, Inner},
    tool::Ran,
};

pub(super) async fn launch(inner: &Inner, call: AuthorizedCall, caller: &Caller) -> CallReport {
    let (call, approval) = call.spend();
    let entry = Arc::clone(&call.entry);
    let contract = &entry.contract;
    if caller.cancellation().is_cancelled() {
        return refuse(inner, &call, caller, ErrorCode::Cancelled, approval);
    }
    let mut report = CallReport {
        tool: contract.name.clone(),
        call_id: caller.call_id().to_owned(),
        output: ToolOutput::text(""),
        attachments: Vec::new(),
        ran: false,
        verdict: call.verdict().clone(),
        trace: call.trace.clone(),
        softened: call.softened.clone(),
        approval: approval.clone(),
        input_digest: Some(call.input_digest.clone()),
        events: EventCounts::default(),
        duration: None,
        detail: None,
        recorded: Recorded::Whole,
    };
    let was_asked = approval.is_some();
    let intent = record::intent(&call, caller, approval);
    let written = record::append(inner, caller, Record::Intent(Box::new(intent)));
    if written.is_err() && contract.effective_risk() >= RiskLevel::High {
        report.output = refusal(&contract.name, ErrorCode::JournalUnavailable);
        record::note(inner, &mut report, written);
        return report;
    }
    record::note(inner, &mut report, written);
    let unwritten = Unwritten::new(inner, caller);
    // Between the decision and now a person was asked and a disk was written to.
    let is_known = if let Some(code) = changed(inner, &call, was_asked) {
        report.output = refusal(&contract.name, code);
        true
    } else {
        let end = run(inner, &entry, call, caller, &mut report).await;
        let is_known = end.is_known();
        tell(inner, &entry, end, &mut report);
        if !report.output.is_ok() {
            report.attachments.clear();
        }
        is_known
    };
    unwritten.end(&mut report, is_known);
    report
}

/// What is no longer as it was decided about.
fn changed(inner: &Inner, call: &Decided, was_asked: bool) -> Option<ErrorCode> {
    let same_definition = call.entry.is_unchanged();
    if was_asked {
        let same = same_definition && is_same_policy(inner, call);
        (!same).then_some(ErrorCode::ApprovalMismatch)
    } else {
        (!same_definition).then_some(ErrorCode::DefinitionChanged)
    }
}

/// Whether the policy is still the one under which `call` was decided.
pub(super) fn is_same_policy(inner: &Inner, call: &Decided) -> bool {
    inner.policy_revision().as_deref() == Some(&call.policy_revision)
}

/// Runs the tool, and closes the way out for its events.
async fn run(
    inner: &Inner,
    entry: &Arc<Entry>,
    call: Decided,
    caller: &Caller,
    report: &mut CallReport,
) -> End {
    let started = inner.clock.monotonic();
    let time = caller.time().unwrap_or(inner.limits.tool);
    let shared = Arc::new(Shared {
        root: Arc::clone(&inner.root),
        deadline: started + time.min(inner.limits.tool),
        clock: Arc::clone(&inner.clock),
        cancellation: caller.cancellation().child_token(),
        attached: Attached::new(inner.limits.attached_bytes),
        outlet: Outlet::new(
            &entry.contract.name,
            caller,
            Arc::clone(&entry.events),
            inner.limits,
            Arc::clone(&inner.clock),
            together(inner.sink.clone(), caller.listener().cloned()),
        ),
    });
    let closed = CloseOnDrop(Arc::clone(&shared));
    let input = Arc::try_unwrap(call.input).unwrap_or_else(|input| Value::clone(&input));
    let end = race(inner, entry, input, caller, &shared).await;
    report.events = closed.0.outlet.close();
    report.attachments = closed.0.attached.take();
    report.duration = Some(inner.clock.monotonic().saturating_sub(started));
    end
}

/// Puts into the report how the tool ended.
fn tell(inner: &Inner, entry: &Entry, end: End, report: &mut CallReport) {
    let tool = &entry.contract.name;
    report.ran = true;
    match end {
        End::Returned(Ok(Ran::Returned(output))) => {
            let judged = judge(entry, output, &inner.limits);
            report.output = judged.output;
            // A fault of the journal is told before.
            report.detail = report.detail.take().or(judged.defect);
        }
        End::Returned(Ok(Ran::NotTaken)) => {
            report.ran = false;
            report.output = not_taken(tool);
            let defect = "the type of the tool does not take what its schema accepts";
            report.detail = Some(defect.to_owned());
        }
        End::Returned(Err(Panicked)) => {
            let code = ErrorCode::ToolPanicked;
            let message = format!("`{tool}` failed. {}", code.about());
            report.output = ToolOutput::coded(code, message);
        }
        End::Stopped(code) => {
            let message = format!("`{tool}` was stopped. {}", code.about());
            report.output = ToolOutput::coded(code, message);
        }
        End::Abandoned(code) => {
            let message = format!(
                "`{tool}` was dropped where it was. {} How far it came is not known.",
                code.about()
            );
            report.output = ToolOutput::coded(code, message);
        }
    }
}

/// How a tool ended.
enum End {
    Returned(Result<Ran, Panicked>),
    /// It was told to stop, and did.
    Stopped(ErrorCode),
    /// It was told to stop, and did not.
    Abandoned(ErrorCode),
}

impl End {
    /// Whether somebody knows what the tool did.
    fn is_known(&self) -> bool {
        match self {
            Self::Returned(_) | Self::Stopped(_) => true,
            Self::Abandoned(_) => false,
        }
    }
}

async fn race(
    inner: &Inner,
    entry: &Entry,
    input: Value,
    caller: &Caller,
    shared: &Arc<Shared>,
) -> End {
    let ctx = ToolCtx::new(Arc::clone(shared));
    // Also the making of the future is the tool's, and may panic.
    let running = Box::pin(async { entry.runner.run(input, &ctx).await });
    let mut running = CatchPanic::new(running);
    let code = tokio::select! {
        biased;
        // A tool may notice first that nobody wants its answer any more.
        ran = &mut running => return match caller.cancellation().is_cancelled() {
            true => End::Stopped(ErrorCode::Cancelled),
            false => End::Returned(ran),
        },
        () = caller.cancellation().cancelled() => ErrorCode::Cancelled,
        () = inner.clock.sleep_until(shared.deadline) => ErrorCode::DeadlineExceeded,
    };
    shared.cancellation.cancel();
    let patience = inner.clock.monotonic() + inner.limits.grace;
    tokio::select! {
        biased;
        _ = &mut running => End::Stopped(code),
        () = inner.clock.sleep_until(patience) => End::Abandoned(code),
    }
}

fn not_taken(tool: &str) -> ToolOutput {
    let violation = Violation {
        pointer: String::new(),
        keyword: "type".to_owned(),
        expected: "a value that the tool can take".to_owned(),
        got: "another one".to_owned(),
    };
    invalid_input(tool, None, &Violations::new(vec![violation], 1))
}

fn refusal(tool: &str, code: ErrorCode) -> ToolOutput {
    let message = record::refusal_text(tool, &code);
    ToolOutput::coded(code, message)
}

fn refuse(
    inner: &Inner,
    call: &Decided,
    caller: &Caller,
    code: ErrorCode,
    approval: Option<toolcontract_protocol::approval::ApprovalResolved>,
) -> CallReport {
    let output = refusal(&call.entry.contract.name, code);
    record::refused_with(inner, call, caller, output, approval)
}

/// Closes the way out for events also when the call is given up.
struct CloseOnDrop(Arc<Shared>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.outlet.close();
        self.0.cancellation.cancel();
    }
}

/// An intent without an outcome. Given up, the journal says that nobody knows how it ended.
struct Unwritten<'a> {
    inner: &'a Inner,
    caller: &'a Caller,
    started: Duration,
    ended: bool,
}

impl<'a> Unwritten<'a> {
    fn new(inner: &'a Inner, caller: &'a Caller) -> Self {
        Self {
            inner,
            caller,
            started: inner.clock.monotonic(),
            ended: false,
        }
    }

    fn end(mut self, report: &mut CallReport, is_known: bool) {
        self.ended = true;
        let mut record = record::outcome(report);
        if let (false, Record::Outcome(outcome)) = (is_known, &mut record) {
            outcome.result = CallResult::Unknown;
        }
        let written = record::append(self.inner, self.caller, record);
        record::note(self.inner, report, written);
    }
}

impl Drop for Unwritten<'_> {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        let time = self.inner.clock.monotonic().saturating_sub(self.started);
        let given_up = Record::Outcome(Outcome {
            ran: true,
            result: CallResult::Unknown,
            duration_ms: u64::try_from(time.as_millis()).ok(),
            events_emitted: 0,
            events_dropped: 0,
        });
        if record::append(self.inner, self.caller, given_up).is_err() {
            self.inner
                .unrecorded
                .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    }
}
