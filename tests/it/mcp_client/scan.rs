//! `toolgate scan`: what it finds in lists that were written to be found out, that it finds nothing
//! in an honest one, and how it says so.

use std::path::Path;

use serde_json::Value;
use toolgate::cli::Exit;

use crate::{expect_folder::ExpectFolder, toolgate::program::toolgate};

/// What `toolgate scan` prints, run in the folder of the tests.
fn scan(arguments: &[&str]) -> (Exit, String) {
    let (exit, out, err) = toolgate(&[&["scan"], arguments].concat());
    assert!(err.is_empty(), "{err}");
    (exit, out)
}

const HONEST: &str = "data/scan/lists/honest.json";
const POISONED: &str = "data/scan/lists/poisoned.json";
const DOUBTFUL: &str = "data/scan/lists/doubtful.json";
const MANY: &str = "data/scan/lists/many.json";
const CHANGED: &str = "data/scan/lists/changed.json";

#[test]
fn screens() {
    let mut expect = ExpectFolder::of("scan/screens");
    for (name, arguments, exit) in [
        ("honest", &[HONEST][..], Exit::Clean),
        ("poisoned", &[POISONED], Exit::Findings),
        ("doubtful", &[DOUBTFUL], Exit::Findings),
        ("the same of many", &[MANY], Exit::Clean),
        (
            "two lists",
            &[HONEST, DOUBTFUL, "--format", "json"],
            Exit::Findings,
        ),
    ] {
        let (got, text) = scan(arguments);
        assert_eq!(got, exit, "{name}: {text}");
        expect.text(name, text);
    }
    expect.finish();
}

#[test]
fn programs_get_every_finding_by_itself() {
    let (exit, text) = scan(&[MANY, "--format", "json"]);
    assert_eq!((exit, text.lines().count()), (Exit::Clean, 4), "{text}");
}

#[test]
fn a_code_scanner_reads_the_findings() {
    let (exit, text) = scan(&[POISONED, "--format", "sarif"]);
    assert_eq!(exit, Exit::Findings);
    let log: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let rules = log["runs"][0]["tool"]["driver"]["rules"]
        .as_array()
        .unwrap();
    let ids: Vec<&str> = rules
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        ids,
        [
            "claims-contradict",
            "hidden-character",
            "instruction-like-text"
        ]
    );
    assert!(
        rules
            .iter()
            .all(|rule| rule["shortDescription"]["text"].is_string())
    );
}

#[test]
fn a_change_since_the_pin_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let pins = folder.path().join("pins.json");
    let pins = pins.to_str().unwrap();
    let list = folder.path().join("list.json");
    let list = list.to_str().unwrap();
    std::fs::copy(HONEST, list).unwrap();
    assert_eq!(scan(&[list, "--write-pins", pins]).0, Exit::Clean);
    // The same definitions in another order of keys are the same.
    let text = std::fs::read_to_string(list).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let mut turned = value.clone();
    for tool in turned["tools"].as_array_mut().unwrap() {
        let members: Vec<_> = tool
            .as_object()
            .unwrap()
            .clone()
            .into_iter()
            .rev()
            .collect();
        *tool = Value::Object(members.into_iter().collect());
    }
    std::fs::copy(HONEST, list).unwrap();
    write(Path::new(list), &turned.to_string());
    let (exit, text) = scan(&[list, "--pins", pins]);
    assert_eq!(exit, Exit::Clean, "{text}");

    std::fs::copy(CHANGED, list).unwrap();
    let (exit, text) = scan(&[list, "--pins", pins, "--format", "json"]);
    assert_eq!(exit, Exit::Findings);
    let findings: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |rule: &str| -> Vec<&str> {
        let found = findings.iter().filter(|finding| finding["rule"] == rule);
        found
            .map(|finding| finding["message"].as_str().unwrap())
            .collect()
    };
    assert_eq!(
        of("changed-since-pin"),
        ["`read_note` is not what was pinned; it differs in `annotations`, `description`"]
    );
    assert_eq!(
        of("new-since-pin"),
        ["`send_note` was not there when the list was pinned"]
    );
    assert_eq!(
        of("gone-since-pin"),
        ["`delete_note` is not there any more"]
    );
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test writes into its own folder"
)]
fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}
