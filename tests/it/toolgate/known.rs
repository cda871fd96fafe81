//! `why` and `policy check` know the tools of a workspace without starting anything: its script
//! tools, and tools of servers as they were adopted.

use serde_json::{Value, json};
use toolcontract_protocol::RiskLevel;
use toolcontract_runtime::adoption::{Grade, Pin};
use toolgate::cli::Exit;

use super::{program::toolgate, yard::Yard};

const POLICY: &str = r#"
[[role]]
name = "person"
risk_ceiling = "high"
principals = ["user"]

[[rule]]
id = "own"
effect = "allow"
roles = ["person"]
tools = ["greets", "mcp__files__move_file"]
reason = "tools of this workspace"

[[rule]]
id = "no-etc"
effect = "deny"
tools = ["mcp__files__move_file"]
when = { pointer = "/source", glob = "**/etc/**" }
reason = "system files stay"
"#;

/// A workspace with a script tool that nobody adopted, and an adopted tool of a server.
struct Desk {
    yard: Yard,
}

impl Desk {
    fn new(policy: &str) -> Self {
        let yard = Yard::new();
        yard.tool("greets", "echo hello\n", "");
        yard.put("../policy.toml", policy);
        let pin = Pin {
            definition: json!({
                "name": "move_file",
                "description": "Moves a file.",
                "inputSchema": {
                    "type": "object",
                    "properties": { "source": { "type": "string" }, "destination": { "type": "string" } },
                    "required": ["source", "destination"],
                },
            }),
            files: Vec::new(),
            server: None,
        };
        let grade = Grade {
            risk: RiskLevel::Medium,
            ..Grade::default()
        };
        let (ledger, name, now) = (
            yard.ledger(),
            "mcp__files__move_file",
            "2026-01-01T00:00:00.000Z",
        );
        let digest = ledger.adopt(name, &pin, &grade, "test", now).unwrap();
        ledger.enable(name, &digest, "test", now).unwrap();
        Self { yard }
    }

    fn run(&self, arguments: &[&str]) -> (Exit, String, String) {
        let (root, ledger) = (self.yard.root(), self.yard.ledger_path());
        let (root, ledger) = (root.to_str().unwrap(), ledger.to_str().unwrap());
        let own = [
            "--root",
            root,
            "--ledger",
            ledger,
            "--script-tools",
            ".stella/tools",
        ];
        toolgate(&[arguments, &own].concat())
    }

    fn policy(&self) -> String {
        self.yard
            .path("../policy.toml")
            .to_str()
            .unwrap()
            .to_owned()
    }

    fn why(&self, tool: &str, input: &str) -> Value {
        let policy = self.policy();
        let all = [
            "why", "--policy", &policy, "--tool", tool, "--input", input, "--format", "json",
        ];
        let (exit, out, err) = self.run(&all);
        assert_eq!(exit, Exit::Clean, "{out}{err}");
        serde_json::from_str(&out).unwrap()
    }
}

#[test]
fn a_policy_is_checked_against_the_tools_of_the_workspace() {
    let desk = Desk::new(POLICY);
    let (exit, out, err) = desk.run(&["policy", "check", &desk.policy()]);
    assert_eq!(exit, Exit::Clean, "{out}{err}");
    assert!(
        out.contains("checked against 76 tools\ntools: 74 of the catalog, of which this `toolgate` has 10, 1 script tool, 1 adopted tool of a server\n"),
        "{out}"
    );
    assert!(!out.contains("unbound"), "{out}");
    // The same without the workspace: the script tool is unknown, the served one is waited for.
    let elsewhere = Yard::new();
    let root = elsewhere.root();
    let all = [
        "policy",
        "check",
        &desk.policy(),
        "--root",
        root.to_str().unwrap(),
    ];
    let none = [
        "--script-tools",
        ".stella/tools",
        "--ledger",
        "no/such/ledger",
    ];
    let (exit, out, _) = toolgate(&[&all[..], &none].concat());
    assert_eq!(exit, Exit::Findings);
    assert!(out.contains("there is no tool `greets`"), "{out}");
    // A slip in an argument of a served tool is found before its server is started.
    let slip = Desk::new(&POLICY.replace("/source", "/sorce"));
    let (exit, out, _) = slip.run(&["policy", "check", &slip.policy()]);
    assert_eq!(exit, Exit::Findings);
    assert!(out.contains("did you mean `/source`?"), "{out}");
}

#[test]
fn why_says_how_a_tool_of_the_workspace_stands_and_decides_the_same() {
    let desk = Desk::new(POLICY);
    let script = desk.why("greets", "{}");
    assert_eq!(script["decision"], "allow");
    assert_eq!(
        script["notes"],
        json!(["the tool is withheld, whatever the policy says: nobody has adopted it"])
    );
    let served = |source: &str| {
        let input = json!({ "source": source, "destination": "b" });
        desk.why("mcp__files__move_file", &input.to_string())
    };
    let why = served("a");
    assert_eq!(
        (&why["decision"], &why["facts"][0]["value"]),
        (&json!("allow"), &json!("medium"))
    );
    assert!(
        why["notes"][0]
            .as_str()
            .unwrap()
            .contains("as it was adopted"),
        "{why}"
    );
    assert_eq!(served("/etc/passwd")["decision"], "deny");
    let here = desk.why("bash", r#"{"command":"ls"}"#);
    assert_eq!(
        (&here["decision"], &here["notes"]),
        (&json!("deny"), &Value::Null)
    );
    let absent = desk.why("run_tests", "{}");
    assert_eq!(absent["decision"], "deny");
    assert!(
        absent["notes"][0]
            .as_str()
            .unwrap()
            .contains("does not have it"),
        "{absent}"
    );
    let policy = desk.policy();
    let (exit, _, err) = desk.run(&["why", "--policy", &policy, "--tool", "mcp__other__x"]);
    assert_eq!(exit, Exit::Failed);
    assert!(err.contains("when its server is named"), "{err}");
}

/// A policy to start from names the tools of its workspace, and is whole where they are not.
#[test]
fn a_starter_of_a_workspace_holds_elsewhere() {
    let desk = Desk::new(POLICY);
    let (exit, text, err) = desk.run(&["policy", "init"]);
    assert_eq!(exit, Exit::Clean, "{err}");
    assert!(
        text.contains("late_tools = [\"greets\"]") && text.contains("\"mcp__files__move_file\""),
        "{text}"
    );
    desk.yard.put("../starter.toml", &text);
    let file = desk.yard.path("../starter.toml");
    let file = file.to_str().unwrap();
    let (_, out, _) = desk.run(&["policy", "check", file]);
    assert!(out.contains("whole") && !out.contains("unbound"), "{out}");
    let elsewhere = Yard::new();
    let root = elsewhere.root();
    let all = ["policy", "check", file, "--root", root.to_str().unwrap()];
    let none = [
        "--script-tools",
        ".stella/tools",
        "--ledger",
        "no/such/ledger",
    ];
    let (exit, out, _) = toolgate(&[&all[..], &none].concat());
    assert_eq!(exit, Exit::Clean, "{out}");
    assert_eq!(out.matches("unbound: rule").count(), 2, "{out}");
}

/// A name as its server calls it, or as an import does, is told the name that policies know.
#[test]
fn a_served_tool_under_another_name_is_told_its_own() {
    for slip in ["move_file", "files_move_file"] {
        let desk = Desk::new(&POLICY.replace(
            "\"greets\", \"mcp__files__move_file\"",
            &format!("\"{slip}\""),
        ));
        let (exit, out, _) = desk.run(&["policy", "check", &desk.policy()]);
        assert_eq!(exit, Exit::Findings);
        assert!(
            out.contains("did you mean `mcp__files__move_file`?"),
            "{out}"
        );
    }
}
