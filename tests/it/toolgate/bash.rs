//! `bash` on real processes: what it says, what it leaves behind, what it lets a command see.

use std::{
    fs,
    process::{Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::ToolOutput;
use toolcontract_runtime::process::Environment;

use super::lab::{Lab, run};

/// The process that has `mark` among its arguments.
fn process(mark: &str) -> Option<String> {
    fs::read_dir("/proc").unwrap().flatten().find_map(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let mut arguments = line.split(|byte| *byte == 0);
        let has = arguments.any(|argument| argument == mark.as_bytes());
        has.then(|| entry.file_name().to_string_lossy().into_owned())
    })
}

fn runs(mark: &str) -> bool {
    process(mark).is_some()
}

/// Waits until no such process runs: one that was killed is gone a moment later.
fn is_gone(mark: &str) -> bool {
    (0..3_000).any(|_| {
        let gone = !runs(mark);
        if !gone {
            std::thread::sleep(Duration::from_millis(10));
        }
        gone
    })
}

/// A number of seconds that no other test sleeps, as a mark.
fn mark(number: u32) -> String {
    format!("{}.{number}", 40_000 + std::process::id())
}

#[test]
fn output_and_exit_are_told() {
    let lab = Lab::new();
    let bash = |command: &str| lab.ok("bash", &json!({ "command": command }));
    let (text, data) = bash("echo one; echo two >&2; echo three");
    assert_eq!(text, "one\ntwo\nthree\n[exit code 0]");
    assert_eq!(data["exit"]["code"], 0);
    assert_eq!(
        (&data["output_bytes"], &data["truncated"]),
        (&json!(14), &json!(false))
    );
    let (text, data) = bash("exit 3");
    assert_eq!(
        (text.as_str(), &data["exit"]["code"]),
        ("[no output]\n[exit code 3]", &json!(3))
    );
    let (text, data) = bash("kill -TERM $$");
    assert_eq!(text, "[no output]\n[ended by signal 15]");
    assert_eq!(
        (&data["exit"]["status"], data["exit"].get("code")),
        (&json!("signalled"), None)
    );
    // No option of the shell, whatever it begins with.
    let (text, _) = bash("-x 2>/dev/null; echo after");
    assert_eq!(text, "after\n[exit code 0]");
    let (text, _) = lab.ok("bash", &json!({ "command": "echo a", "trace": true }));
    assert_eq!(text, "+ echo a\na\n[exit code 0]");
    let (text, _) = bash("pwd");
    assert!(text.starts_with(lab.root().to_str().unwrap()), "{text}");
    // Standard input is empty, not ours.
    let (text, _) = bash("cat; echo end");
    assert_eq!(text, "end\n[exit code 0]");
    for command in ["echo a\0b".to_owned(), format!(": {}", "x".repeat(200_000))] {
        let (class, _) = lab.error("bash", &json!({ "command": command }));
        assert_eq!(class, "invalid_input");
    }
    let (text, _) = bash(&format!(": {}; echo end", "x".repeat(100_000)));
    assert_eq!(text, "end\n[exit code 0]");
}

#[test]
fn long_output_loses_its_middle_and_says_so() {
    let lab = Lab::new();
    let (text, data) = lab.ok(
        "bash",
        &json!({ "command": "echo first; seq 1 40000; echo last" }),
    );
    assert!(
        text.len() < 70_000 && text.starts_with("first\n1\n"),
        "{}",
        text.len()
    );
    assert!(text.ends_with("40000\nlast\n[exit code 0]"));
    let bytes = data["output_bytes"].as_u64().unwrap();
    let lost = bytes - (64 << 10);
    assert!(text.contains(&format!("[{lost} of {bytes} bytes are not shown]")));
    assert_eq!(data["truncated"], true);
}

#[test]
fn a_command_past_its_time_is_killed_with_all_that_it_started() {
    let mut lab = Lab::new();
    let (one, two, three) = (mark(1), mark(2), mark(3));
    let command =
        format!("trap '' TERM; (sleep {one} & sleep {two}) & echo started; sleep {three}");
    let input = json!({ "command": command, "timeout_secs": 1 });
    let (text, data) = lab.ok("bash", &input);
    assert_eq!(text, "started\n[killed at its time limit]");
    assert_eq!(data["exit"]["status"], "timed_out");
    assert!(is_gone(&one) && is_gone(&two) && is_gone(&three));
    let completed: Vec<Value> = lab
        .events()
        .into_iter()
        .filter(|(name, _)| name == "command.completed")
        .map(|(_, payload)| payload)
        .collect();
    assert_eq!(completed.len(), 1);
    assert_eq!(completed[0]["exit"]["status"], "timed_out");
    assert_eq!(completed[0]["output_bytes"], 8);
}

#[test]
fn what_runs_in_the_background_ends_with_the_command() {
    let lab = Lab::new();
    let mark = mark(4);
    let command = format!("sleep {mark} & echo done; kill -0 $! && echo runs");
    let (text, _) = lab.ok("bash", &json!({ "command": command }));
    // Control: it did run.
    assert_eq!(text, "done\nruns\n[exit code 0]");
    assert!(is_gone(&mark));
}

#[test]
fn a_cancelled_call_ends_its_command() {
    let lab = Lab::new();
    let mark = mark(5);
    let stop = CancellationToken::new();
    let caller = lab.caller().cancelled_by(stop.clone());
    let input = json!({ "command": format!("sleep {mark}") });
    let report = run(async {
        let call = lab.registry.call("bash", input, &caller);
        let stopper = async {
            while !runs(&mark) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            stop.cancel();
        };
        tokio::join!(call, stopper).0
    });
    let ToolOutput::Error { code, .. } = &report.output else {
        panic!("{report:?}");
    };
    assert_eq!(code.as_ref().unwrap().as_str(), "cancelled");
    assert!(report.ran && is_gone(&mark));
}

#[test]
fn a_call_that_is_given_up_ends_its_command() {
    let lab = Lab::new();
    let mark = mark(6);
    let input = json!({ "command": format!("sleep {mark}") });
    run(async {
        let caller = lab.caller();
        let call = lab.registry.call("bash", input, &caller);
        let seen = async {
            while !runs(&mark) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            report = call => panic!("{report:?}"),
            () = seen => {}
        }
    });
    assert!(is_gone(&mark));
}

#[test]
fn a_command_sees_only_the_variables_that_were_listed() {
    // Cargo sets these for every test; nothing lists them.
    let canaries = ["CARGO_PKG_NAME", "CARGO_MANIFEST_DIR"];
    for canary in canaries {
        assert!(std::env::var_os(canary).is_some(), "control");
    }
    let lab = Lab::new();
    let (text, _) = lab.ok("bash", &json!({ "command": "env; cat /proc/self/environ" }));
    assert!(text.contains("PATH="), "{text}");
    for name in canaries
        .iter()
        .chain(&["LD_LIBRARY_PATH", "LD_PRELOAD", "BASH_ENV"])
    {
        assert!(!text.contains(&format!("{name}=")), "{text}");
    }
    // Control: what is listed is there.
    let lab = Lab::with(Environment::inherited(["CARGO_PKG_NAME"]));
    let (text, _) = lab.ok("bash", &json!({ "command": "env" }));
    assert!(text.contains("CARGO_PKG_NAME=tests\n"), "{text}");
}

#[test]
fn a_program_in_the_workspace_is_not_found_by_its_name() {
    let environment = Environment::inherited([]).with("PATH", ".:/usr/bin:/bin");
    // Control: with such a path it would be.
    let lab = Lab::with(environment);
    lab.put("planted", "#!/bin/sh\necho planted\n");
    lab.ok("bash", &json!({ "command": "chmod +x planted" }));
    let (text, _) = lab.ok("bash", &json!({ "command": "planted" }));
    assert_eq!(text, "planted\n[exit code 0]");
    let lab = Lab::new();
    lab.put("planted", "#!/bin/sh\necho planted\n");
    lab.ok("bash", &json!({ "command": "chmod +x planted" }));
    let (text, _) = lab.ok("bash", &json!({ "command": "planted 2>/dev/null" }));
    assert_eq!(text, "[no output]\n[exit code 127]");
}

#[test]
fn a_subscriber_hears_the_command_while_it_runs() {
    let mut lab = Lab::new();
    // It goes on when its first line was heard.
    let command = "echo first; until [ -e heard ]; do sleep 0.01; done; printf 'sec\\033[2Jond\\n'";
    let (registry, caller) = (lab.registry.clone(), lab.caller());
    let mut events: Vec<(String, Value)> = Vec::new();
    let report = run(async {
        let call = registry.call("bash", json!({ "command": command }), &caller);
        let listener = async {
            while !events
                .iter()
                .any(|(_, payload)| payload["message"] == "first")
            {
                tokio::time::sleep(Duration::from_millis(5)).await;
                events.extend(lab.events());
            }
            // Lines that follow each other faster than this are told together.
            tokio::time::sleep(Duration::from_millis(200)).await;
            lab.put("heard", "");
        };
        tokio::join!(call, listener).0
    });
    assert!(report.output.is_ok(), "{:?}", report.output);
    events.extend(lab.events());
    let progress: Vec<&Value> = events
        .iter()
        .filter(|(name, _)| name == "tool.call.progress")
        .map(|(_, payload)| payload)
        .collect();
    assert_eq!(progress.len(), 3, "{events:?}");
    assert_eq!(progress[0]["done"], 0);
    assert_eq!(
        (&progress[1]["message"], &progress[1]["done"]),
        (&json!("first"), &json!(6))
    );
    // What steers a screen is shown.
    assert_eq!(progress[2]["message"], r"sec\u{1b}[2Jond");
    for event in progress {
        assert_eq!(
            (&event["tool"], &event["call_id"]),
            (&json!("bash"), &json!("c1"))
        );
    }
    assert_eq!(events.last().unwrap().0, "command.completed");
}

/// The limit of what is promised: a session of its own is no part of the group. It holds nothing
/// up, even with our end of its output still open.
#[test]
fn what_leaves_the_group_escapes_and_holds_nothing_up() {
    let lab = Lab::new();
    let mark = mark(7);
    let command =
        format!("setsid sleep {mark} & while [ $(ps -o sid= -p $!) != $! ]; do :; done; echo done");
    let (text, _) = lab.ok("bash", &json!({ "command": command, "timeout_secs": 60 }));
    assert_eq!(text, "done\n[exit code 0]");
    let process = process(&mark).expect("it runs");
    let mut kill = std::process::Command::new("kill");
    assert!(kill.arg(process).status().unwrap().success());
    assert!(is_gone(&mark));
}

/// Whoever ends the program ends what it has started, however it is told.
#[cfg(unix)]
#[test]
fn a_program_that_is_told_to_end_takes_its_commands_along() {
    let lab = Lab::new();
    for (number, signal) in [(71, "INT"), (72, "TERM"), (73, "HUP")] {
        let mark = mark(number);
        let input = json!({ "command": format!("sleep {mark}; echo late") }).to_string();
        let root = lab.path("");
        let mut program = Command::new(env!("CARGO_BIN_EXE_toolgate-under-test"))
            .args(["call", "bash", "--no-authz", "--script-tools", "none"])
            .arg("--root")
            .arg(&root)
            .args(["--input", &input])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let began = (0..3_000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            runs(&mark)
        });
        assert!(began, "{signal}: the command does not run");
        let told = Command::new("kill")
            .args([format!("-{signal}"), program.id().to_string()])
            .status()
            .unwrap();
        assert!(told.success());
        program.wait().unwrap();
        assert!(is_gone(&mark), "{signal}");
    }
}
