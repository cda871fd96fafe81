//! `calls/<fact>.json`: what is registered, who answers how, what comes in; then what `must` come
//! out (written by hand) and everything that could be seen (`UPDATE_EXPECT=1` rewrites `sees`).

use std::{path::PathBuf, sync::Arc};

use serde_json::{Value, json};
use toolcontract_protocol::{Provenance, ToolOutput, journal::Record};
use toolcontract_runtime::{
    authz::Enforcement,
    call::{CallInput, CallReport},
    clock::{Clock, ManualClock},
    limits::Limits,
    registry::Registry,
};

use super::fakes::{
    Asks, Does, Fake, Gate, Hasty, Log, NOON, Person, Rewrites, Told, Way, caller, cancelled,
    contract, wait,
};
use crate::expect::Expect;

#[test]
fn each_call_ends_as_it_must() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/runtime/calls");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of cases")
        .map(|file| file.expect("an entry").path())
        .collect();
    files.sort();
    assert!(files.len() >= 60, "only {} cases", files.len());
    let mut expect = Expect::default();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a case");
        let mut case: Value = serde_json::from_str(&text).expect("a case is JSON");
        let sees = check(&case);
        if case["must"] != sees["must"] {
            expect.fail(format_args!(
                "{}: must be {}, is {}",
                path.display(),
                case["must"],
                sees["must"]
            ));
        }
        case["sees"] = sees["sees"].clone();
        let text = serde_json::to_string_pretty(&case).expect("JSON") + "\n";
        expect.file(&path, &text);
    }
    expect.finish();
}

const KEYS: [&str; 19] = [
    "about",
    "contract",
    "provenance",
    "operator",
    "gates",
    "hooks",
    "shell_hooks",
    "rewriters",
    "enforcement",
    "person",
    "journal",
    "input",
    "text",
    "padding",
    "tool",
    "time_passes",
    "cancelled",
    "must",
    "sees",
];

/// Runs one case and tells what was seen.
fn check(case: &Value) -> Value {
    for key in case.as_object().expect("an object").keys() {
        assert!(KEYS.contains(&key.as_str()), "unknown key `{key}`");
    }
    let log = Log::default();
    let journal = Told::new(&log, case["journal"] == "full");
    let mut releases = Vec::new();
    let mut gate = |name: String, way: &Value| {
        let gate = Gate::new(&name, Way::of(way.as_str().expect("a word")), &log);
        releases.push(gate.release());
        gate
    };
    let all = |key: &str| case[key].as_array().cloned().unwrap_or_default();
    let gates = match case.get("gates") {
        Some(gates) => gates.as_array().cloned().expect("a list"),
        None => vec![json!("allow")],
    };
    let (first, more) = gates
        .split_first()
        .expect("there is no runtime without a gate");
    let clock: Arc<dyn Clock> = match case["time_passes"] == true {
        true => Arc::new(Hasty(ManualClock::at(NOON))),
        false => Arc::new(ManualClock::at(NOON)),
    };
    let mut builder = Registry::builder(gate("g1".to_owned(), first))
        .clock(clock)
        .journal(journal.clone())
        .limits(limits())
        .approvals(Asks {
            person: person(&case["person"]),
            log: log.clone(),
        })
        .enforcement(match case["enforcement"].as_str() {
            Some("warn") => Enforcement::Warn,
            None => Enforcement::Enforce,
            other => panic!("enforcement {other:?}"),
        });
    for (index, way) in more.iter().enumerate() {
        builder = builder.and_gate(gate(format!("g{}", index + 2), way));
    }
    for (index, way) in all("operator").iter().enumerate() {
        builder = builder.operator(gate(format!("o{}", index + 1), way));
    }
    for (index, way) in all("hooks").iter().enumerate() {
        builder = builder.hook(gate(format!("h{}", index + 1), way));
    }
    for (index, way) in all("shell_hooks").iter().enumerate() {
        builder = builder.shell_hook(gate(format!("s{}", index + 1), way));
    }
    for (index, to) in all("rewriters").into_iter().enumerate() {
        builder = builder.rewriter(Rewrites {
            name: format!("r{}", index + 1),
            fails: to == "error",
            to: (to != "error" && !to.is_null()).then_some(to),
            log: log.clone(),
        });
    }
    let registry = builder
        .dyn_tool(
            provenance(&case["provenance"]),
            contract(case["contract"].clone()),
            Fake::new(does(&case["tool"]), &log),
        )
        .build()
        .expect("a registry");
    let caller = match case["cancelled"] == true {
        true => caller().cancelled_by(cancelled()),
        false => caller(),
    };
    let text = text(case);
    let input = match &text {
        Some(text) => CallInput::Bytes(text),
        None => CallInput::Value(case.get("input").cloned().unwrap_or_else(|| json!({}))),
    };
    let name = case["contract"]["called"].as_str().unwrap_or("probe");
    let report = wait(registry.call(name, input, &caller));
    drop(releases);
    seen(&report, &log, &journal)
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.input.bytes = 1000;
    limits.input.depth = 8;
    limits.input.nodes = 100;
    limits.data.bytes = 1000;
    limits.data.depth = 8;
    limits.content_bytes = 40;
    limits
}

/// What comes in as bytes: a text, with `#` in it standing for `padding` times `x`.
fn text(case: &Value) -> Option<Vec<u8>> {
    let text = case["text"].as_str()?;
    let padding = case["padding"].as_u64().unwrap_or(0);
    let padding = "x".repeat(usize::try_from(padding).unwrap());
    Some(match text.strip_prefix("latin1:") {
        Some(text) => text.chars().map(|c| u8::try_from(c).unwrap()).collect(),
        None => text.replace('#', &padding).into_bytes(),
    })
}

fn person(word: &Value) -> Person {
    match word.as_str() {
        None | Some("absent") => Person::Absent,
        Some("approves") => Person::Approves,
        Some("denies") => Person::Denies,
        Some("silent") => Person::Silent,
        Some("panics") => Person::Panics,
        Some(other) => panic!("no person who {other}"),
    }
}

fn provenance(word: &Value) -> Provenance {
    match word.as_str() {
        None | Some("builtin") => Provenance::Builtin,
        Some("declared") => Provenance::Declared,
        Some("adopted") => Provenance::Adopted {
            digest: "0".repeat(64),
        },
        Some(other) => panic!("provenance {other}"),
    }
}

fn does(tool: &Value) -> Does {
    match tool.as_str() {
        Some("panics") => Does::Panic,
        Some("hangs") => Does::Hang,
        Some("stops") => Does::Stop,
        Some(other) => panic!("no tool that {other}"),
        None if tool.is_null() => Does::Return(ToolOutput::text("done")),
        None => Does::Return(serde_json::from_value(tool.clone()).expect("an output")),
    }
}

fn seen(report: &CallReport, log: &Log, journal: &Told) -> Value {
    let (class, code) = match &report.output {
        ToolOutput::Ok { .. } => (Value::from("ok"), Value::Null),
        ToolOutput::Error { class, code, .. } => (
            json!(class),
            code.as_ref().map_or(Value::Null, |code| json!(code)),
        ),
    };
    let steps: Vec<String> = report
        .trace
        .steps
        .iter()
        .map(|step| {
            let outcome = step.outcome.map_or(json!("miss"), |outcome| json!(outcome));
            let decided = if step.decided { " <- decided" } else { "" };
            format!("{} {}{decided}", step.rule, outcome.as_str().unwrap())
        })
        .collect();
    assert_eq!(
        report.trace.steps.iter().filter(|s| s.decided).count(),
        1,
        "one step decides: {steps:?}"
    );
    let entries: Vec<Value> = journal
        .entries()
        .iter()
        .map(|entry| match &entry.record {
            Record::Intent(intent) => json!({
                "intent": { "tool": intent.tool, "risk": intent.risk, "decision": intent.decision, "softened": intent.softened, "approval": intent.approval.as_ref().map(|a| a.resolution) }
            }),
            Record::Outcome(outcome) => json!({
                "outcome": { "ran": outcome.ran, "result": outcome.result }
            }),
        })
        .collect();
    json!({
        "must": { "class": class, "code": code, "ran": report.ran, "asked": log.count("ask") },
        "sees": {
            "output": report.output,
            "trace": steps,
            "order": log.lines(),
            "journal": entries,
            "detail": report.detail,
        },
    })
}
