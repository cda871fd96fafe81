//! Asking on a terminal: what is shown, and what counts as an answer.

use std::{
    io::{Read, Write},
    sync::{Arc, Mutex},
};

use serde_json::json;
use toolcontract_protocol::{Principal, Provenance, ToolOutput};
use toolcontract_runtime::{
    approval::Terminal, authz::NoAuthz, call::CallReport, registry::Registry,
};

use super::{
    approvals::{code, setting, someone},
    fakes::{Does, Fake, Log, caller, contract, wait},
};

/// Types when it was asked, so that what it types is not there before.
struct Typist {
    screen: Arc<Mutex<Vec<u8>>>,
    type_what: Box<dyn Fn(&str) -> String + Send>,
    typed: std::collections::VecDeque<u8>,
    asked: usize,
    ends: bool,
}

impl Read for Typist {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.typed.is_empty() {
            let screen = String::from_utf8_lossy(&self.screen.lock().unwrap()).into_owned();
            let asked = screen.matches("Type `yes ").count();
            if asked > self.asked {
                self.asked = asked;
                let code = screen.rsplit("Type `yes ").next().unwrap();
                self.typed.extend((self.type_what)(&code[..4]).into_bytes());
            } else if self.ends {
                return Ok(0);
            } else {
                std::thread::yield_now();
            }
        }
        self.typed.read(buffer)
    }
}

#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn terminal(type_what: impl Fn(&str) -> String + Send + 'static) -> (Terminal, Screen) {
    let screen = Screen::default();
    let typist = Typist {
        screen: Arc::clone(&screen.0),
        type_what: Box::new(type_what),
        typed: Default::default(),
        asked: 0,
        ends: false,
    };
    (
        Terminal::new(std::io::BufReader::new(typist), screen.clone()),
        screen,
    )
}

fn typed(type_what: impl Fn(&str) -> String + Send + 'static) -> CallReport {
    let (terminal, _) = terminal(type_what);
    let setting = setting(|builder| builder.approvals(terminal));
    wait(setting.registry.call("probe", json!({}), &caller()))
}

#[test]
fn a_terminal_takes_a_yes_that_names_the_question() {
    assert_eq!(code(&typed(|code| format!("yes {code}\n"))), "ok");
    // The code is what only a reader knows.
    assert_eq!(code(&typed(|code| format!("{code}\n"))), "ok");
    for other in ["yes\n", "y\n", "no\n", "\n", "yes please\n", "sure thing\n"] {
        assert_eq!(
            code(&typed(|_| other.to_owned())),
            "approval_refused",
            "{other:?}"
        );
    }
}

#[test]
fn a_yes_without_its_code_is_told_what_was_wrong() {
    let typed_before = std::sync::atomic::AtomicUsize::new(0);
    let (terminal, screen) = terminal(move |code| {
        match typed_before.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            0 => "Yes\n".to_owned(),
            1 => "yes, do it\n".to_owned(),
            _ => format!("yes {code}\n"),
        }
    });
    let setting = setting(|builder| builder.approvals(terminal));
    let report = wait(setting.registry.call("probe", json!({}), &caller()));
    assert_eq!(code(&report), "ok");
    let shown = String::from_utf8_lossy(&screen.0.lock().unwrap()).into_owned();
    assert_eq!(shown.matches("A yes needs the code").count(), 2, "{shown}");
    // Not for ever, and then it is told, too.
    let report = typed(|_| "yes\n".to_owned());
    assert_eq!(code(&report), "approval_refused");
    let told = serde_json::to_string(&report.output).unwrap();
    assert!(told.contains("yes, without the code"), "{told}");
}

#[test]
fn a_yes_to_another_question_is_no_answer() {
    let report = typed(|code| {
        let other = if code == "0000" { "1111" } else { "0000" };
        format!("yes {other}\nno\n")
    });
    assert_eq!(code(&report), "approval_refused");
    let report = typed(|code| {
        let other = if code == "0000" { "1111" } else { "0000" };
        format!("yes {other}\nyes {code}\n")
    });
    assert_eq!(code(&report), "ok");
}

#[test]
fn a_terminal_that_ends_is_a_no() {
    let setting =
        setting(|builder| builder.approvals(Terminal::new(std::io::empty(), std::io::sink())));
    let report = wait(setting.registry.call("probe", json!({}), &caller()));
    assert_eq!(code(&report), "approval_refused");
    let told = serde_json::to_string(&report.output).unwrap();
    assert!(told.contains("the input ended without an answer"), "{told}");
}

#[test]
fn a_terminal_shows_what_would_steer_it() {
    let (terminal, screen) = terminal(|code| format!("yes {code}\n"));
    let log = Log::default();
    let registry = Registry::builder(NoAuthz)
        .dyn_tool(
            Provenance::Builtin,
            contract(json!({ "requires_approval": true, "input_schema": { "type": "object" } })),
            Fake::new(Does::Return(ToolOutput::text("done")), &log),
        )
        .approvals(terminal)
        .build()
        .unwrap();
    let hidden = format!("ls\u{1b}[2J\u{202e}{}; curl evil\u{200b}", " ".repeat(300));
    let someone = someone(Principal::Host("eve\u{1b}[1A\nuser".into()), "s1");
    let input = json!({ "command": hidden, "padding": "x".repeat(9_000), "z": "rm -rf /" });
    let report = wait(registry.call("probe", input, &someone));
    assert_eq!(code(&report), "ok");
    let screen = String::from_utf8(screen.0.lock().unwrap().clone()).unwrap();
    for steering in ["\u{1b}", "\u{202e}", "\u{200b}", "host:eve\n"] {
        assert!(!screen.contains(steering), "{screen}");
    }
    for shown in [
        r"\u{202e}",
        "curl evil",
        "[300 spaces]",
        "rm -rf /",
        "NOT SHOWN WHOLE",
    ] {
        assert!(screen.contains(shown), "no {shown} in {screen}");
    }
}
