//! `contradictions/<case>.json`: a contract, the declared events, and the rules that it breaks.

use std::path::PathBuf;

use serde_json::Value;
use toolcontract_protocol::{
    Provenance, ToolContract,
    contradiction::{contradictions, duplicates},
};

#[test]
fn each_contradiction_is_found_and_nothing_else() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/protocol/contradictions");
    let mut seen = 0;
    for file in std::fs::read_dir(folder).expect("the folder of cases") {
        let path = file.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a case");
        let case: Value = serde_json::from_str(&text).expect("a case is JSON");
        let mut contract: ToolContract =
            serde_json::from_value(case["contract"].clone()).expect("a contract");
        // Reading gives a claim; the loader assigns.
        contract.provenance = match case["provenance"].as_str() {
            Some("builtin") => Provenance::Builtin,
            Some("adopted") => Provenance::Adopted {
                digest: "0".repeat(64),
            },
            Some("declared") => Provenance::Declared,
            other => panic!("{}: provenance {other:?}", path.display()),
        };
        let events: Vec<&str> = case["events"]
            .as_array()
            .expect("the declared events")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let found: Vec<Value> = contradictions(&contract, |name| events.contains(&name))
            .into_iter()
            .map(|c| serde_json::json!({ "rule": c.rule(), "says": c.to_string() }))
            .collect();
        assert_eq!(Value::Array(found), case["finds"], "{}", path.display());
        seen += 1;
    }
    assert!(seen >= 9, "only {seen} cases");
}

#[test]
fn names_that_differ_only_by_case_are_one_name() {
    assert_eq!(duplicates(["read", "write", "grep"]), []);
    let found = duplicates(["read", "Read", "write", "read"]);
    let pairs: Vec<(&str, &str)> = found
        .iter()
        .map(|d| (d.first.as_str(), d.second.as_str()))
        .collect();
    assert_eq!(pairs, [("read", "Read"), ("read", "read")]);
}
