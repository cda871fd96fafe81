//! `hooks/<fact>.json`: what the command of a hook says, and what `must` become of the call. Then
//! the payload, settings, hooks that are code, and a few real processes.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use stella_contracts::bash;
use toolcontract_protocol::{AuthzEvalError, Decision, Principal, Provenance, ToolOutput};
use toolcontract_runtime::{
    authz::{AuthzGate as _, Enforcement},
    call::CallReport,
    hook::{HookCommand, HookRan, HookSpec, Processes, RunsHooks, ShellHook, TypedHook, specs},
    policy::Settings,
    process::Environment,
    registry::Registry,
};

use super::{catalog, data, entries};
use crate::runtime::fakes::{Asks, Does, Fake, Gate, Log, Person, Way, caller, contract, wait};

/// Answers for a command, and keeps what it was given.
struct Says {
    ran: HookRan,
    given: Mutex<Vec<HookCommand>>,
}

impl Says {
    fn new(ran: HookRan) -> Arc<Self> {
        Arc::new(Self {
            ran,
            given: Mutex::default(),
        })
    }
}

impl RunsHooks for Says {
    fn run(&self, command: HookCommand) -> HookRan {
        self.given.lock().unwrap().push(command);
        self.ran.clone()
    }
}

#[test]
fn each_hook_is_heard_as_it_must() {
    let files = entries(&data().join("hooks"));
    assert!(files.len() >= 20);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a case");
        let case: Value = serde_json::from_str(&text).expect("JSON");
        let (report, log, given) = call(&case);
        let code = report
            .code()
            .map_or(Value::Null, |code| code.as_str().into());
        let mut seen = json!({ "code": code, "ran": report.ran, "asked": log.count("ask") });
        for (key, value) in [
            ("hook_ran", json!(given)),
            (
                "tool",
                json!(log.lines().iter().find_map(|l| l.strip_prefix("tool "))),
            ),
        ] {
            if case["must"].get(key).is_some() {
                seen[key] = value;
            }
        }
        assert_eq!(case["must"], seen, "{}: {report:?}", file.display());
    }
}

fn call(case: &Value) -> (CallReport, Log, usize) {
    let says = &case["says"];
    let says = Says::new(match says["failed"].as_str() {
        Some(what) => HookRan::Failed {
            what: what.to_owned(),
        },
        None => HookRan::Ended {
            code: serde_json::from_value(says["code"].clone()).expect("a code"),
            out: says["out"].as_str().map(|out| out.as_bytes().to_vec()),
        },
    });
    let block = json!({ "PreToolUse": [{
        "matcher": case.get("matcher").unwrap_or(&json!("*")),
        "hooks": [{ "type": "command", "command": "./guard", "rewrites": case["rewrites"] == true }],
    }] });
    let (specs, _) = specs(&block).expect("hooks");
    let hook = ShellHook::new(specs[0].clone(), "/w", says.clone()).expect("a hook");
    let log = Log::default();
    let way = Way::of(case["gate"].as_str().unwrap_or("allow"));
    let mut builder = Registry::builder(Gate::new("g", way, &log)).approvals(Asks {
        person: Person::Approves,
        log: log.clone(),
    });
    if case["enforcement"] == "warn" {
        builder = builder.enforcement(Enforcement::Warn);
    }
    if hook.rewrites() {
        builder = builder.rewriter(hook.clone());
    }
    let fake = Fake::new(Does::Return(ToolOutput::text("done")), &log);
    let registry = builder
        .shell_hook(hook)
        .dyn_tool(Provenance::Builtin, contract(json!({})), fake)
        .build()
        .expect("a registry");
    let report = wait(registry.call("probe", json!({ "path": "a" }), &caller()));
    let given = says.given.lock().unwrap().len();
    (report, log, given)
}

#[test]
fn the_payload_has_the_facts_that_may_be_relied_on() {
    let says = Says::new(HookRan::Ended {
        code: 0,
        out: Some(Vec::new()),
    });
    let mut spec = HookSpec::new("h", "./guard");
    spec.time = Duration::from_secs(5);
    let hook = ShellHook::new(spec, "/w", says.clone()).expect("a hook");
    let payload = |provenance: Provenance, principal: &Principal| -> Value {
        let mut contract = contract(
            json!({ "read_only": true, "requires_approval": true, "version": 3, "group": "file" }),
        );
        contract.provenance = provenance;
        hook.check(&contract, principal, &json!({ "path": "a" }))
            .expect("an answer");
        let given = says.given.lock().unwrap().pop().expect("a command");
        assert_eq!(
            (given.line.as_str(), given.folder.as_path()),
            ("./guard", Path::new("/w"))
        );
        assert_eq!(given.time, Duration::from_secs(5));
        serde_json::from_slice(&given.input).expect("JSON")
    };
    assert_eq!(
        payload(Provenance::Builtin, &Principal::User),
        json!({
            "event": "PreToolUse",
            "cwd": "/w",
            "tool": {
                "name": "probe", "input": { "path": "a" }, "read_only": true, "risk": "low",
                "requires_approval": true, "provenance": "builtin", "version": 3, "group": "file",
            },
            "principal": "user",
        })
    );
    let declared = payload(Provenance::Declared, &Principal::User.spawn("a"));
    assert_eq!(
        (&declared["tool"]["read_only"], &declared["tool"]["risk"]),
        (&json!(false), &json!("high"))
    );
    assert_eq!(
        declared["principal"],
        json!({ "label": "subagent:a", "parent": "user" })
    );
}

#[test]
fn settings_are_read_strictly_where_they_govern() {
    let parse = |settings: Value| Settings::parse(settings.to_string().as_bytes());
    let whole = parse(json!({
        "theme": { "tools": 1 },
        "tools": { "bash": "off" },
        "hooks": {
            "PreToolUse": [
                { "hooks": [{ "type": "command", "command": "./a" }] },
                { "matcher": "mcp__*", "hooks": [{ "type": "command", "command": "./b", "timeoutMs": 5000 }] },
            ],
            "Stop": [{ "hooks": [] }],
        },
    }))
    .expect("settings");
    assert_eq!(whole.tools.unknown(catalog()), [""; 0]);
    let names: Vec<&str> = whole.hooks.iter().map(|hook| hook.name.as_str()).collect();
    assert_eq!(names, ["PreToolUse-1", "PreToolUse-2"]);
    assert_eq!(whole.hooks[0].time, Duration::from_secs(60));
    assert_eq!(
        (whole.hooks[1].time, whole.hooks[1].matcher.as_str()),
        (Duration::from_secs(5), "mcp__*")
    );
    assert_eq!(whole.events_elsewhere, ["Stop"]);
    let hook = |more: Value| {
        let mut handler = json!({ "type": "command", "command": "./a" });
        handler
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().cloned().unwrap());
        parse(json!({ "hooks": { "PreToolUse": [{ "hooks": [handler] }] } }))
    };
    assert!(hook(json!({})).is_ok());
    for wrong in [
        json!({ "type": "prompt" }),
        json!({ "timeoutMs": 0 }),
        json!({ "timeoutMs": 600_001 }),
        json!({ "timeoutMs": "5" }),
        json!({ "timeout": 5 }),
        json!({ "command": " " }),
        json!({ "command": ["./a"] }),
    ] {
        assert!(hook(wrong.clone()).is_err(), "{wrong}");
    }
    assert!(parse(json!({ "hooks": { "PreToolUses": [] } })).is_err());
    assert!(parse(json!({ "tools": { "bash": true } })).is_err());
    assert!(parse(json!([])).is_err());
    assert!(Settings::parse(br#"{"tools":{"bash":"off"},"tools":{}}"#).is_err());
    assert!(
        ShellHook::new(
            HookSpec {
                matcher: "a?".to_owned(),
                ..HookSpec::new("h", "x")
            },
            "/w",
            Says::new(HookRan::Failed {
                what: String::new()
            })
        )
        .is_err()
    );
}

#[test]
fn a_hook_of_the_program_gets_the_input_in_its_type() {
    let hook = TypedHook::on::<bash::Contract>("no-sudo", |input: bash::Input, call| {
        assert_eq!(call.contract.name, "bash");
        match input.command.starts_with("sudo") {
            true => Ok(Decision::deny("no sudo")),
            false => Ok(Decision::Allow),
        }
    });
    let find = |name: &str| {
        catalog()
            .find(|contract| contract.name == name)
            .expect("a tool")
    };
    let check = |tool: &str, input: Value| hook.check(find(tool), &Principal::User, &input);
    assert_eq!(
        check("bash", json!({ "command": "sudo rm" })),
        Ok(Decision::deny("no sudo"))
    );
    assert_eq!(
        check("bash", json!({ "command": "ls", "timeout_secs": 1.0 })),
        Ok(Decision::Allow)
    );
    assert!(check("bash", json!({ "command": 1 })).is_err());
    // Of another tool it says nothing.
    assert_eq!(
        check("read_file", json!({ "command": "sudo" })),
        Ok(Decision::Allow)
    );
}

#[test]
fn a_hook_of_the_program_that_fails_denies() {
    let run = |handler: fn() -> Result<Decision, AuthzEvalError>| {
        let log = Log::default();
        let hook = TypedHook::new("h", "*", move |_| handler())
            .expect("a hook")
            .quick();
        let fake = Fake::new(Does::Return(ToolOutput::text("done")), &log);
        let registry = Registry::builder(Gate::new("g", Way::Allow, &log))
            .hook(hook)
            .dyn_tool(Provenance::Builtin, contract(json!({})), fake)
            .build()
            .expect("a registry");
        let report = wait(registry.call("probe", json!({}), &caller()));
        report
            .code()
            .map_or("ran".to_owned(), |code| code.as_str().to_owned())
    };
    assert_eq!(run(|| Ok(Decision::Allow)), "ran");
    assert_eq!(run(|| Ok(Decision::deny("no"))), "denied_by_hook");
    assert_eq!(run(|| panic!("as the test asks it to")), "policy_error");
    assert_eq!(
        run(|| Err(AuthzEvalError {
            gate: "h".to_owned(),
            detail: "down".to_owned()
        })),
        "policy_error"
    );
}

/// Runs a real command line.
fn process(folder: &Path, line: &str, time: Duration) -> HookRan {
    let environment = Environment::inherited([]).with("LISTED", "seen");
    Processes { environment }.run(HookCommand {
        line: line.to_owned(),
        input: br#"{"event":"PreToolUse"}"#.to_vec(),
        folder: folder.to_owned(),
        time,
    })
}

const LONG: Duration = Duration::from_secs(60);

fn out(ran: HookRan) -> String {
    match ran {
        HookRan::Ended {
            code: 0,
            out: Some(out),
        } => String::from_utf8(out).expect("text"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_process_reads_the_payload_in_its_folder_and_sees_what_was_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("a path");
    let said = out(process(&folder, "cat; echo; pwd; env", LONG));
    let mut lines = said.lines();
    assert_eq!(lines.next(), Some(r#"{"event":"PreToolUse"}"#));
    assert_eq!(lines.next(), folder.to_str());
    assert!(said.contains("LISTED=seen"));
    // Cargo sets this for the test itself.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    assert!(!said.contains("CARGO_MANIFEST_DIR"), "{said}");
}

#[test]
fn a_process_that_fails_says_so() {
    let folder = PathBuf::from("/");
    assert!(matches!(
        process(&folder, "exit 3", LONG),
        HookRan::Ended { code: 3, .. }
    ));
    assert!(matches!(
        process(&folder, "kill -9 $$", LONG),
        HookRan::Failed { .. }
    ));
    assert!(matches!(
        process(Path::new("/no/such/folder"), "true", LONG),
        HookRan::Failed { .. }
    ));
    let flood = process(&folder, "head -c 9000000 /dev/zero", LONG);
    assert_eq!(flood, HookRan::Ended { code: 0, out: None });
}

#[test]
fn a_late_process_goes_with_all_that_it_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "sleep 1000 & echo $! > child; sleep 1000";
    // On a busy machine a child takes its time to start.
    let child = [300, 2_000, 20_000].into_iter().find_map(|time| {
        let ran = process(folder.path(), line, Duration::from_millis(time));
        assert!(matches!(ran, HookRan::Failed { .. }), "{ran:?}");
        std::fs::read_to_string(folder.path().join("child")).ok()
    });
    let child = child.expect("the child started");
    // Gone, or a zombie that nobody has collected yet. What is killed ends once it is scheduled,
    // which takes its time on a busy machine, too; the child itself would sleep for longer.
    let is_gone = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.trim()));
        stat.map_or(true, |stat| stat.contains(") Z "))
    };
    let gone = (0..400).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        is_gone()
    });
    assert!(gone, "the child runs on");
}
