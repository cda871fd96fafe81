//! The commands of `toolgate`, as their library runs them.

use clap::{CommandFactory as _, Parser as _, error::ErrorKind};
use serde_json::Value;
use toolgate::cli::Exit;

use super::{
    lab::Lab,
    program::{Arguments, toolgate},
};

/// Leaves out what the user of this machine may have.
const NO_SCRIPTS: [&str; 2] = ["--script-tools", "none"];

#[test]
fn the_arguments_are_consistent() {
    Arguments::command().debug_assert();
}

/// The commands below `command` that have none below themselves, each with what leads to it.
fn leaves(command: &clap::Command, path: &str) -> Vec<(String, clap::Command)> {
    let below = command.get_subcommands().flat_map(|below| {
        let path = format!("{path} {}", below.get_name());
        match below.has_subcommands() {
            true => leaves(below, &path),
            false => vec![(path, below.clone())],
        }
    });
    below.collect()
}

#[test]
fn the_help_of_every_command_ends_with_examples_that_are_some() {
    let all = leaves(&Arguments::command(), "toolgate");
    assert_eq!(all.len(), 15);
    for (path, command) in all {
        let examples = command.get_after_help().expect(&path).to_string();
        let (_, examples) = examples.split_once("Examples:\n").expect(&path);
        for line in examples.lines().filter(|line| !line.is_empty()) {
            let line = line.trim();
            assert!(line.starts_with(&path), "{path}: {line}");
            // In single quotes stands a word with blanks or quotes in it.
            let parts = line.split('\'').enumerate();
            let words = parts.flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().collect(),
                _ => vec![part],
            });
            let read = Arguments::try_parse_from(words);
            assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
        }
    }
}

/// A flag that would do nothing is none of the command's.
#[test]
fn what_does_nothing_is_no_argument() {
    let all = leaves(&Arguments::command(), "toolgate");
    let has = |path: &str, flag: &str| {
        let found = all.iter().find(|(of, _)| of == path);
        let (_, command) = found.expect(path);
        command
            .get_arguments()
            .any(|argument| argument.get_long() == Some(flag))
    };
    for (path, flag, is_there) in [
        ("toolgate call", "unadopted", true),
        ("toolgate call", "script-tools", true),
        ("toolgate serve", "principal", false),
        ("toolgate serve", "ledger", false),
        ("toolgate proxy", "script-tools", false),
        ("toolgate proxy", "unadopted", false),
        ("toolgate proxy", "ledger", true),
        ("toolgate adopt", "unadopted", false),
        ("toolgate adopt", "script-tools", true),
        ("toolgate adopted", "unadopted", false),
        ("toolgate withdraw", "script-tools", false),
        ("toolgate withdraw", "ledger", true),
    ] {
        assert_eq!(has(path, flag), is_there, "{path} --{flag}");
    }
}

#[test]
fn a_gate_must_be_named() {
    for command in [&["list"][..], &["call", "glob"]] {
        let all = ["toolgate"].iter().chain(command);
        let error = Arguments::try_parse_from(all).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MissingRequiredArgument);
        let text = error.to_string();
        for choice in ["--risk-ceiling", "--deny-all", "--no-authz"] {
            assert!(text.contains(choice), "{text}");
        }
    }
    let two = ["toolgate", "list", "--no-authz", "--deny-all"];
    let error = Arguments::try_parse_from(two).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ArgumentConflict);
}

#[test]
fn a_call_is_decided_run_and_written_down() {
    let lab = Lab::new();
    lab.put("a.txt", "text\n");
    let (root, journal) = (lab.path(""), lab.path("../journal.jsonl"));
    let (root, journal) = (root.to_str().unwrap(), journal.to_str().unwrap());
    let call = |gate: &[&str], tool: &str, input: &str| {
        let mut all = vec![
            "call",
            tool,
            "--input",
            input,
            "--root",
            root,
            "--journal",
            journal,
        ];
        all.extend(gate);
        toolgate(&all)
    };
    let read = r#"{"path":"a.txt"}"#;
    let (exit, out, _) = call(&["--no-authz"], "read_file", read);
    assert_eq!((exit, out.as_str()), (Exit::Clean, "     1\ttext\n"));
    let (exit, out, err) = call(&["--deny-all"], "read_file", read);
    assert_eq!((exit, out.as_str()), (Exit::Findings, ""));
    assert!(
        err.contains("denied_by_gate") && err.contains("gate:deny-all"),
        "{err}"
    );
    let ceiling = &["--risk-ceiling", "low"];
    assert_eq!(call(ceiling, "read_file", read).0, Exit::Clean);
    let (exit, _, err) = call(ceiling, "bash", r#"{"command":"true"}"#);
    assert_eq!(exit, Exit::Findings, "{err}");
    let (exit, out, _) = call(&["--no-authz", "--json"], "read_file", r#"{"path":7}"#);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(exit, Exit::Findings);
    assert_eq!(report["output"]["error"]["class"], "invalid_input");
    assert_eq!(report["ran"], false);
    let (exit, out, _) = toolgate(&["journal", "verify", journal]);
    assert_eq!(exit, Exit::Clean);
    assert!(out.starts_with("whole, 10 entries"), "{out}");
    let (exit, out, _) = toolgate(&["journal", "show", journal]);
    assert_eq!((exit, out.lines().count()), (Exit::Clean, 10));
    let line = |number: usize, has: &str| {
        let line = out.lines().nth(number - 1).unwrap();
        assert!(
            line.starts_with(&format!("{number} ")) && line.contains(has),
            "{line}"
        );
    };
    line(
        1,
        "read_file of low by user: allow, decided by gate:no-authz",
    );
    line(2, "ran: ok, ");
    line(3, "deny, decided by gate:deny-all (every call is denied)");
    line(
        4,
        "did not run: refused_by_policy (denied_by_gate), 0 events, 0 dropped",
    );
    line(10, "did not run: invalid_input, 0 events");
    let (_, json, _) = toolgate(&["journal", "show", "--json", journal]);
    let entries = json
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let entries: Vec<Value> = entries.collect();
    assert_eq!(
        (entries.len(), &entries[0]["tool"]),
        (10, &Value::from("read_file"))
    );
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test changes its own journal")]
fn a_journal_is_shown_when_it_is_whole_and_on_one_line_an_entry() {
    let lab = Lab::new();
    let journal = lab.path("../journal.jsonl");
    let journal = journal.to_str().unwrap();
    let root = lab.path("");
    let root = root.to_str().unwrap();
    let principal = "role:a\nb\u{202e}\u{1b}[2J";
    toolgate(&[
        "call",
        "no\u{202e}\u{1b}[2J\nsuch",
        "--no-authz",
        "--root",
        root,
        "--journal",
        journal,
        "--principal",
        principal,
        NO_SCRIPTS[0],
        NO_SCRIPTS[1],
    ]);
    let (exit, out, _) = toolgate(&["journal", "show", journal]);
    assert_eq!((exit, out.lines().count()), (Exit::Clean, 2), "{out}");
    let (_, json, _) = toolgate(&["journal", "show", "--json", journal]);
    for text in [&out, &json] {
        assert!(text.is_ascii() && !text.contains('\u{1b}'), "{text}");
        assert_eq!(text.lines().count(), 2);
    }
    let entry: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(entry["principal"], principal);
    let text = std::fs::read_to_string(journal).unwrap();
    std::fs::write(journal, text.replace("unknown_tool", "unknown_fool")).unwrap();
    let (exit, out, _) = toolgate(&["journal", "show", journal]);
    assert_eq!(exit, Exit::Findings);
    assert!(out.starts_with("broken at entry 2"), "{out}");
}

#[test]
fn the_list_says_what_is_withheld() {
    let lab = Lab::new();
    let root = lab.path("");
    let list = |gate: &[&str]| {
        let mut all = vec!["list", "--root", root.to_str().unwrap()];
        all.extend(NO_SCRIPTS);
        all.extend(gate);
        toolgate(&all).1
    };
    let text = list(&["--risk-ceiling", "medium"]);
    let line = |tool: &str| {
        text.lines()
            .find(|line| line.starts_with(tool))
            .unwrap()
            .to_owned()
    };
    assert_eq!(line("bash"), "bash         high         builtin, withheld");
    assert_eq!(line("grep"), "grep         low          builtin, read-only");
    let all: Value = serde_json::from_str(&list(&["--no-authz", "--json"])).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 10);
    assert_eq!(all[0]["contract"]["schema"]["name"], "bash");
    assert_eq!(all[0]["withheld"], false);
}

#[test]
fn a_name_that_is_no_tools_is_told_what_was_meant() {
    let lab = Lab::new();
    let root = lab.path("");
    let call = |tool: &str| {
        let root = root.to_str().unwrap();
        let all = ["call", tool, "--no-authz", "--root", root];
        toolgate(&[&all[..], &NO_SCRIPTS].concat())
    };
    let (exit, _, err) = call("raed_file");
    assert_eq!(exit, Exit::Findings);
    assert!(err.contains("note: did you mean `read_file`?"), "{err}");
    let (_, _, err) = call("run_tests");
    assert!(
        err.contains("of the catalog, and this `toolgate` does not have it"),
        "{err}"
    );
    let (_, _, err) = call("no_such_thing_at_all");
    assert!(err.contains("`toolgate list`"), "{err}");
    let (exit, _, err) = call("list_state");
    assert!(exit == Exit::Clean && !err.contains("note:"), "{err}");
}

/// What is refused is not said to be served.
#[test]
fn an_address_of_others_needs_a_token_before_anything_is_said() {
    let lab = Lab::new();
    let root = lab.path("");
    let root = root.to_str().unwrap();
    let all = ["mcp", "--no-authz", "--root", root, "--http", "0.0.0.0:0"];
    let (exit, out, err) = toolgate(&[&all[..], &NO_SCRIPTS].concat());
    assert_eq!(exit, Exit::Failed);
    assert!(
        err.contains("set a token") && !err.contains("serving"),
        "{out}{err}"
    );
}

/// `why` says which tools of the catalog are here; that is what `list` lists.
#[test]
fn the_tools_that_are_here_are_those_that_are_listed() {
    let lab = Lab::new();
    let root = lab.path("");
    let root = root.to_str().unwrap();
    let list = ["list", "--no-authz", "--root", root];
    let (_, out, _) = toolgate(&[&list[..], &NO_SCRIPTS].concat());
    let listed = |tool: &str| out.lines().any(|line| line.split(' ').next() == Some(tool));
    let policy = lab.path("policy.toml");
    let policy = policy.to_str().unwrap();
    let init = ["policy", "init", "--out", policy, "--root", root];
    assert_eq!(toolgate(&[&init[..], &NO_SCRIPTS].concat()).0, Exit::Clean);
    for contract in stella_contracts::catalog() {
        let why = [
            "why",
            "--policy",
            policy,
            "--root",
            root,
            "--tool",
            &contract.name,
        ];
        let (_, out, _) = toolgate(&[&why[..], &NO_SCRIPTS].concat());
        let told = out.contains("this `toolgate` does not have it");
        assert_eq!(told, !listed(&contract.name), "{out}");
    }
}
