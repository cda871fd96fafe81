//! `toolgate policy` and `toolgate why`, as their library runs them.

use std::path::Path;

use clap::Parser as _;
use serde_json::Value;
use toolgate::cli::Exit;

use super::{data, policy};
use crate::toolgate::program::{self, Arguments};

/// Exit, standard output, standard error.
pub(super) fn toolgate(arguments: &[&str]) -> (Exit, String, String) {
    // What the user of this machine may have is left out.
    let own: &[&str] = match arguments {
        ["why", ..] | ["policy", "check" | "init", ..] => {
            &["--script-tools", "none", "--ledger", "no/such/ledger"]
        }
        _ => &[],
    };
    let given = arguments.contains(&"--ledger");
    let own = if given { &[] } else { own };
    program::toolgate(&[arguments, own].concat())
}

fn path(file: &str) -> String {
    data().join(file).to_str().expect("a path").to_owned()
}

#[test]
fn check_tells_a_whole_policy_from_a_broken_one() {
    let (exit, out, _) = toolgate(&["policy", "check", &path("why/policy.toml")]);
    assert_eq!(exit, Exit::Clean, "{out}");
    assert!(
        out.contains("whole, 6 rules, checked against 74 tools"),
        "{out}"
    );
    assert!(
        out.contains("tools: 74 of the catalog, of which this `toolgate` has 10\n"),
        "{out}"
    );
    let bad = path("check/faults/unknown-tool/bad.toml");
    let (exit, out, _) = toolgate(&["policy", "check", &bad]);
    assert_eq!(exit, Exit::Findings);
    assert!(
        out.contains("there is no tool `bsah`") && out.contains(":9:10"),
        "{out}"
    );
    let (exit, out, _) = toolgate(&["policy", "check", &bad, "--format", "json"]);
    assert_eq!(exit, Exit::Findings);
    let finding: Value = serde_json::from_str(out.lines().next().expect("a line")).expect("JSON");
    assert_eq!(
        (&finding["rule"], &finding["line"]),
        (&"unknown-tool".into(), &9.into())
    );
    let (exit, _, err) = toolgate(&["policy", "check", "no/such/file.toml"]);
    assert_eq!(exit, Exit::Failed);
    assert!(err.contains("cannot be read"), "{err}");
}

#[test]
fn rules_on_tools_that_are_not_there_are_listed() {
    let file = path("decide/a-server-that-comes-later/policy.toml");
    let (exit, out, _) = toolgate(&["policy", "check", &file]);
    assert_eq!(exit, Exit::Clean);
    assert_eq!(out.matches("unbound: rule").count(), 3, "{out}");
}

#[test]
fn the_starter_is_whole_and_overwrites_nothing() {
    let (exit, text, _) = toolgate(&["policy", "init"]);
    assert_eq!(exit, Exit::Clean);
    assert!(policy(&text).rules() >= 3);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("policy.toml");
    let file = file.to_str().expect("a path");
    assert_eq!(toolgate(&["policy", "init", "--out", file]).0, Exit::Clean);
    assert_eq!(std::fs::read_to_string(file).expect("the policy"), text);
    let (exit, _, err) = toolgate(&["policy", "init", "--out", file]);
    assert_eq!(exit, Exit::Failed);
    assert!(err.contains("cannot be made"), "{err}");
}

#[test]
fn the_schema_is_one_and_takes_the_starter() {
    let (exit, text, _) = toolgate(&["policy", "schema"]);
    assert_eq!(exit, Exit::Clean);
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let (_, starter, _) = toolgate(&["policy", "init"]);
    let mut starter: Value = toml_edit::de::from_str(&starter).expect("TOML");
    assert!(schema.is_valid(&starter));
    starter["rule"][0]["efect"] = "allow".into();
    assert!(!schema.is_valid(&starter));
}

#[test]
fn a_folder_of_manifests_stands_for_the_catalog() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = root.to_str().expect("a path");
    let (_, from_catalog, _) = toolgate(&["policy", "init"]);
    let (exit, from_manifests, err) = toolgate(&["policy", "init", "--manifests", root]);
    assert_eq!(exit, Exit::Clean, "{err}");
    assert_eq!(from_catalog, from_manifests);
}

/// What is said of arguments that are none.
fn refused(arguments: &[&str]) -> String {
    let all = ["toolgate"].iter().chain(arguments);
    Arguments::try_parse_from(all)
        .expect_err("no arguments")
        .to_string()
}

#[test]
fn a_pattern_is_no_caller() {
    let file = path("why/policy.toml");
    let why = ["why", "--policy", &file, "--tool", "bash"];
    let of = |label| [&why[..], &["--principal", label, "--acting-for", "user"]].concat();
    for label in ["subagent:*", "plugin:*", "host:a*"] {
        let err = refused(&of(label));
        assert!(err.contains("is a pattern"), "{err}");
    }
    assert_eq!(toolgate(&of("subagent:a")).0, Exit::Clean);
    let err = refused(&of("nobody"));
    assert!(err.contains("`subagent:ID` with `--acting-for`"), "{err}");
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a fixture in a folder of its own"
)]
fn why_knows_switches_and_tells_of_hooks() {
    let file = path("why/policy.toml");
    let folder = tempfile::tempdir().expect("a folder");
    let settings = folder.path().join("settings.json");
    let hook = r#"{"matcher":"*","hooks":[{"type":"command","command":"./guard.sh"}]}"#;
    let text = format!(r#"{{"tools":{{"read_file":"off"}},"hooks":{{"PreToolUse":[{hook}]}}}}"#);
    std::fs::write(&settings, text).expect("the settings");
    let settings = settings.to_str().expect("a path");
    let why = |tool: &str, input: &str| {
        let call = ["--tool", tool, "--input", input];
        let mut all = vec!["why", "--policy", &file, "--settings", settings];
        all.extend(call);
        let (exit, out, err) = toolgate(&all);
        assert_eq!(exit, Exit::Clean, "{err}");
        out
    };
    let off = why("read_file", r#"{"path":"a"}"#);
    assert!(off.starts_with("deny: `read_file`"), "{off}");
    assert!(off.contains("decided by switch:read_file"), "{off}");
    assert!(off.contains("take the switch out"), "{off}");
    assert!(off.contains("1 of the settings' hooks"), "{off}");
    let on = why("grep", r#"{"pattern":"a"}"#);
    assert!(on.starts_with("allow: `grep`"), "{on}");
}

#[test]
fn why_tells_which_rules_wait_for_a_tool() {
    let file = path("decide/a-server-that-comes-later/policy.toml");
    let (policy, _) = super::parse(std::path::Path::new(&file));
    let waits = policy.expect("a policy").unbound()[0].clone();
    let name = waits.tool.replace('*', "x");
    let (exit, _, err) = toolgate(&["why", "--policy", &file, "--tool", &name]);
    assert_eq!(exit, Exit::Failed);
    assert!(err.contains("has no contract yet"), "{err}");
    assert!(
        err.contains(&format!("rule `{}` waits for it", waits.rule)),
        "{err}"
    );
    let (_, _, err) = toolgate(&["why", "--policy", &file, "--tool", "reed_file"]);
    assert!(err.contains("did you mean `read_file`?"), "{err}");
}

#[test]
fn whoever_uses_a_policy_with_a_fault_is_told_what_to_do() {
    let bad = path("check/faults/unknown-tool/bad.toml");
    let error = toolcontract_runtime::policy::role::RolePolicy::load(&bad, super::catalog())
        .expect_err("a policy with a fault");
    assert!(
        error.to_string().contains("did you mean `bash`?"),
        "{error}"
    );
}

#[test]
fn why_names_the_line() {
    let file = path("why/policy.toml");
    let why = |more: &[&str]| {
        let mut all = vec!["why", "--policy", &file];
        all.extend(more);
        toolgate(&all)
    };
    let (exit, out, _) = why(&["--tool", "read_file", "--input", r#"{"path":".env"}"#]);
    assert_eq!(exit, Exit::Clean);
    assert!(
        out.starts_with("deny: `read_file`, called by user"),
        "{out}"
    );
    assert!(out.contains("policy.toml:13: rule `no-secrets`"), "{out}");
    let sub = [
        "--tool",
        "bash",
        "--principal",
        "subagent:a",
        "--acting-for",
        "role:builder",
    ];
    let (_, out, _) = why(&[
        &sub[..],
        &["--input", r#"{"command":"ls"}"#, "--format", "json"],
    ]
    .concat());
    let json: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(json["decision"], "ask");
    let all = serde_json::json!(["subagent:a", "role:builder"]);
    assert_eq!(json["principals"], all);
}

#[test]
fn why_says_what_it_was_not_told() {
    let file = path("why/policy.toml");
    let why = |more: &[&str]| {
        let mut all = vec!["why", "--policy", &file];
        all.extend(more);
        let (exit, _, err) = toolgate(&all);
        assert_eq!(exit, Exit::Failed, "{err}");
        err
    };
    assert!(why(&["--tool", "read_fiel"]).contains("did you mean `read_file`?"));
    assert!(why(&["--tool", "bash", "--principal", "subagent:a"]).contains("--acting-for"));
    let users = [
        "why",
        "--policy",
        &file,
        "--tool",
        "bash",
        "--principal",
        "users",
    ];
    assert!(refused(&users).contains("names no principal"));
    assert!(why(&["--tool", "bash", "--input", "{"]).contains("cannot be read"));
    assert!(why(&["--tool", "bash", "--input", r#"{"a":1,"a":2}"#]).contains("cannot be read"));
}

/// Calls a tool of the program in a folder of its own, governed by `governed`.
fn call(governed: &[&str], tool: &str) -> (Exit, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().to_str().expect("a path");
    let mut all = vec!["call", "--root", root];
    all.extend(governed);
    all.push(tool);
    toolgate(&all)
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a fixture in a folder of its own"
)]
fn what_serves_calls_is_governed_by_policy_and_settings() {
    let policy = path("why/policy.toml");
    let list = |more: &[&str]| {
        let mut all = vec!["list", "--policy", &policy];
        all.extend(more);
        toolgate(&all)
    };
    let (exit, out, err) = list(&[]);
    assert_eq!(exit, Exit::Clean, "{err}");
    let withheld = |out: &str, tool: &str| {
        let line = out
            .lines()
            .find(|line| line.starts_with(tool))
            .expect("the tool");
        line.contains("withheld")
    };
    assert!(
        withheld(&out, "bash") && !withheld(&out, "read_file"),
        "{out}"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("settings.json");
    let settings = file.to_str().expect("a path");
    std::fs::write(&file, r#"{"tools":{"file":"off"}}"#).expect("the settings");
    let (_, out, _) = list(&["--settings", settings]);
    assert!(
        withheld(&out, "read_file") && !withheld(&out, "grep"),
        "{out}"
    );
    let (_, _, err) = list(&["--settings", settings]);
    assert!(!err.contains("switches nothing"), "{err}");
    std::fs::write(&file, r#"{"tools":{"Bash":"off"}}"#).expect("the settings");
    let (_, _, err) = list(&["--settings", settings]);
    assert!(
        err.contains("`Bash` is the name of no tool and no group"),
        "{err}"
    );
    std::fs::write(&file, r#"{"tools":{"file":false}}"#).expect("the settings");
    let (exit, _, err) = list(&["--settings", settings]);
    assert_eq!(exit, Exit::Failed);
    assert!(err.contains("write \"on\" or \"off\""), "{err}");
    let hook = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"echo '{\"action\":\"deny\",\"reason\":\"no\"}'"}]}]}}"#;
    std::fs::write(&file, hook).expect("the settings");
    let (_, out, err) = call(&["--policy", &policy, "--settings", settings], "list_state");
    assert!(format!("{out}{err}").contains("hook"), "{out}{err}");
    let (exit, out, err) = call(&["--policy", &policy], "list_state");
    assert_eq!(exit, Exit::Clean, "{out}{err}");
}
