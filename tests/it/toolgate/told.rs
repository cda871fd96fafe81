//! What whoever runs `toolgate` is told of slips: switches of a settings file that are about
//! nothing, patterns in place of a caller, rules that wait for tools which do not come.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Output, Stdio},
};

use super::yard::Yard;

const POLICY: &str = r#"late_tools = ["crm_*", "greets"]

[[role]]
name = "person"
risk_ceiling = "high"
principals = ["user"]

[[rule]]
id = "read"
effect = "allow"
roles = ["person"]
tools = ["read_file", "list_state", "greets"]
reason = "harmless"

[[rule]]
id = "no-deletions"
effect = "deny"
tools = ["crm_delete", "mcp__crm__delete"]
reason = "customers stay"
"#;

/// A workspace with a policy, a settings file and a server without tools of its own.
struct Desk {
    yard: Yard,
}

impl Desk {
    fn new(settings: &str) -> Self {
        let yard = Yard::new();
        yard.put("policy.toml", POLICY);
        yard.put("settings.json", settings);
        yard.put("token", "0123456789abcdef0123456789abcdef");
        let list = r#"{"pages":[{"tools":[{"name":"look","inputSchema":{"type":"object"}}]}]}"#;
        yard.put("list.json", list);
        Self { yard }
    }

    fn path(&self, file: &str) -> String {
        self.yard.path(file).to_str().unwrap().to_owned()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolgate-under-test"));
        let (before, server) = match arguments.iter().position(|word| *word == "--") {
            Some(at) => arguments.split_at(at),
            None => (arguments, &[][..]),
        };
        command.args(before).args(["--root", &self.path("")]);
        if before[0] != "serve" {
            command.arg("--ledger").arg(self.yard.ledger_path());
        }
        if !["serve", "proxy"].contains(&before[0]) {
            command.args(["--script-tools", ".stella/tools"]);
        }
        command.args(server).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The commands that take settings, each as it governs one call or serves nobody.
    fn governed(&self) -> Vec<Vec<String>> {
        let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("js/mcp/odd_server.mjs");
        let (server, list) = (server.to_str().unwrap(), self.path("list.json"));
        let token = self.path("token");
        let policy = self.path("policy.toml");
        let settings = self.path("settings.json");
        let all: [&[&str]; 6] = [
            &["call", "list_state"],
            &["list"],
            &["mcp"],
            &["proxy", "--", "node", server, &list],
            &["serve", "--bind", "127.0.0.1:0", "--token-file", &token],
            &["why", "--tool", "list_state"],
        ];
        let own = ["--policy", &policy, "--settings", &settings];
        let own = own.map(str::to_owned);
        let with = |words: &&[&str]| {
            let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            words.splice(1..1, own.clone());
            words
        };
        all.iter().map(with).collect()
    }

    /// Standard error of a command, as far as it says before it serves for good.
    fn told(&self, arguments: &[String]) -> String {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        if words[0] != "serve" {
            return text(&self.run(&words).stderr);
        }
        let mut child = self.command(&words).stderr(Stdio::piped()).spawn().unwrap();
        let mut told = String::new();
        let mut err = BufReader::new(child.stderr.take().unwrap());
        while !told.contains("serving http") && err.read_line(&mut told).unwrap() > 0 {}
        child.kill().unwrap();
        child.wait().unwrap();
        told
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_switch_with_a_slip_is_told_by_every_command_and_stops_none() {
    let slip =
        Desk::new("{\n  \"tools\": {\n    \"Bash\": \"off\",\n    \"grep\": \"off\"\n  }\n}\n");
    let sound = Desk::new(r#"{"tools":{"bash":"off","grep":"off"}}"#);
    let commands = slip.governed();
    assert_eq!(commands.len(), 6);
    for (command, sound_command) in commands.iter().zip(sound.governed()) {
        let told = slip.told(command);
        let line = told.lines().find(|line| line.contains("Bash"));
        let line = line.unwrap_or_else(|| panic!("{command:?} does not tell it: {told}"));
        let place = format!("{}:3: ", slip.path("settings.json"));
        assert!(line.starts_with(&place), "{line}");
        assert!(line.ends_with("did you mean `bash`?"), "{line}");
        assert!(!told.contains("`grep`"), "{told}");
        let told = sound.told(&sound_command);
        assert!(!told.contains("the switch"), "{sound_command:?}: {told}");
    }
    let call = slip.governed().swap_remove(0);
    let call: Vec<&str> = call.iter().map(String::as_str).collect();
    assert_eq!(slip.run(&call).status.code(), Some(0));
}

#[test]
fn a_switch_that_is_none_stops_every_command() {
    for value in ["true", "\"of\"", "null", "{}"] {
        let desk = Desk::new(&format!(r#"{{"tools":{{"bash":{value}}}}}"#));
        for command in desk.governed() {
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            let output = desk.run(&words);
            let told = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{command:?}: {told}");
            let what = "the switch `bash` is ";
            assert!(told.contains(what), "{command:?}: {told}");
            assert!(told.contains("write \"on\" or \"off\""), "{told}");
        }
    }
}

#[test]
fn a_pattern_is_no_caller_anywhere() {
    let desk = Desk::new("{}");
    let said = |command: &[String], label: &str| {
        let mut words: Vec<&str> = command.iter().map(String::as_str).collect();
        words.splice(1..1, ["--principal", label]);
        let output = desk.run(&words);
        (output.status.code(), text(&output.stderr))
    };
    let why = "`host:*` is a pattern and nobody in particular: name one who calls, such as `host:example`";
    for command in desk.governed() {
        let (code, told) = said(&command, "host:*");
        assert_eq!(code, Some(2), "{command:?}: {told}");
        // Whoever opens a session says who calls in it.
        if command[0] == "serve" {
            assert!(told.contains("unexpected argument '--principal'"), "{told}");
            continue;
        }
        assert!(told.contains(why), "{command:?}: {told}");
        let (code, told) = said(&command, "user");
        assert_eq!(code, Some(0), "{command:?}: {told}");
    }
}

#[test]
fn a_rule_that_waits_for_what_does_not_come_is_told_with_its_line() {
    let desk = Desk::new("{}");
    let waits = "policy.toml:16: rule `no-deletions` waits for `crm_delete`, and this program has no such tool";
    let (mut with, mut without) = (0, 0);
    for command in desk.governed() {
        let told = desk.told(&command);
        // Rules on other servers may be for another program.
        assert!(!told.contains("`no-deletions` waits for `mcp__"), "{told}");
        match command[0].as_str() {
            "call" | "list" | "mcp" | "proxy" => {
                assert!(told.contains(waits), "{command:?}: {told}");
                assert!(
                    told.contains(":9: rule `read` waits for `greets`"),
                    "{told}"
                );
                with += 1;
            }
            // A host brings tools; and `why` is about one that there is.
            _ => {
                assert!(!told.contains("waits for"), "{command:?}: {told}");
                without += 1;
            }
        }
    }
    assert_eq!((with, without), (4, 2));
    desk.yard.tool("greets", "echo hello\n", "");
    let told = desk.told(&desk.governed()[1]);
    assert!(
        told.contains(waits) && !told.contains("waits for `greets`"),
        "{told}"
    );
}
