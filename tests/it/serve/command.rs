//! `toolgate serve` before it serves: what it must be told, and what it says when it is not. That
//! it serves is shown by `tests/js/serve`.

use clap::{CommandFactory as _, Parser as _, error::ErrorKind};
use toolgate::cli::Exit;

use crate::toolgate::program::{Arguments, toolgate};

#[test]
fn a_server_needs_a_gate_and_a_token() {
    for missing in [&["--no-authz"][..], &["--token-file", "token"]] {
        let all = ["toolgate", "serve"].iter().chain(missing);
        let error = Arguments::try_parse_from(all).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MissingRequiredArgument);
    }
}

#[test]
fn a_token_that_is_none_is_told_and_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    for (text, why) in [
        (None, "cannot be read"),
        (Some("short"), "at least 16 characters"),
        (Some("a secret with spaces"), "no spaces"),
    ] {
        if let Some(text) = text {
            put(&file, text);
        }
        let file = file.to_str().unwrap();
        let bind = ["serve", "--no-authz", "--bind", "127.0.0.1:0"];
        let (exit, _, said) = toolgate(&[&bind[..], &["--token-file", file]].concat());
        assert_eq!(exit, Exit::Failed);
        assert!(said.contains(why), "{said}");
        assert!(text.is_none_or(|text| !said.contains(text)), "{said}");
    }
}

#[test]
fn a_host_that_is_none_is_refused_at_start() {
    let at = |command: &[&str], host: &str| {
        let all = ["toolgate"].iter().chain(command).copied();
        let all = all.chain(["--no-authz", "--token-file", "token", "--allow-host", host]);
        Arguments::try_parse_from(all)
    };
    for command in [&["serve"][..], &["mcp", "--http", "127.0.0.1:0"]] {
        for host in [
            "u@h.example",
            "one.example:99999",
            "",
            "*",
            "http://x.example",
        ] {
            let error = at(command, host).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ValueValidation, "{host}");
            let said = error.to_string();
            assert!(
                said.contains("write a host such as `tools.example`"),
                "{said}"
            );
        }
        for host in [
            "h.example",
            "one.example:9999",
            "::1",
            "[::1]:80",
            "192.0.2.1",
        ] {
            assert!(at(command, host).is_ok(), "{host}");
        }
    }
}

#[test]
fn a_switch_that_is_about_nothing_known_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("settings.json");
    put(
        &settings,
        r#"{"tools":{"Bash":"off","grep":"off","mcp__a__b":"off"}}"#,
    );
    let (settings, token) = (settings.to_str().unwrap(), folder.path().join("none"));
    let token = token.to_str().unwrap();
    let (exit, _, said) = toolgate(&[
        "serve",
        "--no-authz",
        "--token-file",
        token,
        "--settings",
        settings,
    ]);
    assert_eq!(exit, Exit::Failed, "there is no token");
    assert_eq!(
        said.matches("switches only what a host calls so").count(),
        1,
        "{said}"
    );
    assert!(said.contains("`Bash`"), "{said}");
}

#[test]
fn what_means_nothing_here_is_not_offered() {
    let mut program = Arguments::command();
    let serve = program.find_subcommand_mut("serve").unwrap();
    let help = serve.render_long_help().to_string();
    for offered in ["--token-file", "--policy", "--journal", "--max-turns"] {
        assert!(help.contains(offered), "{help}");
    }
    for hidden in ["--principal", "--script-tools"] {
        assert!(!help.contains(hidden), "{help}");
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the file is what a person would have put there"
)]
fn put(file: &std::path::Path, text: &str) {
    std::fs::write(file, text).unwrap();
}
