//! What a running tool may say, to whom, how often, until when.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use toolcontract_protocol::{EventManifest, Principal, Provenance, ToolOutput, journal::Record};
use toolcontract_runtime::{
    authz::NoAuthz,
    call::CallReport,
    caller::{Caller, Session},
    clock::{Clock, ManualClock},
    ctx::{AnyEvent, Event, EventSink, Progress, ToolCtx, channel},
    limits::{Limits, Rate},
    registry::{Builder, Registry},
    tool::{BoxFuture, DynTool},
};

use super::fakes::{Log, NOON, Told, caller, contract, wait};

type Emit = Box<dyn Fn(&ToolCtx<AnyEvent>) + Send + Sync>;

/// A tool that does something with its context.
struct Emits {
    what: Emit,
    leaked: Arc<Mutex<Option<ToolCtx<AnyEvent>>>>,
}

impl DynTool for Emits {
    fn call<'a>(&'a self, _: Value, ctx: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput> {
        (self.what)(ctx);
        *self.leaked.lock().unwrap() = Some(ctx.clone());
        Box::pin(std::future::ready(ToolOutput::text("done")))
    }
}

struct Ran {
    report: CallReport,
    events: Vec<Event>,
    leaked: ToolCtx<AnyEvent>,
    journal: Arc<Told>,
}

fn saved() -> EventManifest {
    serde_json::from_value(json!({
        "name": "note.saved",
        "description": "A note was saved.",
        "payload_schema": {
            "type": "object",
            "additionalProperties": false,
            "required": ["id"],
            "properties": { "id": { "type": "string" }, "text": { "type": "string" } },
        },
    }))
    .unwrap()
}

fn run(
    more: impl FnOnce(Builder) -> Builder,
    what: impl Fn(&ToolCtx<AnyEvent>) + Send + Sync + 'static,
) -> Ran {
    let (sink, mut events) = channel(64);
    let leaked = Arc::new(Mutex::new(None));
    let journal = Told::new(&Log::default(), false);
    let tool = Emits {
        what: Box::new(what),
        leaked: Arc::clone(&leaked),
    };
    let builder = Registry::builder(NoAuthz)
        .clock(Arc::new(ManualClock::at(NOON)) as Arc<dyn Clock>)
        .journal(journal.clone())
        .declare_events([&saved()])
        .events(sink)
        .dyn_tool(
            Provenance::Builtin,
            contract(json!({ "events": ["tool.call.progress", "note.saved"] })),
            tool,
        );
    let registry = more(builder).build().expect("a registry");
    let report = wait(registry.call("probe", json!({}), &caller()));
    let events = std::iter::from_fn(|| events.try_recv().ok()).collect();
    let leaked = leaked.lock().unwrap().take().expect("a context");
    Ran {
        report,
        events,
        leaked,
        journal,
    }
}

fn event(name: &str, payload: Value) -> AnyEvent {
    AnyEvent {
        name: name.to_owned(),
        payload,
    }
}

#[test]
fn a_sign_of_life_reaches_who_listens() {
    let ran = run(
        |b| b,
        |ctx| {
            assert!(ctx.progress(Progress::stage("compiling")));
            assert!(ctx.progress(Progress {
                done: Some(3),
                total: Some(9),
                unit: Some("tests".to_owned()),
                ..Progress::stage("testing")
            }));
        },
    );
    let payloads: Vec<Value> = ran
        .events
        .iter()
        .map(|event| Value::Object(event.envelope.payload.clone()))
        .collect();
    assert_eq!(
        payloads,
        [
            json!({ "stage": "compiling", "tool": "probe", "call_id": "c1", "seq": 1 }),
            json!({ "stage": "testing", "done": 3, "total": 9, "unit": "tests",
                "tool": "probe", "call_id": "c1", "seq": 2 }),
        ]
    );
    let first = &ran.events[0];
    assert_eq!(first.envelope.name, "tool.call.progress");
    assert_eq!(first.envelope.id, "evt_s1_1");
    assert_eq!(first.envelope.timestamp, "2026-08-10T12:00:00.000Z");
    assert_eq!(
        (first.tool.as_str(), first.call_id.as_str()),
        ("probe", "c1")
    );
    assert!(first.by_tool);
    assert_eq!(
        ran.report.output,
        ToolOutput::text("done"),
        "events never ride the output"
    );
}

#[test]
fn the_runtime_says_whose_sign_of_life_it_is() {
    let forged = json!({ "stage": "x", "tool": "bash", "call_id": "other", "seq": 99 });
    let ran = run(
        |b| b,
        move |ctx| {
            assert!(ctx.emit(&event("tool.call.progress", forged.clone())));
        },
    );
    assert_eq!(
        Value::Object(ran.events[0].envelope.payload.clone()),
        json!({ "stage": "x", "tool": "probe", "call_id": "c1", "seq": 1 })
    );
}

#[test]
fn what_the_contract_does_not_list_is_dropped_and_counted() {
    let ran = run(
        |b| b,
        |ctx| {
            for _ in 0..3 {
                assert!(!ctx.emit(&event("note.deleted", json!({ "id": "1" }))));
            }
            assert!(ctx.emit(&event("note.saved", json!({ "id": "1" }))));
        },
    );
    let names: Vec<&str> = ran
        .events
        .iter()
        .map(|e| e.envelope.name.as_str())
        .collect();
    assert_eq!(names, ["note.saved"]);
    assert_eq!(
        (ran.report.events.emitted, ran.report.events.undeclared),
        (1, 3)
    );
    assert_eq!(
        ran.report.events.refused_names.iter().collect::<Vec<_>>(),
        ["note.deleted"]
    );
    assert!(ran.report.output.is_ok(), "the call is not touched by it");
    let Record::Outcome(outcome) = &ran.journal.entries()[1].record else {
        panic!("an outcome")
    };
    assert_eq!((outcome.events_emitted, outcome.events_dropped), (1, 3));
}

#[test]
fn names_of_hosts_are_not_for_tools() {
    let ran = run(
        |b| b,
        |ctx| {
            for name in [
                "approval.granted",
                "policy.allowed",
                "git.push.requested",
                "plugin.x.y",
                "session.failed",
            ] {
                assert!(!ctx.emit(&event(name, json!({}))));
            }
            for name in ["", "no_dot", "Note.saved", "note.saved\n", "nöte.saved"] {
                assert!(!ctx.emit(&event(name, json!({}))));
            }
        },
    );
    assert_eq!(
        (ran.report.events.reserved, ran.report.events.undeclared),
        (5, 5)
    );
    assert!(ran.events.is_empty());
    assert!(ran.report.events.refused_names.contains(r"note.saved\n"));
}

#[test]
fn a_payload_is_what_its_manifest_says() {
    let limits = Limits {
        event_bytes: 200,
        ..Limits::default()
    };
    let ran = run(
        |b| b.limits(limits),
        |ctx| {
            for payload in [
                json!({}),
                json!({ "id": 1 }),
                json!({ "id": "1", "extra": 1 }),
                json!([]),
                json!(null),
            ] {
                assert!(!ctx.emit(&event("note.saved", payload)));
            }
            assert!(!ctx.progress(Progress::stage("")));
            assert!(!ctx.progress(Progress {
                total: Some(1),
                ..Progress::stage("x")
            }));
            assert!(!ctx.emit(&event("note.saved", json!({ "id": "x".repeat(200) }))));
            assert!(ctx.emit(&event("note.saved", json!({ "id": "1", "text": "two" }))));
        },
    );
    let counts = &ran.report.events;
    assert_eq!(
        (counts.emitted, counts.invalid, counts.too_large),
        (1, 7, 1)
    );
    assert_eq!(ran.events.len(), 1);
}

#[test]
fn a_flood_is_cut_off_and_told() {
    let limits = Limits {
        progress: Rate {
            burst: 5,
            per_second: 1.0,
        },
        events: 9,
        ..Limits::default()
    };
    let clock = Arc::new(ManualClock::at(NOON));
    let ticks = Arc::clone(&clock);
    let ran = run(
        |b| b.limits(limits).clock(clock as Arc<dyn Clock>),
        move |ctx| {
            for _ in 0..1_000 {
                ctx.progress(Progress::stage("x"));
            }
            assert_eq!(ctx.events().emitted, 5);
            // A second later one more goes out; its place tells how many did not.
            ticks.advance(Duration::from_secs(1));
            assert!(ctx.progress(Progress::stage("x")));
            // Facts have no rate but a number.
            for _ in 0..10 {
                ctx.emit(&event("note.saved", json!({ "id": "1" })));
            }
        },
    );
    assert_eq!(
        (ran.report.events.emitted, ran.report.events.too_many),
        (9, 995 + 7)
    );
    let seqs: Vec<&Value> = ran
        .events
        .iter()
        .filter_map(|e| e.envelope.payload.get("seq"))
        .collect();
    assert_eq!(
        seqs,
        [
            &json!(1),
            &json!(2),
            &json!(3),
            &json!(4),
            &json!(5),
            &json!(1001)
        ]
    );
    // What was delivered has no gaps.
    let places: Vec<u64> = ran.events.iter().map(|e| e.envelope.sequence).collect();
    assert_eq!(places, (1..=9).collect::<Vec<u64>>());
}

#[test]
fn who_does_not_keep_up_hears_less_and_stops_nothing() {
    let (sink, mut slow) = channel(2);
    let ran = run(
        |b| b.events(sink),
        |ctx| {
            for _ in 0..5 {
                ctx.emit(&event("note.saved", json!({ "id": "1" })));
            }
        },
    );
    assert_eq!(
        (ran.report.events.emitted, ran.report.events.unheard),
        (2, 3)
    );
    let heard: Vec<u64> = std::iter::from_fn(|| slow.try_recv().ok())
        .map(|event| event.envelope.sequence)
        .collect();
    assert_eq!(heard, [1, 2]);
}

struct Panics;

impl EventSink for Panics {
    fn accept(&self, _: Event) -> bool {
        panic!("the sink panics, as the test asks it to")
    }
}

#[test]
fn who_listens_and_panics_stops_nothing() {
    let ran = run(
        |b| b.events(Panics),
        |ctx| {
            assert!(!ctx.emit(&event("note.saved", json!({ "id": "1" }))));
        },
    );
    assert!(ran.report.output.is_ok());
    assert_eq!(ran.report.events.unheard, 1);
}

#[test]
fn after_the_call_nothing_goes_out() {
    let ran = run(
        |b| b,
        |ctx| {
            assert!(ctx.emit(&event("note.saved", json!({ "id": "1" }))));
        },
    );
    assert!(!ran.leaked.emit(&event("note.saved", json!({ "id": "2" }))));
    assert!(!ran.leaked.progress(Progress::stage("x")));
    assert_eq!(ran.leaked.events().too_late, 2);
    assert_eq!(ran.events.len(), 1);
    assert!(ran.leaked.cancellation().is_cancelled());
}

#[test]
fn a_sub_agent_is_named() {
    let (sink, mut events) = channel(4);
    let registry = Registry::builder(NoAuthz)
        .declare_events([&saved()])
        .events(sink)
        .dyn_tool(
            Provenance::Builtin,
            contract(json!({ "events": ["note.saved"] })),
            Emits {
                what: Box::new(|ctx| {
                    ctx.emit(&event("note.saved", json!({ "id": "1" })));
                }),
                leaked: Arc::default(),
            },
        )
        .build()
        .unwrap();
    let session = Session::new("s1");
    for (principal, id) in [
        (Principal::User.spawn("helper"), Some("helper")),
        (Principal::User, None),
    ] {
        let caller = Caller::in_process(principal, &session, "c1");
        wait(registry.call("probe", json!({}), &caller));
        let event = events.try_recv().expect("an event");
        assert_eq!(event.envelope.agent_id.as_deref(), id);
    }
}
