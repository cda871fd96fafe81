//! The commands `adopt`, `adopted` and `withdraw`: a person sees all of a tool, and nobody else
//! enables one.

use serde_json::Value;
use toolgate::cli::Exit;

use super::{program::toolgate, yard::Yard};

const TOKEN: &str = "a token of sixteen bytes and more";

struct Desk {
    yard: Yard,
    root: String,
    ledger: String,
}

impl Desk {
    fn new() -> Self {
        let yard = Yard::new();
        yard.put_secret("../state/operator-token", TOKEN);
        yard.put_secret("../mine", &format!("{TOKEN}\n"));
        yard.put_secret("../wrong", "another token of sixteen bytes");
        yard.put_secret("../short", "short");
        yard.put("../open", TOKEN);
        yard.mode("../open", 0o644);
        let text = |path: std::path::PathBuf| path.to_str().unwrap().to_owned();
        let (root, ledger) = (text(yard.root()), text(yard.ledger_path()));
        Self { yard, root, ledger }
    }

    fn run(&self, arguments: &[&str]) -> (Exit, String, String) {
        let mut all = arguments.to_vec();
        all.extend(["--root", &self.root, "--ledger", &self.ledger]);
        if arguments[0] != "withdraw" {
            all.extend(["--script-tools", ".stella/tools"]);
        }
        toolgate(&all)
    }

    fn adopt(&self, more: &[&str]) -> (Exit, String, String) {
        self.run(&[&["adopt", "greets", "--risk", "low"], more].concat())
    }

    fn token(&self, name: &str) -> String {
        self.yard.path(name).to_str().unwrap().to_owned()
    }
}

#[test]
fn a_tool_is_shown_whole_and_enabled_by_nobody_but_a_person() {
    let desk = Desk::new();
    let script = "echo hello > greeting\nprintf 'hello\\033[2J'\n";
    desk.yard
        .tool("greets", script, "read_only = true\nrisk = \"medium\"\n");
    let call = |more: &[&str]| desk.run(&[&["call", "greets", "--no-authz"], more].concat());
    let (exit, _, err) = call(&[]);
    assert_eq!(exit, Exit::Findings);
    assert!(
        err.contains("withheld: `greets`: nobody has adopted it"),
        "{err}"
    );
    assert!(err.contains("tool_disabled"), "{err}");

    for (token, why) in [
        ("../wrong", "not the operator's token"),
        ("../open", "mode 644"),
        ("../short", "too short"),
        ("../none", "cannot be read"),
    ] {
        let (exit, _, err) = desk.adopt(&["--operator-token", &desk.token(token)]);
        assert_ne!(exit, Exit::Clean);
        assert!(err.contains(why), "{token}: {err}");
    }
    let (_, out, _) = desk.run(&["adopted"]);
    assert_eq!(out, "nothing is adopted in this workspace\n");

    let mine = desk.token("../mine");
    let (exit, out, err) =
        desk.adopt(&["--read-only", "--witness", "{}", "--operator-token", &mine]);
    assert_eq!(exit, Exit::Clean, "{err}");
    for shown in [
        "definition: .stella/tools/greets.toml",
        "script: .stella/tools/greets.sh",
        "    echo hello > greeting",
        "argument 1  .stella/tools/greets.sh",
        r"    hello\u{1b}[2J",
        "    it left behind: greeting",
        "    nobody has adopted it",
        "    risk: it claims medium, you say low",
        "    read_only: it claims true, you say true",
        "adopted and enabled",
    ] {
        assert!(out.contains(shown), "{shown} in {out}");
    }
    assert!(!desk.yard.path("greeting").exists(), "it ran elsewhere");
    assert_eq!(call(&[]).0, Exit::Clean);
    assert!(desk.yard.path("greeting").exists());

    let (_, out, _) = desk.run(&["list", "--risk-ceiling", "low"]);
    assert!(
        out.contains("greets       low          adopted, read-only"),
        "{out}"
    );
    let (exit, out, _) = desk.run(&["adopted", "--json"]);
    let all: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (exit, &all[0]["name"]),
        (Exit::Clean, &Value::from("greets"))
    );
    assert_eq!(
        (&all[0]["calls"], &all[0]["errors"]),
        (&Value::from(1), &Value::from(0))
    );
    assert_eq!(all[0]["enabled"]["by"], "operator token");

    desk.yard.tool("greets", "echo other", "");
    let (exit, out, _) = desk.run(&["adopted"]);
    assert_eq!(exit, Exit::Findings);
    assert!(
        out.contains("    argument 1 .stella/tools/greets.sh: its bytes changed"),
        "{out}"
    );
    assert_eq!(call(&["--unadopted"]).0, Exit::Findings);
    assert_eq!(desk.run(&["withdraw", "greets"]).0, Exit::Clean);
    assert_eq!(desk.run(&["withdraw", "greets"]).0, Exit::Findings);
    assert_eq!(call(&["--unadopted"]).0, Exit::Clean);
}

#[test]
fn what_was_not_asked_for_does_not_run() {
    let desk = Desk::new();
    desk.yard.tool("greets", "touch ../ran", "");
    let mine = desk.token("../mine");
    let (exit, out, _) = desk.adopt(&["--operator-token", &mine]);
    assert_eq!(exit, Exit::Clean);
    assert!(!out.contains("one run in"), "{out}");
    assert!(!desk.yard.path("../ran").exists());
}

#[test]
fn a_grade_that_contradicts_itself_and_a_tool_that_is_not_there_are_refused() {
    let desk = Desk::new();
    desk.yard.tool("greets", "echo hello", "");
    let mine = desk.token("../mine");
    let (exit, _, err) = desk.adopt(&["--speculation-safe", "--operator-token", &mine]);
    assert_eq!(exit, Exit::Failed);
    assert!(
        err.contains("`speculation_safe` is set but `read_only` is not"),
        "{err}"
    );
    let (exit, _, err) = desk.run(&[
        "adopt",
        "nobody",
        "--risk",
        "low",
        "--operator-token",
        &mine,
    ]);
    assert_eq!(exit, Exit::Failed);
    assert!(err.contains("no sound script tool `nobody`"), "{err}");
    assert_eq!(desk.adopt(&["--operator-token", &mine]).0, Exit::Clean);
}

#[test]
fn a_folder_that_a_command_names_is_told() {
    let desk = Desk::new();
    desk.yard.put("pkg/main.sh", "echo hello\n");
    desk.yard.put(
        ".stella/tools/greets.toml",
        "name = \"greets\"\ndescription = \"Greets.\"\ncommand = [\"ls\", \"pkg\"]\n",
    );
    let mine = desk.token("../mine");
    let (_, out, _) = desk.adopt(&["--operator-token", &mine]);
    let told = "folders that it names; nothing in them is pinned\n    pkg\n";
    assert!(out.contains(told), "{out}");
}

/// A policy knows script tools as it knows any other, and what it says of them holds.
#[test]
fn a_policy_may_name_script_tools_that_are_there() {
    let desk = Desk::new();
    desk.yard.tool("greets", "echo hello", "");
    let policy = |tool: &str, ceiling: &str| {
        let text = format!(
            "[[role]]\nname = \"person\"\nrisk_ceiling = \"{ceiling}\"\nprincipals = [\"user\"]\n\n[[rule]]\nid = \"greet\"\neffect = \"allow\"\nroles = [\"person\"]\ntools = [\"{tool}\"]\nreason = \"a test\"\n"
        );
        desk.yard.put("../policy.toml", &text);
        let policy = desk.token("../policy.toml");
        desk.run(&["call", "greets", "--unadopted", "--policy", &policy])
    };
    let (exit, out, err) = policy("greets", "high");
    assert_eq!((exit, out.as_str()), (Exit::Clean, "hello\n"), "{err}");
    // Nobody has adopted it, so it is above a lower ceiling and the rule could never match.
    assert_eq!(policy("greets", "medium").0, Exit::Failed);
    // A rule about a tool that is not there is a mistake.
    let (exit, _, err) = policy("greet", "high");
    assert_eq!(exit, Exit::Failed);
    assert!(err.contains("greet"), "{err}");
}

/// Whoever changes a script takes that tool away, and not the policy that names it.
#[test]
fn a_changed_script_leaves_the_policy_in_force() {
    let desk = Desk::new();
    desk.yard.tool("greets", "echo hello", "");
    desk.yard.put("notes.md", "a note\n");
    desk.yard.put(
        "../policy.toml",
        "[[role]]\nname = \"person\"\nrisk_ceiling = \"low\"\nprincipals = [\"user\"]\n\n[[rule]]\nid = \"some\"\neffect = \"allow\"\nroles = [\"person\"]\ntools = [\"greets\", \"read_file\"]\nreason = \"a test\"\n",
    );
    let (mine, policy) = (desk.token("../mine"), desk.token("../policy.toml"));
    assert_eq!(desk.adopt(&["--operator-token", &mine]).0, Exit::Clean);
    let call =
        |tool: &str, input: &str| desk.run(&["call", tool, "--policy", &policy, "--input", input]);
    assert_eq!(call("greets", "{}").0, Exit::Clean);
    desk.yard.tool("greets", "echo hello again", "");
    let (exit, _, err) = call("greets", "{}");
    assert_eq!(exit, Exit::Findings);
    assert!(err.contains("it is not what was adopted"), "{err}");
    let (exit, out, err) = call("read_file", r#"{"path":"notes.md"}"#);
    assert_eq!(exit, Exit::Clean, "{err}");
    assert!(out.contains("a note"), "{out}");
}

/// A file of the command line is pinned as soon as it is there, so a tool that makes it runs once.
#[test]
fn a_tool_that_makes_a_file_of_its_command_line_is_told_what_to_do() {
    let desk = Desk::new();
    let mine = desk.token("../mine");
    let adopt = || desk.adopt(&["--operator-token", &mine]);
    let call = || desk.run(&["call", "greets", "--no-authz"]);
    let manifest = ".stella/tools/greets.toml";
    let command = r#"command = ["sh", ".stella/tools/greets.sh""#;
    desk.yard.tool("greets", "echo hello > \"$1\"\n", "");
    let text = std::fs::read_to_string(desk.yard.path(manifest)).unwrap();
    let named = text.replace(command, &format!("{command}, \"out.txt\""));
    assert_ne!(named, text);
    desk.yard.put(manifest, &named);
    assert_eq!(adopt().0, Exit::Clean);
    assert_eq!(call().0, Exit::Clean);
    assert!(desk.yard.path("out.txt").is_file());
    let (exit, _, err) = call();
    assert_eq!(exit, Exit::Findings);
    for told in [
        "argument 2 out.txt: the file was not there",
        "is named in its script, not in `command`",
        "`toolgate adopt greets` shows it as it is now",
    ] {
        assert!(err.contains(told), "{err}");
    }
    // Adopted as it is, it is handed a copy and writes there.
    desk.yard.put("out.txt", "mine\n");
    assert_eq!(adopt().0, Exit::Clean);
    assert_eq!(call().0, Exit::Clean);
    let out = std::fs::read_to_string(desk.yard.path("out.txt")).unwrap();
    assert_eq!(out, "mine\n");
    // Control: named in the script it is written as often as one likes.
    desk.yard.tool("greets", "echo hello > out.txt\n", "");
    assert_eq!(adopt().0, Exit::Clean);
    for _ in 0..2 {
        assert_eq!(call().0, Exit::Clean);
    }
    let out = std::fs::read_to_string(desk.yard.path("out.txt")).unwrap();
    assert_eq!(out, "hello\n");
}
