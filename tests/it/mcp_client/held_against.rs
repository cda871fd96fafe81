//! `policy check` and `why` with servers: a policy is held against what they list now, in place of
//! what was adopted of them.

use std::path::PathBuf;

use serde_json::{Value, json};
use toolcontract_protocol::RiskLevel;
use toolcontract_runtime::{
    adoption::{Grade, Ledger, Pin},
    mcp::client::Connection,
};
use toolgate::cli::Exit;

use super::{
    program,
    starter::{command, write},
};
use crate::toolgate::program::toolgate;

const POLICY: &str = r#"
[[role]]
name = "person"
risk_ceiling = "high"
principals = ["user"]

[[rule]]
id = "move"
effect = "allow"
roles = ["person"]
tools = ["mcp__files__move_file", "mcp__files__look"]
reason = "chosen"

[[rule]]
id = "no-etc"
effect = "deny"
tools = ["mcp__files__move_file"]
when = { pointer = "/source", glob = "**/etc/**" }
reason = "system files stay"

[[rule]]
id = "elsewhere"
effect = "deny"
tools = ["mcp__other__x"]
reason = "of a server that is not asked"
"#;

/// A server of files, a policy about it, and what is adopted of it.
struct Desk {
    root: tempfile::TempDir,
    outside: tempfile::TempDir,
}

fn tools(more: &[Value]) -> String {
    let schema = json!({
        "type": "object",
        "properties": { "source": { "type": "string" } },
    });
    let mut tools = vec![
        json!({ "name": "move_file", "description": "Moves.", "inputSchema": schema }),
        json!({ "name": "look", "description": "Looks.", "inputSchema": { "type": "object" } }),
    ];
    tools.extend_from_slice(more);
    json!({ "pages": [{ "tools": tools }] }).to_string()
}

impl Desk {
    fn new(policy: &str) -> Self {
        let desk = Self {
            root: tempfile::tempdir().unwrap(),
            outside: tempfile::tempdir().unwrap(),
        };
        write(&desk.path("policy.toml"), policy);
        write(&desk.path("list.json"), &tools(&[]));
        desk
    }

    fn path(&self, file: &str) -> PathBuf {
        self.root.path().join(file)
    }

    fn ledger(&self) -> Ledger {
        Ledger::new(&self.ledger_path(), self.root.path()).unwrap()
    }

    fn ledger_path(&self) -> PathBuf {
        self.outside.path().join("ledger.sqlite")
    }

    fn adopt(&self, name: &str, pin: &Pin) {
        let grade = Grade {
            risk: RiskLevel::Low,
            read_only: true,
            ..Grade::default()
        };
        let ledger = self.ledger();
        let digest = ledger.adopt(name, pin, &grade, "test", "now").unwrap();
        ledger.enable(name, &digest, "test", "now").unwrap();
    }

    /// The pin of a tool as the server lists it now.
    fn pin(&self, tool: &str) -> Pin {
        let command = command(self.root.path(), "list.json");
        let [node, server, list] = command.each_ref().map(String::as_str);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let offered = runtime.block_on(async {
            let program = program(&[node, server, list]);
            let connection = Connection::start("files", &program).await.unwrap();
            connection.offered().await.unwrap()
        });
        let mut tools = offered.tools.iter();
        tools.find(|found| found.wire_name == tool).unwrap().pin()
    }

    fn run(&self, arguments: &[&str], server: &[&str]) -> (Exit, String, String) {
        let (root, ledger) = (self.root.path(), self.ledger_path());
        let own = ["--root", root.to_str().unwrap(), "--script-tools", "none"];
        let ledger = ["--ledger", ledger.to_str().unwrap()];
        toolgate(&[arguments, &own, &ledger, server].concat())
    }

    /// `policy check`, with the server started.
    fn check(&self) -> (Exit, String, String) {
        let command = command(self.root.path(), "list.json");
        let [node, server, list] = command.each_ref().map(String::as_str);
        let policy = self.path("policy.toml");
        let check = ["policy", "check", policy.to_str().unwrap()];
        let named = [&check[..], &["--name", "files"]].concat();
        self.run(&named, &["--", node, server, list])
    }

    fn why(&self, tool: &str, input: &str) -> (Exit, String, String) {
        let command = command(self.root.path(), "list.json");
        let [node, server, list] = command.each_ref().map(String::as_str);
        let policy = self.path("policy.toml");
        let policy = policy.to_str().unwrap();
        let why = ["why", "--policy", policy, "--tool", tool, "--input", input];
        self.run(&why, &["--", node, server, list])
    }
}

#[test]
fn a_policy_is_held_against_what_a_server_lists() {
    let desk = Desk::new(POLICY);
    let (exit, out, err) = desk.check();
    assert_eq!(exit, Exit::Clean, "{out}{err}");
    assert!(
        out.contains("checked against 76 tools") && out.contains(", 2 tools that servers list\n"),
        "{out}"
    );
    assert_eq!(out.matches("unbound: rule").count(), 1, "{out}");
    assert!(out.contains("waits for `mcp__other__x`"), "{out}");
    // What waits without the server is a slip with it.
    let slip = Desk::new(&POLICY.replace(
        r#"["mcp__files__move_file"]"#,
        r#"["mcp__files__mvoe_file"]"#,
    ));
    let policy = slip.path("policy.toml");
    let unasked = slip.run(&["policy", "check", policy.to_str().unwrap()], &[]);
    assert_eq!(unasked.0, Exit::Clean, "{}", unasked.1);
    assert!(
        unasked.1.contains("waits for `mcp__files__mvoe_file`"),
        "{}",
        unasked.1
    );
    let (exit, out, _) = slip.check();
    assert_eq!(exit, Exit::Findings, "{out}");
    assert!(
        out.contains("error[unknown-tool]") && out.contains("policy.toml:17:10"),
        "{out}"
    );
    assert!(
        out.contains("did you mean `mcp__files__move_file`?"),
        "{out}"
    );
    // So is an argument that the tool does not have, and a pattern that fits none of its tools.
    let slip = Desk::new(&POLICY.replace("/source", "/sorce"));
    let (exit, out, _) = slip.check();
    assert_eq!(exit, Exit::Findings);
    assert!(out.contains("did you mean `/source`?"), "{out}");
    let slip = Desk::new(&POLICY.replace(r#""mcp__files__look""#, r#""mcp__files__delete_*""#));
    let (exit, out, _) = slip.check();
    assert_eq!(exit, Exit::Findings);
    assert!(
        out.contains("there is no tool that fits `mcp__files__delete_*`"),
        "{out}"
    );
}

#[test]
fn what_is_adopted_counts_only_where_it_is_still_listed() {
    let desk = Desk::new(&POLICY.replace("\"mcp__files__look\"", "\"mcp__files__gone\""));
    let gone = Pin {
        definition: json!({ "name": "gone", "inputSchema": { "type": "object" } }),
        files: Vec::new(),
        server: None,
    };
    desk.adopt("mcp__files__gone", &gone);
    let policy = desk.path("policy.toml");
    let (exit, out, _) = desk.run(&["policy", "check", policy.to_str().unwrap()], &[]);
    assert_eq!(exit, Exit::Clean, "{out}");
    let (exit, out, _) = desk.check();
    assert_eq!(exit, Exit::Findings, "{out}");
    assert!(out.contains("there is no tool `mcp__files__gone`"), "{out}");
}

#[test]
fn servers_of_a_file_are_asked_and_one_that_fails_is_told() {
    let desk = Desk::new(POLICY);
    let command = command(desk.root.path(), "list.json");
    let [node, server, list] = command.each_ref().map(String::as_str);
    let file = desk.path("servers.toml");
    let sound = format!("[servers.files]\ncommand = [{node:?}, {server:?}, {list:?}]\n");
    let check = |text: &str| {
        write(&file, text);
        let policy = desk.path("policy.toml");
        let policy = policy.to_str().unwrap();
        let all = [
            "policy",
            "check",
            policy,
            "--servers",
            file.to_str().unwrap(),
        ];
        desk.run(&all, &[])
    };
    let (exit, out, err) = check(&sound);
    assert_eq!(exit, Exit::Clean, "{out}{err}");
    assert!(out.contains("2 tools that servers list"), "{out}");
    // The policy is checked against those that answer; of the other nothing is known.
    let (exit, out, err) = check(&format!("{sound}[servers.other]\ncommand = [\"false\"]\n"));
    assert_eq!(exit, Exit::Failed, "{out}{err}");
    assert!(
        out.contains("whole, 3 rules") && err.contains("`other`"),
        "{out}{err}"
    );
    assert!(out.contains("waits for `mcp__other__x`"), "{out}");
    let (exit, out, err) = check("[servers.files]\ncommand = [\"false\"]\n");
    assert_eq!((exit, out.as_str()), (Exit::Failed, ""), "{err}");
}

#[test]
fn why_asks_the_server_of_the_tool() {
    let desk = Desk::new(POLICY);
    let why = |tool: &str, source: &str| {
        let (exit, out, err) = desk.why(tool, &json!({ "source": source }).to_string());
        assert_eq!(exit, Exit::Clean, "{out}{err}");
        (out, err)
    };
    let (out, err) = why("mcp__files__move_file", "a");
    assert!(out.starts_with("allow: `mcp__files__move_file`"), "{out}");
    assert!(!out.contains("withheld") && err.is_empty(), "{out}{err}");
    let (out, _) = why("mcp__files__move_file", "/etc/passwd");
    assert!(
        out.starts_with("deny:") && out.contains("rule:no-etc"),
        "{out}"
    );
    // As the proxy would: adopted, it has its grade; changed since, it is withheld.
    desk.adopt("mcp__files__move_file", &desk.pin("move_file"));
    let (out, _) = why("mcp__files__move_file", "a");
    assert!(
        out.contains("risk") && out.contains("low") && !out.contains("withheld"),
        "{out}"
    );
    desk.adopt("mcp__files__move_file", &desk.pin("look"));
    let (out, _) = why("mcp__files__move_file", "a");
    assert!(
        out.contains("the tool is withheld, whatever the policy says: it changed"),
        "{out}"
    );
    let (exit, _, err) = desk.why("mcp__files__mvoe_file", "{}");
    assert_eq!(exit, Exit::Failed);
    assert!(
        err.contains("did you mean `mcp__files__move_file`?"),
        "{err}"
    );
    let (exit, _, err) = desk.why("mcp__files__delete_everything", "{}");
    assert_eq!(exit, Exit::Failed);
    assert!(err.contains("its server lists none of that name"), "{err}");
    let (exit, _, err) = desk.why("read_file", "{}");
    assert_eq!(exit, Exit::Failed);
    assert!(err.contains("is not `mcp__SERVER__TOOL`"), "{err}");
    // A rule with a slip is told: it may be why the decision is another.
    let slip = Desk::new(&POLICY.replace(
        r#"["mcp__files__move_file"]"#,
        r#"["mcp__files__mvoe_file"]"#,
    ));
    let (_, out, err) = slip.why("mcp__files__move_file", r#"{"source":"/etc/passwd"}"#);
    assert!(out.starts_with("allow:"), "{out}");
    assert!(
        err.contains("policy.toml:15: rule `no-etc` is about `mcp__files__mvoe_file`"),
        "{err}"
    );
    assert!(!err.contains("mcp__other__x"), "{err}");
}

#[test]
fn a_tool_that_is_not_served_is_told() {
    let desk = Desk::new(POLICY);
    let broken = json!({ "name": "text", "inputSchema": { "type": "string" } });
    write(&desk.path("list.json"), &tools(&[broken]));
    let (exit, out, err) = desk.check();
    assert_eq!(exit, Exit::Clean, "{out}{err}");
    assert!(err.contains("files: `text` is not served"), "{err}");
}
