//! Script tools on real processes: what a command gets, what of it comes back, what it cannot do.

use std::time::Duration;

use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::{Principal, ToolOutput};
use toolcontract_runtime::{
    adoption::Grade,
    caller::{Caller, Session},
    process::Environment,
};

use super::{
    lab::run,
    yard::{Yard, call, outcome, overwrite},
};

const TEXT: &str =
    "[input_schema]\ntype = \"object\"\nrequired = [\"text\"]\nproperties.text.type = \"string\"\n";

#[test]
fn input_comes_on_standard_input_and_as_variables() {
    let yard = Yard::new();
    yard.tool(
        "echoes",
        "cat; echo; printf %s \"$STELLA_INPUT_TEXT\"; pwd",
        TEXT,
    );
    let (registry, _) = yard.open(true);
    let report = call(&registry, "echoes", &json!({ "text": "a b", "list": [1] }));
    let root = yard.root().canonicalize().unwrap();
    let expected = format!(
        "ok {{\"text\":\"a b\",\"list\":[1]}}\na b{}",
        root.display()
    );
    assert_eq!(outcome(&report), expected);
    // Validated like any tool.
    assert_eq!(
        outcome(&call(&registry, "echoes", &json!({ "text": 1 }))),
        "invalid_input"
    );
}

#[test]
fn no_text_of_a_call_becomes_a_command() {
    let yard = Yard::new();
    yard.tool("says", "printf '<%s>' \"$STELLA_INPUT_TEXT\" \"$@\"", TEXT);
    let (registry, _) = yard.open(true);
    for text in [
        "$(touch pwned)",
        "`touch pwned`",
        "; touch pwned",
        "\n touch pwned",
        "-n",
        "--",
        "'\"",
    ] {
        let report = call(&registry, "says", &json!({ "text": text }));
        let ToolOutput::Ok { content, .. } = &report.output else {
            panic!("{report:?}");
        };
        assert_eq!(content, &format!("<{text}>"));
    }
    assert!(!yard.path("pwned").exists());
    // Control: a script that runs its text does.
    yard.tool("runs", "eval \"$STELLA_INPUT_TEXT\"", TEXT);
    let (registry, _) = yard.open(true);
    call(&registry, "runs", &json!({ "text": "touch pwned" }));
    assert!(yard.path("pwned").exists());
}

#[test]
fn a_script_sees_only_what_was_listed() {
    let yard = Yard::new();
    yard.tool(
        "env",
        "env; tr '\\0' '\\n' < /proc/self/environ",
        "[env]\nMODE = \"fast\"\n",
    );
    assert!(std::env::var_os("CARGO_PKG_NAME").is_some(), "control");
    let (registry, _) = yard.open(true);
    let seen = outcome(&call(&registry, "env", &json!({})));
    assert!(
        seen.contains("MODE=fast") && seen.contains("PATH="),
        "{seen}"
    );
    assert!(
        !seen.contains("CARGO_PKG_NAME") && !seen.contains("LD_"),
        "{seen}"
    );
    let (registry, _) = yard.open_with(true, Environment::inherited(["CARGO_PKG_NAME"]));
    assert!(outcome(&call(&registry, "env", &json!({}))).contains("CARGO_PKG_NAME=tests"));
}

#[test]
fn the_end_of_a_script_is_told() {
    let yard = Yard::new();
    for (name, script, more, expected) in [
        ("good", "echo done", "", "ok done"),
        ("silent", "true", "", "ok [no output]"),
        ("fails", "echo why >&2; exit 3", "", "environment"),
        ("dies", "kill -KILL $$", "", "environment"),
        ("hangs", "sleep 60", "timeout_ms = 100\n", "timeout"),
        (
            "floods",
            "head -c 9000000 /dev/zero",
            "",
            "invalid_output output_too_large",
        ),
        ("json", "echo '{\"n\": 1}'", NUMBER, "ok {\"n\": 1}"),
        (
            "other_json",
            "echo '{\"n\": \"x\"}'",
            NUMBER,
            "invalid_output",
        ),
        ("no_json", "echo hello", NUMBER, "invalid_output"),
        (
            "two_keys",
            "echo '{\"n\": 1, \"n\": 2}'",
            NUMBER,
            "invalid_output",
        ),
    ] {
        yard.tool(name, script, more);
        let (registry, _) = yard.open(true);
        let report = call(&registry, name, &json!({}));
        assert_eq!(outcome(&report), expected, "{name}: {report:?}");
        assert!(report.ran, "{name}");
    }
    let (registry, _) = yard.open(true);
    let ToolOutput::Error { message, .. } = call(&registry, "fails", &json!({})).output else {
        panic!("it fails");
    };
    assert_eq!(message, "`fails` ended with exit code 3:\nwhy");
}

const NUMBER: &str =
    "[output_schema]\ntype = \"object\"\nrequired = [\"n\"]\nproperties.n.type = \"integer\"\n";

#[test]
fn a_long_output_loses_its_middle_for_a_model_only() {
    let yard = Yard::new();
    let script = "printf '{\"n\": 1, \"s\": \"'; head -c 200000 /dev/zero | tr '\\0' x; echo '\"}'";
    yard.tool("long", script, NUMBER);
    let (registry, _) = yard.open(true);
    let ToolOutput::Ok { content, data } = call(&registry, "long", &json!({})).output else {
        panic!("it succeeds");
    };
    assert!(content.len() < 70_000 && content.contains("bytes are not shown"));
    assert_eq!(data.unwrap()["s"].as_str().unwrap().len(), 200_000);
}

#[test]
fn a_script_runs_under_its_own_name_and_finds_its_first_line() {
    let yard = Yard::new();
    yard.put(
        ".stella/tools/own.sh",
        "#!/usr/bin/env sh\nbasename \"$0\"\n",
    );
    yard.put(
        ".stella/tools/own.toml",
        "name = \"own\"\ndescription = \"Says its name.\"\ncommand = [\".stella/tools/own.sh\"]\n",
    );
    let (registry, admitted) = yard.open(true);
    assert!(admitted[0].callable, "{admitted:?}");
    assert_eq!(outcome(&call(&registry, "own", &json!({}))), "ok own.sh");
    let found = yard.discover();
    let script = found.scripts[0].clone();
    let contract = script.contract.clone();
    let environment = Environment::inherited([]);
    let tool =
        toolcontract_runtime::script::ScriptTool::new(script, contract, &yard.root(), environment);
    let roles: Vec<String> = tool
        .unwrap()
        .files()
        .iter()
        .map(|f| format!("{:?}", f.role))
        .collect();
    assert_eq!(roles, ["Program", "Interpreter", "Interpreter"]);
}

/// A program outside is run as it was opened, and a script outside by its path: what reads it
/// opens it again.
#[test]
fn programs_outside_of_the_workspace_run_under_their_names() {
    use std::os::unix::fs::PermissionsExt as _;
    let yard = Yard::new();
    yard.put("../bin/teller", "#!/bin/sh\nbasename \"$0\"; cat\n");
    let program = yard.path("../bin/teller").canonicalize().unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = program.to_str().unwrap();
    for (name, command, expected) in [
        ("script", format!("[\"{program}\"]"), "ok teller\n{}"),
        ("binary", "[\"cat\"]".to_owned(), "ok {}"),
        ("absolute", "[\"/bin/cat\"]".to_owned(), "ok {}"),
    ] {
        let manifest =
            format!("name = \"{name}\"\ndescription = \"Tells.\"\ncommand = {command}\n");
        yard.put(&format!(".stella/tools/{name}.toml"), &manifest);
        let (registry, admitted) = yard.open(true);
        let report = call(&registry, name, &json!({}));
        assert_eq!(outcome(&report), expected, "{admitted:?} {report:?}");
    }
    yard.adopt("script", &Grade::default());
    let (registry, _) = yard.open(false);
    assert_eq!(
        outcome(&call(&registry, "script", &json!({}))),
        "ok teller\n{}"
    );
    yard.put("../bin/teller", "#!/bin/sh\necho other\n");
    let changed = outcome(&call(&registry, "script", &json!({})));
    assert_eq!(changed, "refused_by_policy definition_changed");
}

/// Whoever no longer waits leaves no process behind.
#[test]
fn a_script_ends_with_its_call() {
    let yard = Yard::new();
    yard.tool("waits", "echo $$ > pid; sleep 600 & wait", "");
    let (registry, _) = yard.open(true);
    let pid = yard.path("pid");
    let started = || std::fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n'));
    let is_gone = || {
        let pid = std::fs::read_to_string(&pid).unwrap();
        let line = format!("/proc/{}/cmdline", pid.trim());
        (0..3_000).any(|_| {
            // One that is dead and waits to be noticed has no command line any more.
            let gone = std::fs::read(&line).unwrap_or_default().is_empty();
            if !gone {
                std::thread::sleep(Duration::from_millis(10));
            }
            gone
        })
    };
    let stop = CancellationToken::new();
    let caller = Caller::in_process(Principal::User, &Session::new("s"), "c1");
    let caller = caller.cancelled_by(stop.clone());
    let seen = || async {
        while !started() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let report = run(async {
        let stopper = async {
            seen().await;
            stop.cancel();
        };
        tokio::join!(registry.call("waits", json!({}), &caller), stopper).0
    });
    assert_eq!(outcome(&report), "environment cancelled");
    assert!(report.ran && is_gone());
    overwrite(&pid, "");
    let caller = Caller::in_process(Principal::User, &Session::new("s"), "c2");
    run(async {
        tokio::select! {
            report = registry.call("waits", json!({}), &caller) => panic!("{report:?}"),
            () = seen() => {}
        }
    });
    assert!(is_gone());
}
