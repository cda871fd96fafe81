//! What an approval is good for: one call, once, in time, for the one who made it.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use toolcontract_protocol::{
    AuthzEvalError, Decision, Principal, Provenance, ToolContract, ToolOutput,
    approval::{ApprovalAnswer, ApprovalResolution, CallSurface},
};
use toolcontract_runtime::{
    approval::{Answered, Approver, Programmatic, Ticket},
    authz::{AuthzGate, NoAuthz},
    call::{CallReport, Progress},
    caller::{Caller, Session},
    clock::{Clock, ManualClock},
    ctx::{Event, channel},
    journal::{Entry, Journal, JournalError},
    limits::{Limits, Rate},
    registry::{Builder, Registry},
};

use super::fakes::{Does, Fake, Log, NOON, caller, contract, wait};

/// A registry whose one tool asks for a yes.
pub(super) struct Setting {
    pub(super) registry: Registry,
    log: Log,
    clock: Arc<ManualClock>,
}

pub(super) fn setting(more: impl FnOnce(Builder) -> Builder) -> Setting {
    let log = Log::default();
    let clock = Arc::new(ManualClock::at(NOON));
    let builder = Registry::builder(NoAuthz)
        .clock(Arc::clone(&clock) as Arc<dyn Clock>)
        .dyn_tool(
            Provenance::Builtin,
            contract(json!({ "requires_approval": true, "risk": "high" })),
            Fake::new(Does::Return(ToolOutput::text("done")), &log),
        );
    Setting {
        registry: more(builder).build().expect("a registry"),
        log,
        clock,
    }
}

impl Setting {
    fn begin(&self, caller: &Caller) -> Box<Ticket> {
        match wait(self.registry.begin("probe", json!({ "path": "a" }), caller)) {
            Progress::Pending(ticket) => ticket,
            Progress::Done(report) => panic!("nobody is asked: {report:?}"),
        }
    }

    fn approve(&self, id: &str, caller: &Caller) -> CallReport {
        wait(
            self.registry
                .resume(id, caller, ApprovalAnswer::Approve, Some("ada".into())),
        )
    }
}

pub(super) fn code(report: &CallReport) -> &str {
    report.code().map_or("ok", |code| code.as_str())
}

pub(super) fn someone(principal: Principal, session: &str) -> Caller {
    Caller::in_process(principal, &Session::new(session), "c9")
}

#[test]
fn a_yes_runs_the_call_that_was_asked_about() {
    let (sink, mut events) = channel(16);
    let setting = setting(|builder| builder.events(sink));
    let ticket = setting.begin(&caller());
    assert_eq!(
        setting.log.count("tool"),
        0,
        "nothing runs before the answer"
    );
    assert_eq!(ticket.shown.text, r#"{"path":"a"}"#);
    assert_eq!(ticket.request.asked_by, ["contract:requires_approval"]);
    assert_eq!(ticket.request.binding.surface, CallSurface::InProcess);
    assert_eq!(ticket.request.binding.principal, Principal::User);
    assert_eq!(ticket.request.binding.session_id, "s1");
    assert_eq!(ticket.request.expires_at, "2026-08-10T12:02:00.000Z");

    let report = setting.approve(ticket.id(), &caller());
    assert_eq!(code(&report), "ok");
    assert_eq!(setting.log.lines(), [r#"tool {"path":"a"}"#]);
    let approval = report.approval.expect("how the question ended");
    assert_eq!(approval.resolution, ApprovalResolution::Granted);
    assert_eq!(approval.answered_by.as_deref(), Some("ada"));
    assert_eq!(approval.approval_id, ticket.id());

    let told: Vec<Event> = std::iter::from_fn(|| events.try_recv().ok()).collect();
    let names: Vec<&str> = told.iter().map(|e| e.envelope.name.as_str()).collect();
    assert_eq!(names, ["approval.requested", "approval.granted"]);
    assert_eq!(
        told[0].envelope.payload["binding"],
        json!(ticket.request.binding)
    );
    assert!(told[0].envelope.payload.get("input").is_none());
    assert!(told.iter().all(|event| !event.by_tool));
}

#[test]
fn the_same_yes_twice_runs_once() {
    let setting = setting(|builder| builder);
    let ticket = setting.begin(&caller());
    assert_eq!(code(&setting.approve(ticket.id(), &caller())), "ok");
    assert_eq!(
        code(&setting.approve(ticket.id(), &caller())),
        "approval_spent"
    );
    assert_eq!(setting.log.count("tool"), 1);
}

#[test]
fn answers_that_race_run_the_call_once() {
    let setting = setting(|builder| builder);
    let ticket = setting.begin(&caller());
    let codes = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let report = setting.approve(ticket.id(), &caller());
                codes.lock().unwrap().push(code(&report).to_owned());
            });
        }
    });
    let mut codes = codes.into_inner().unwrap();
    codes.sort();
    assert_eq!(codes[7], "ok");
    assert_eq!(codes[..7], vec!["approval_spent".to_owned(); 7]);
    assert_eq!(setting.log.count("tool"), 1);
}

#[test]
fn a_yes_is_good_for_nobody_else() {
    let setting = setting(|builder| builder);
    let ticket = setting.begin(&caller());
    for other in [
        someone(Principal::Host("user".into()), "s1"),
        someone(Principal::User.spawn("helper"), "s1"),
        someone(Principal::User, "s2"),
    ] {
        assert_eq!(
            code(&setting.approve(ticket.id(), &other)),
            "approval_mismatch"
        );
    }
    assert_eq!(
        code(&setting.approve("no such ticket", &caller())),
        "approval_mismatch"
    );
    assert_eq!(setting.log.count("tool"), 0);
    // Control: the one who made the call still can.
    assert_eq!(code(&setting.approve(ticket.id(), &caller())), "ok");
}

#[test]
fn a_yes_to_one_call_is_none_to_another() {
    let setting = setting(|builder| builder);
    let first = setting.begin(&caller());
    let second = match wait(
        setting
            .registry
            .begin("probe", json!({ "path": "b" }), &caller()),
    ) {
        Progress::Pending(ticket) => ticket,
        Progress::Done(report) => panic!("{report:?}"),
    };
    assert_ne!(first.id(), second.id());
    assert_ne!(
        first.request.binding.input_digest,
        second.request.binding.input_digest
    );
    assert_eq!(code(&setting.approve(second.id(), &caller())), "ok");
    assert_eq!(setting.log.lines(), [r#"tool {"path":"b"}"#]);
    assert_eq!(setting.registry.pending(), 1);
}

#[test]
fn members_in_another_order_are_the_same_input() {
    let digest = |text: &str| {
        let log = Log::default();
        let registry = Registry::builder(NoAuthz)
            .dyn_tool(
                Provenance::Builtin,
                contract(
                    json!({ "requires_approval": true, "input_schema": { "type": "object" } }),
                ),
                Fake::new(Does::Return(ToolOutput::text("done")), &log),
            )
            .build()
            .unwrap();
        match wait(registry.begin("probe", text, &caller())) {
            Progress::Pending(ticket) => ticket.request.binding.input_digest,
            Progress::Done(report) => panic!("{report:?}"),
        }
    };
    assert_eq!(
        digest(r#"{"a":1,"b":2.0}"#),
        digest(r#"{ "b": 2, "a": 1.0 }"#)
    );
    assert_ne!(
        digest(r#"{"a":1,"b":2}"#),
        digest(r#"{"a":1,"b":2,"c":null}"#)
    );
    assert_ne!(digest(r#"{"a":"x"}"#), digest(r#"{"a":"y"}"#));
}

#[test]
fn time_that_passes_is_a_no() {
    let (sink, mut events) = channel(16);
    let setting = setting(|builder| builder.events(sink));
    let ticket = setting.begin(&caller());
    setting.clock.advance(Duration::from_secs(120));
    let report = setting.approve(ticket.id(), &caller());
    assert_eq!(code(&report), "approval_expired");
    assert_eq!(setting.log.count("tool"), 0);
    let names: Vec<String> = std::iter::from_fn(|| events.try_recv().ok())
        .map(|event| event.envelope.name)
        .collect();
    assert_eq!(names, ["approval.requested", "approval.expired"]);
    // Control: a moment before.
    let ticket = setting.begin(&caller());
    setting.clock.advance(Duration::from_millis(119_999));
    assert_eq!(code(&setting.approve(ticket.id(), &caller())), "ok");
}

#[test]
fn who_sets_the_wall_clock_changes_no_deadline() {
    let setting = setting(|builder| builder);
    let ticket = setting.begin(&caller());
    setting.clock.set_wall(NOON + 86_400_000);
    assert_eq!(code(&setting.approve(ticket.id(), &caller())), "ok");

    let ticket = setting.begin(&caller());
    setting.clock.advance(Duration::from_secs(121));
    setting.clock.set_wall(NOON - 86_400_000);
    assert_eq!(
        code(&setting.approve(ticket.id(), &caller())),
        "approval_expired"
    );
}

/// A gate whose policy can be loaded again.
#[derive(Clone, Default)]
struct Reloadable(Arc<AtomicU64>);

impl AuthzGate for Reloadable {
    fn name(&self) -> &str {
        "reloadable"
    }

    fn check(
        &self,
        _: &ToolContract,
        _: &Principal,
        _: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        Ok(Decision::Allow)
    }

    fn revision(&self) -> String {
        self.0.load(Ordering::SeqCst).to_string()
    }

    fn is_pure(&self) -> bool {
        true
    }
}

#[test]
fn another_policy_voids_the_yes() {
    let gate = Reloadable::default();
    let (sink, mut events) = channel(16);
    let setting = setting(|builder| builder.and_gate(gate.clone()).events(sink));
    let ticket = setting.begin(&caller());
    assert_eq!(
        ticket.request.binding.policy_revision,
        "no-authz=no-authz;reloadable=0"
    );
    gate.0.store(1, Ordering::SeqCst);
    assert_eq!(
        code(&setting.approve(ticket.id(), &caller())),
        "approval_mismatch"
    );
    assert_eq!(setting.log.count("tool"), 0);
    let names: Vec<String> = std::iter::from_fn(|| events.try_recv().ok())
        .map(|event| event.envelope.name)
        .collect();
    assert_eq!(names, ["approval.requested", "approval.denied"]);
    // Control: asked again under the new policy.
    let ticket = setting.begin(&caller());
    assert_eq!(code(&setting.approve(ticket.id(), &caller())), "ok");
}

/// A journal during whose writing the policy is loaded again.
struct Meanwhile(Reloadable);

impl Journal for Meanwhile {
    fn append(&self, _: Entry) -> Result<u64, JournalError> {
        self.0.0.fetch_add(1, Ordering::SeqCst);
        Ok(1)
    }
}

#[test]
fn the_binding_is_compared_once_more_when_the_call_is_launched() {
    let gate = Reloadable::default();
    let journal = Arc::new(Meanwhile(gate.clone()));
    let setting = setting(|builder| builder.and_gate(gate.clone()).journal(journal));
    let ticket = setting.begin(&caller());
    assert_eq!(
        code(&setting.approve(ticket.id(), &caller())),
        "approval_mismatch"
    );
    assert_eq!(setting.log.count("tool"), 0);
}

/// A tool whose definition can change after it was registered.
struct Changing {
    digest: Arc<Mutex<Option<String>>>,
    log: Log,
}

impl toolcontract_runtime::tool::DynTool for Changing {
    fn call<'a>(
        &'a self,
        _: Value,
        _: &'a toolcontract_runtime::ctx::ToolCtx<toolcontract_runtime::ctx::AnyEvent>,
    ) -> toolcontract_runtime::tool::BoxFuture<'a, ToolOutput> {
        self.log.say("tool");
        Box::pin(std::future::ready(ToolOutput::text("done")))
    }

    fn current_digest(&self) -> Option<String> {
        self.digest.lock().unwrap().clone()
    }
}

#[test]
fn another_definition_voids_the_yes_and_stops_calls_that_nobody_was_asked_about() {
    for asks in [true, false] {
        let log = Log::default();
        let digest = Arc::new(Mutex::new(None));
        let registry = Registry::builder(NoAuthz)
            .dyn_tool(
                Provenance::Declared,
                contract(json!({ "requires_approval": asks })),
                Changing {
                    digest: Arc::clone(&digest),
                    log: log.clone(),
                },
            )
            .approvals(Programmatic {
                by: "ada".to_owned(),
                answer: {
                    let digest = Arc::clone(&digest);
                    // The definition changes while the person looks at the question.
                    move |_: &_| {
                        *digest.lock().unwrap() = Some("1".repeat(64));
                        ApprovalAnswer::Approve
                    }
                },
            })
            .build()
            .unwrap();
        if !asks {
            *digest.lock().unwrap() = Some("1".repeat(64));
        }
        let report = wait(registry.call("probe", json!({}), &caller()));
        let expected = if asks {
            "approval_mismatch"
        } else {
            "definition_changed"
        };
        assert_eq!(code(&report), expected);
        assert_eq!(log.count("tool"), 0);
        // Control: back to what was registered.
        if !asks {
            *digest.lock().unwrap() = None;
            assert_eq!(
                code(&wait(registry.call("probe", json!({}), &caller()))),
                "ok"
            );
        }
    }
}

#[test]
fn a_session_that_asks_too_often_is_refused() {
    let limits = Limits {
        asks: Rate {
            burst: 3,
            per_second: 1.0,
        },
        ..Limits::default()
    };
    let setting = setting(|builder| builder.limits(limits));
    let session = Session::new("s1");
    let caller = Caller::in_process(Principal::User, &session, "c1");
    let mut refused = 0;
    for _ in 0..500 {
        if let Progress::Done(report) = wait(setting.registry.begin("probe", json!({}), &caller)) {
            assert_eq!(code(&report), "approval_limit");
            refused += 1;
        }
    }
    assert_eq!((refused, setting.registry.pending()), (497, 3));
    // Another session may; and this one again, later.
    setting.begin(&someone(Principal::User, "s2"));
    setting.clock.advance(Duration::from_secs(1));
    setting.begin(&caller);
}

#[test]
fn so_many_wait_and_no_more() {
    let limits = Limits {
        pending: 2,
        ..Limits::default()
    };
    let setting = setting(|builder| builder.limits(limits));
    let first = setting.begin(&caller());
    setting.begin(&caller());
    match wait(setting.registry.begin("probe", json!({}), &caller())) {
        Progress::Done(report) => assert_eq!(code(&report), "approval_limit"),
        Progress::Pending(_) => panic!("three wait"),
    }
    // What is answered or expired makes room.
    assert_eq!(code(&setting.approve(first.id(), &caller())), "ok");
    setting.begin(&caller());
    setting.clock.advance(Duration::from_secs(120));
    setting.begin(&caller());
    assert_eq!(setting.registry.pending(), 1);
}

#[test]
fn a_channel_that_breaks_at_once_is_a_no() {
    let setting = setting(|builder| {
        builder.approvals(Programmatic {
            by: "ada".to_owned(),
            answer: |_: &_| panic!("the person panics, as the test asks them to"),
        })
    });
    let report = wait(setting.registry.call("probe", json!({}), &caller()));
    assert_eq!(code(&report), "approval_unanswerable");
    assert_eq!(setting.registry.pending(), 0);
}

struct Silent;

impl Approver for Silent {
    fn ask<'a>(&'a self, _: &'a Ticket) -> toolcontract_runtime::tool::BoxFuture<'a, Answered> {
        Box::pin(std::future::pending())
    }
}

#[test]
fn a_call_that_is_given_up_leaves_no_ticket() {
    let setting = setting(|builder| builder.approvals(Silent));
    wait(async {
        let caller = caller();
        let call = setting.registry.call("probe", json!({}), &caller);
        tokio::select! {
            biased;
            report = call => panic!("nobody answered, and still {report:?}"),
            () = tokio::task::yield_now() => {}
        }
    });
    assert_eq!(setting.registry.pending(), 0);
}
