//! `docs/policy.md` says only what is true: its policy loads, its commands print what stands below
//! them, and every finding has its line.

use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use toolcontract_runtime::policy::{Settings, role::IDS};
use toolgate::cli::Exit;

use super::{cli::toolgate, policy};

fn guide() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/policy.md");
    std::fs::read_to_string(file).expect("the guide")
}

/// The fenced blocks, each with its language.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                open = true;
                blocks.push((language.into_string(), String::new()));
            }
            Event::End(TagEnd::CodeBlock) => open = false,
            Event::Text(text) if open => blocks.last_mut().expect("a block").1.push_str(&text),
            _ => {}
        }
    }
    blocks
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a fixture in a folder of its own"
)]
fn its_commands_print_what_it_says() {
    let text = guide();
    let blocks = blocks(&text);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("policy.toml");
    let (_, written) = blocks
        .iter()
        .find(|(language, _)| language == "toml")
        .expect("a policy");
    std::fs::write(&file, written).expect("the policy");
    policy(written);
    let path = file.to_str().expect("a path");
    let mut ran = 0;
    for pair in blocks.windows(2) {
        let [(first, command), (second, expected)] = pair else {
            continue;
        };
        if first != "sh" || second != "text" {
            continue;
        }
        let command = command.trim().strip_prefix("toolgate ").expect("a command");
        let words = words(command);
        let words: Vec<&str> = words
            .iter()
            .map(|w| if w == "policy.toml" { path } else { w })
            .collect();
        let (exit, out, err) = toolgate(&words);
        assert_eq!(exit, Exit::Clean, "{command}: {err}");
        let out = out.replace(path, "policy.toml");
        match expected.split_once("...\n") {
            Some((start, _)) => assert!(out.starts_with(start), "{command}:\n{out}"),
            None => assert_eq!(&out, expected, "{command}"),
        }
        ran += 1;
    }
    assert_eq!(ran, 3);
}

/// Words of a command line, in which a word may stand in single quotes.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

#[test]
fn every_finding_has_its_line() {
    let text = guide();
    for id in IDS {
        assert!(
            text.contains(&format!("`{id}`")),
            "`{id}` is not in docs/policy.md"
        );
    }
}

#[test]
fn its_settings_are_settings() {
    let text = guide();
    let (_, block) = blocks(&text)
        .into_iter()
        .find(|(language, _)| language == "json")
        .expect("settings");
    let settings = Settings::parse(block.as_bytes()).expect("settings");
    assert_eq!(settings.hooks.len(), 1);
    assert_eq!(settings.tools.unknown(super::catalog()), [""; 0]);
}
