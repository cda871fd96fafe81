//! Tools that are written against a contract, and how a call is stopped.

use std::{path::Path, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::{
    Contract, Embedded, ErrorClass, EventManifest, NoEvent, Provenance, ToolContract, ToolOutput,
    journal::{CallResult, Record},
};
use toolcontract_runtime::{
    authz::NoAuthz,
    call::CallReport,
    clock::{Clock, ManualClock},
    ctx::{Progress, ToolCtx, channel},
    registry::Registry,
    tool::{Tool, ToolError},
};

use super::fakes::{Does, Fake, Hasty, Log, NOON, Told, caller, contract, wait};

/// A tool that counts, with everything that a contract can promise.
struct Count;

struct CountContract;

#[derive(Serialize, Deserialize)]
struct CountInput {
    to: u32,
}

#[derive(Serialize, Deserialize)]
struct CountOutput {
    sum: i64,
}

#[derive(Serialize)]
#[serde(tag = "name", content = "payload")]
enum CountEvent {
    #[serde(rename = "count.reached")]
    Reached { number: u32 },
}

static COUNT: Embedded = Embedded::new(
    "count",
    r#"{"version":3,"schema":{"name":"count","description":"Counts.","input_schema":{"type":"object","additionalProperties":false,"required":["to"],"properties":{"to":{"type":"integer","minimum":0,"maximum":5000000000}}},"read_only":true,"speculation_safe":true},"risk":"low","requires_approval":false,"provenance":"declared","output_schema":{"type":"object","required":["sum"],"properties":{"sum":{"type":"integer","minimum":0}}},"events":["count.reached","tool.call.progress"]}"#,
);

impl Contract for CountContract {
    type Input = CountInput;
    type Output = CountOutput;
    type Event = CountEvent;
    const NAME: &'static str = "count";

    fn contract() -> &'static ToolContract {
        COUNT.get()
    }
}

impl Tool for Count {
    type Contract = CountContract;

    async fn call(
        &self,
        input: CountInput,
        ctx: &ToolCtx<CountEvent>,
    ) -> Result<CountOutput, ToolError> {
        assert_ne!(input.to, 13, "as the test asks it to");
        if input.to == 7 {
            return Err(ToolError::new(ErrorClass::NotFound, "there is no 7"));
        }
        ctx.progress(Progress::stage("counting"));
        tokio::task::yield_now().await;
        ctx.emit(&CountEvent::Reached { number: input.to });
        let sum = i64::from(input.to);
        Ok(CountOutput {
            sum: if sum == 9 { -1 } else { sum },
        })
    }
}

/// A tool without promises and without events: the context needs no type argument.
struct Where;

struct WhereContract;

static WHERE: Embedded = Embedded::new(
    "where_am_i",
    r#"{"version":1,"schema":{"name":"where_am_i","description":"Tells.","input_schema":{"type":"object"},"read_only":true,"speculation_safe":false},"risk":"low","requires_approval":false,"provenance":"builtin"}"#,
);

impl Contract for WhereContract {
    type Input = serde_json::Map<String, serde_json::Value>;
    type Output = String;
    type Event = NoEvent;
    const NAME: &'static str = "where_am_i";

    fn contract() -> &'static ToolContract {
        WHERE.get()
    }
}

impl Tool for Where {
    type Contract = WhereContract;

    async fn call(
        &self,
        _: serde_json::Map<String, serde_json::Value>,
        ctx: &ToolCtx,
    ) -> Result<String, ToolError> {
        let left = ctx.remaining().as_secs();
        Ok(format!(
            "{} {} {} {left}",
            ctx.tool(),
            ctx.call_id(),
            ctx.workspace_root().display()
        ))
    }
}

fn reached() -> EventManifest {
    serde_json::from_value(json!({
        "name": "count.reached",
        "description": "A number was reached.",
        "payload_schema": { "type": "object", "required": ["number"], "properties": { "number": { "type": "integer" } } },
    }))
    .unwrap()
}

fn registry() -> Registry {
    Registry::builder(NoAuthz)
        .clock(Arc::new(ManualClock::at(NOON)) as Arc<dyn Clock>)
        .declare_events([&reached()])
        .workspace_root(Path::new("/somewhere"))
        .tool(Count)
        .tool(Where)
        .build()
        .expect("a registry")
}

fn count(input: &str) -> CallReport {
    wait(registry().call("count", input, &caller()))
}

#[test]
fn a_typed_tool_takes_and_gives_what_its_contract_says() {
    let report = count(r#"{"to":4}"#);
    assert_eq!(
        report.output,
        ToolOutput::with_data(r#"{"sum":4}"#, json!({ "sum": 4 }))
    );
    assert_eq!(report.events.emitted, 2);
    // An integer that is spelled as a float is one.
    assert!(count(r#"{"to":4.0}"#).output.is_ok());
    let report = wait(registry().call("where_am_i", json!({}), &caller()));
    assert_eq!(
        report.output,
        ToolOutput::text("where_am_i c1 /somewhere 600")
    );
    let hurried = caller().within(Duration::from_secs(5));
    let report = wait(registry().call("where_am_i", json!({}), &hurried));
    assert_eq!(
        report.output,
        ToolOutput::text("where_am_i c1 /somewhere 5")
    );
}

#[test]
fn a_typed_tool_is_part_of_the_program_whatever_its_text_says() {
    let registry = registry();
    assert_eq!(
        registry.contract("count").map(|c| &c.provenance),
        Some(&Provenance::Builtin)
    );
    assert!(
        registry
            .contract("count")
            .unwrap()
            .trusted_speculation_safe()
    );
}

#[test]
fn a_value_that_the_schema_takes_and_the_type_does_not_is_invalid_input() {
    // 4,294,967,296 is more than the type holds; that is a defect of the contract, not a panic.
    let report = count(r#"{"to":4294967296}"#);
    let ToolOutput::Error { class, .. } = &report.output else {
        panic!("{report:?}")
    };
    assert_eq!((*class, report.ran), (ErrorClass::InvalidInput, false));
}

#[test]
fn failures_defects_and_panics_are_told_apart() {
    let class = |input: &str| match count(input).output {
        ToolOutput::Ok { .. } => "ok".to_owned(),
        ToolOutput::Error { class, .. } => class.to_string(),
    };
    assert_eq!(class(r#"{"to":8}"#), "ok");
    assert_eq!(class(r#"{"to":7}"#), "not_found");
    assert_eq!(class(r#"{"to":9}"#), "invalid_output");
    assert_eq!(class(r#"{"to":13}"#), "internal");
    assert_eq!(class(r#"{"to":-1}"#), "invalid_input");
}

#[test]
fn typed_events_reach_who_listens() {
    let (sink, mut events) = channel(8);
    let registry = Registry::builder(NoAuthz)
        .declare_events([&reached()])
        .events(sink)
        .tool(Count)
        .build()
        .unwrap();
    wait(registry.call("count", json!({ "to": 4 }), &caller()));
    let names: Vec<String> = std::iter::from_fn(|| events.try_recv().ok())
        .map(|e| e.envelope.name)
        .collect();
    assert_eq!(names, ["tool.call.progress", "count.reached"]);
}

struct Stopped {
    report: CallReport,
    log: Log,
    results: Vec<CallResult>,
}

/// Calls a tool that does `does` until its time is up.
fn overrun(does: Does) -> Stopped {
    let log = Log::default();
    let journal = Told::new(&log, false);
    let registry = Registry::builder(NoAuthz)
        .clock(Arc::new(Hasty(ManualClock::at(NOON))) as Arc<dyn Clock>)
        .journal(journal.clone())
        .dyn_tool(
            Provenance::Builtin,
            contract(json!({})),
            Fake::new(does, &log),
        )
        .build()
        .unwrap();
    let report = wait(registry.call("probe", json!({}), &caller()));
    let results = journal
        .entries()
        .into_iter()
        .filter_map(|entry| match entry.record {
            Record::Outcome(outcome) => Some(outcome.result),
            Record::Intent(_) => None,
        })
        .collect();
    Stopped {
        report,
        log,
        results,
    }
}

#[test]
fn a_tool_that_overruns_is_told_to_stop() {
    let stopped = overrun(Does::Stop);
    assert_eq!(
        stopped.report.code().map(|c| c.as_str()),
        Some("deadline_exceeded")
    );
    assert_eq!(stopped.log.count("tool stops"), 1);
    assert!(stopped.report.ran);
    assert!(matches!(stopped.results[..], [CallResult::Error { .. }]));
    // What it says after that is not taken.
    assert!(!format!("{:?}", stopped.report.output).contains("half-way"));
}

#[test]
fn a_tool_that_does_not_stop_is_dropped_and_nobody_knows() {
    let stopped = overrun(Does::Hang);
    assert_eq!(
        stopped.report.code().map(|c| c.as_str()),
        Some("deadline_exceeded")
    );
    assert!(stopped.report.ran);
    assert_eq!(stopped.results, [CallResult::Unknown]);
}

#[test]
fn a_cancelled_call_stops_its_tool() {
    let log = Log::default();
    let registry = Registry::builder(NoAuthz)
        .clock(Arc::new(ManualClock::at(NOON)) as Arc<dyn Clock>)
        .dyn_tool(
            Provenance::Builtin,
            contract(json!({})),
            Fake::new(Does::Stop, &log),
        )
        .build()
        .unwrap();
    let token = CancellationToken::new();
    let caller = caller().cancelled_by(token.clone());
    let report = wait(async {
        tokio::spawn(async move { token.cancel() });
        registry.call("probe", json!({}), &caller).await
    });
    assert_eq!(report.code().map(|c| c.as_str()), Some("cancelled"));
    assert_eq!(log.lines(), ["tool {}", "tool stops"]);
}
