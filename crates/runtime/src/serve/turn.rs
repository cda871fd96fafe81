//! One turn as its engine sees it. Everything here is governed: a call goes through the registry
//! of the turn, with the principal that the authenticated body named.

use std::{sync::Arc, time::Duration};

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::{
    Dialect, Principal, SessionSpec, ToolContract,
    approval::CallSurface,
    frame::{AgentEvent, FrameEvent},
    session::Approvals,
};

use super::{
    ask::ByFrame,
    limits::ServeLimits,
    line::{Events, Line},
    refusal::Refusal,
    remote::RemoteToolExecutor,
};
use crate::{
    approval::{Approver, Nobody},
    call::{CallInput, CallReport},
    caller::{Caller, Session},
    policy::group::SERVED,
    registry::{Advertised, Builder, Registry},
};

/// One turn of a session.
pub struct Turn {
    pub(super) spec: SessionSpec,
    pub(super) principal: Principal,
    pub(super) session: Arc<Session>,
    pub(super) registry: Registry,
    pub(super) line: Arc<Line>,
    /// The engine should stop.
    pub(super) stop: CancellationToken,
    /// The calls should stop.
    pub(super) cancel: CancellationToken,
}

impl std::fmt::Debug for Turn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Turn")
            .field("id", &self.line.turn_id)
            .finish_non_exhaustive()
    }
}

impl Turn {
    /// Names the turn.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.line.turn_id
    }

    /// What the host sent; [`SessionSpec::engine`] is for the engine alone.
    #[must_use]
    pub fn spec(&self) -> &SessionSpec {
        &self.spec
    }

    /// On whose behalf the turn runs.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// Ends when the engine should stop: the turn was cancelled, or its host is gone.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.stop
    }

    /// Every contract, in the order of names.
    pub fn contracts(&self) -> impl Iterator<Item = &ToolContract> {
        self.registry.contracts()
    }

    /// What a model is shown.
    #[must_use]
    pub fn advertise(&self, dialect: Dialect) -> Advertised {
        let caller = self.caller(self.principal.clone(), "");
        self.registry.advertise(dialect, &caller)
    }

    /// Makes one call, and tells the host when it starts and how it ended. Several may be made at
    /// the same time.
    pub async fn call(
        &self,
        call_id: &str,
        name: &str,
        input: impl Into<CallInput<'_>>,
    ) -> CallReport {
        let caller = self.caller(self.principal.clone(), call_id);
        self.call_by(caller, name, input.into()).await
    }

    /// The same for the agent `agent`, which the principal of the turn started. What either may
    /// not do, it may not do.
    pub async fn call_of(
        &self,
        agent: &str,
        call_id: &str,
        name: &str,
        input: impl Into<CallInput<'_>>,
    ) -> CallReport {
        let caller = self.caller(self.principal.spawn(agent), call_id);
        self.call_by(caller, name, input.into()).await
    }

    async fn call_by(&self, caller: Caller, name: &str, input: CallInput<'_>) -> CallReport {
        // Text that is not read yet is not passed on: it may not even be JSON.
        let shown = match &input {
            CallInput::Value(value) => Some(value.clone()),
            CallInput::Bytes(_) => None,
        };
        let call_id = Value::from(caller.call_id());
        let call = [
            ("call_id", Some(call_id.clone())),
            ("name", Some(Value::from(name))),
            ("input", shown),
        ];
        self.tell("tool_start", [("call", Some(Value::Object(fields(call))))]);
        let caller = caller.heard_by(Arc::new(Events(Arc::clone(&self.line))));
        let by_frame = ByFrame(Arc::clone(&self.line));
        let approver: &dyn Approver = match self.spec.approvals {
            Approvals::Frame => &by_frame,
            Approvals::Refuse | Approvals::Host => &Nobody,
        };
        let report = self
            .registry
            .call_asking(name, input, &caller, approver)
            .await;
        let output = serde_json::to_value(&report.output).ok();
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let told = [
            ("call_id", Some(call_id)),
            ("output", output),
            ("duration_ms", report.duration.map(millis).map(Value::from)),
        ];
        self.tell("tool_result", told);
        report
    }

    /// Tells the host what the engine did. False when the host reads too slowly to be told.
    pub fn say(&self, event: AgentEvent) -> bool {
        self.line.tell(FrameEvent::Agent(event))
    }

    fn tell<const N: usize>(&self, kind: &str, facts: [(&str, Option<Value>); N]) {
        self.say(AgentEvent {
            kind: kind.to_owned(),
            fields: fields(facts),
        });
    }

    fn caller(&self, principal: Principal, call_id: &str) -> Caller {
        Caller::at(CallSurface::Serve, principal, &self.session, call_id)
            .in_turn(&self.line.turn_id)
            .cancelled_by(self.cancel.clone())
    }
}

/// Those that are there.
fn fields<const N: usize>(facts: [(&str, Option<Value>); N]) -> Map<String, Value> {
    let there = facts
        .into_iter()
        .filter_map(|(key, fact)| Some((key.to_owned(), fact?)));
    there.collect()
}

/// The registry of a turn: what governs the server's calls, and the tools that the host runs.
///
/// # Errors
/// Everything that is wrong with the contracts.
pub(super) fn registry(
    begun: Builder,
    spec: &SessionSpec,
    line: &Arc<Line>,
    limits: &ServeLimits,
) -> Result<Registry, Refusal> {
    let told = |millis: Option<u64>, default| millis.map_or(default, Duration::from_millis);
    let answer = told(spec.reverse_request_timeout_ms, limits.answer);
    let approval = told(spec.approval_timeout_ms, limits.approval);
    let mut builder = begun
        .clock(Arc::clone(&line.clock))
        // The answer of the host ends a call before the registry does.
        .session_times(approval, answer + limits.grace);
    for contract in &spec.tools {
        // Who reads lists may fold case: nothing may look like a tool of a server.
        if contract.name.to_ascii_lowercase().starts_with(SERVED) {
            let text = format!(
                "`{}`: names that begin with `{SERVED}`, in whichever case, are kept for the tools of MCP servers; rename the tool",
                contract.name
            );
            return Err(Refusal::bad_request("invalid_contract", text));
        }
        let executor = RemoteToolExecutor::new(line, answer, spec.approvals);
        builder = builder.declared(contract.clone(), Box::new(executor));
    }
    // A session whose turns bring the tools is looked at with them.
    let vain = match spec.tools.is_empty() {
        true => Vec::new(),
        false => builder.unbound_in(&spec.caller()),
    };
    if !vain.is_empty() {
        return Err(Refusal::bad_request("policy_unbound", vain.join("; ")));
    }
    builder.build().map_err(|error| {
        let faults: Vec<String> = error.faults.iter().map(ToString::to_string).collect();
        Refusal::bad_request("invalid_contract", faults.join("; "))
    })
}
