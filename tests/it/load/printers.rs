//! The same findings for programs, for GitHub and for code scanners.

use std::fs;

use serde_json::Value;
use toolcontract_manifest::{Diagnostic, fault, load, print::Format};

use super::{copied, data, names, printed};
use crate::expect::Expect;

/// Characters beyond ASCII and CRLF; a file as a whole; text that hides.
const SHOWN: &[&str] = &[
    fault::UNKNOWN_KEY,
    fault::UNEXPECTED_FOLDER,
    fault::NAME_DIFFERS_FROM_FILE,
    fault::DUPLICATE_KEY,
];

fn findings(case: &str) -> Vec<Diagnostic> {
    let copy = copied(&data().join(case).join("bad"));
    load(copy.path()).expect("the disk works").1
}

#[test]
fn every_format_says_the_same() {
    let formats = [
        (Format::Json, "expected.jsonl"),
        (Format::Github, "expected.github.txt"),
        (Format::Sarif, "expected.sarif"),
    ];
    let mut expect = Expect::default();
    for case in names(&data()) {
        for (format, name) in formats {
            let path = data().join(&case).join(name);
            if SHOWN.contains(&case.as_str()) {
                expect.file(&path, &printed(&findings(&case), format));
            } else if path.exists() {
                expect.fail(format_args!("{}: nothing checks this", path.display()));
            }
        }
    }
    expect.finish();
}

#[test]
fn sarif_has_the_published_shape() {
    let path = data().join("../sarif-2.1.0.schema.json");
    let schema = fs::read_to_string(path).expect("the schema is there");
    let mut schema: Value = serde_json::from_str(&schema).expect("JSON");
    // As published, this pattern has a bracket too many; we state no language.
    for part in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][part]["properties"]["language"];
        let language = language.as_object_mut().expect("an object");
        language.remove("pattern").expect("the broken pattern");
    }
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let check = |text: &str| {
        let log: Value = serde_json::from_str(text).expect("JSON");
        let faults: Vec<String> = validator.iter_errors(&log).map(|e| e.to_string()).collect();
        (log, faults)
    };
    for case in names(&data()) {
        let (log, faults) = check(&printed(&findings(&case), Format::Sarif));
        assert_eq!(faults, Vec::<String>::new(), "{case}");
        let run = &log["runs"][0];
        for result in run["results"].as_array().expect("results") {
            let index = result["ruleIndex"].as_u64().expect("an index");
            let rule = &run["tool"]["driver"]["rules"][usize::try_from(index).expect("small")];
            assert_eq!(rule["id"], result["ruleId"]);
        }
    }
    assert!(
        !check(r#"{ "version": "2.1.0", "runs": [{ "results": [{}] }] }"#)
            .1
            .is_empty()
    );
}

#[test]
fn no_printer_emits_what_hides() {
    for case in names(&data()) {
        let findings = findings(&case);
        for format in [Format::Human, Format::Json, Format::Github, Format::Sarif] {
            let text = printed(&findings, format);
            let hidden = toolcontract_manifest::text::hidden(&text);
            assert_eq!(hidden, None, "{case}, {format:?}:\n{text}");
        }
    }
}

#[test]
fn colours_come_only_when_told() {
    let settings = toolcontract_manifest::print::Settings {
        format: Format::Human,
        colors: true,
        about: |_| None,
    };
    let findings = findings(fault::UNKNOWN_KEY);
    let mut out = Vec::new();
    toolcontract_manifest::print::print(&findings, settings, &mut out).expect("a vector takes all");
    assert!(String::from_utf8(out).expect("UTF-8").contains('\u{1b}'));
    assert!(!printed(&findings, Format::Human).contains('\u{1b}'));
}
