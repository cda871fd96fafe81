//! The public cases and hostile ones of ours: every valid instance is taken and given back equal, every invalid one is
//! refused; in the declared posture, and with formats asserted as well.

use std::{fmt::Write as _, fs, path::Path};

use serde::Deserialize;
use serde_json::Value;

use super::{
    judge::{Question, Verdict, judge},
    krate::{Entry, Manifests, compile, declared, emit},
};
use crate::expect::Expect;

#[derive(Deserialize)]
struct Case {
    schema: Value,
    valid: Vec<Value>,
    invalid: Vec<Value>,
}

/// The public cases and the hostile ones, by file stem.
fn cases() -> Vec<(String, Case)> {
    let mut cases = Vec::new();
    for folder in ["data/cases", "data/rust/hostile"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let case =
                serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let stem = path.file_stem().unwrap().to_str().unwrap();
            cases.push((stem.to_owned(), case));
        }
    }
    cases.sort_by(|(a, _), (b, _)| a.cmp(b));
    cases
}

fn module(stem: &str) -> String {
    format!("case_{}", stem.replace('-', "_"))
}

#[test]
fn public_and_hostile_cases() {
    let cases = cases();
    assert!(cases.len() > 66);
    let mut manifests = Manifests::new("cases");
    let mut entries = Vec::new();
    for (stem, case) in &cases {
        let module = module(stem);
        // Every root runs as an output too: there it need not be an object.
        let is_input = case.schema["type"] == "object";
        let empty = serde_json::json!({ "type": "object" });
        let input = if is_input { &case.schema } else { &empty };
        let manifest = declared(&module, input, Some(&case.schema));
        manifests.add(&format!("tools/{module}"), &manifest);
        for (function, gives) in [("parse", "Input"), ("parse_output", "Output")] {
            if is_input || function == "parse_output" {
                entries.push(Entry {
                    name: format!("{module} {gives}"),
                    module: module.clone(),
                    function,
                    gives: gives.to_owned(),
                    schema: case.schema.clone(),
                });
            }
        }
    }
    let model = manifests
        .check()
        .unwrap_or_else(|errors| panic!("{errors}"));
    let program = compile("cases", &emit(&model), &entries);

    let mut table = String::new();
    let mut expect = Expect::default();
    let (mut exact, mut refused) = (0, 0);
    for (stem, case) in &cases {
        let entries = entries.iter().filter(|e| e.module == module(stem));
        let questions: Vec<Question> = entries.flat_map(|e| questions(&e.name, case)).collect();
        let mut reason = None;
        for verdict in judge(&program, &questions) {
            match verdict {
                Verdict::Exact => {}
                Verdict::Refused(why) => reason = Some(why),
                Verdict::Wrong(why) => expect.fail(format_args!("{stem}: {why}")),
            }
        }
        if let Some(reason) = reason {
            refused += 1;
            let _ = writeln!(table, "refused {stem}: {reason}");
        } else {
            exact += 1;
            let _ = writeln!(table, "exact   {stem}");
        }
    }
    let _ = writeln!(table, "\nexact {exact}, refused {refused}, wrong 0");
    print!("{table}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/rust/cases.txt");
    expect.file(&path, &table);
    expect.finish();
}

/// Every instance, in the declared posture and with formats asserted.
fn questions(entry: &str, case: &Case) -> Vec<Question> {
    let instances = case.valid.iter().map(|value| (value, true));
    let instances = instances.chain(case.invalid.iter().map(|value| (value, false)));
    instances
        .flat_map(|(value, valid)| {
            [false, true].map(|formats| Question {
                entry: entry.to_owned(),
                formats,
                value: value.clone(),
                valid,
            })
        })
        .collect()
}
