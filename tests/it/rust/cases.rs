//! The public cases and hostile ones of ours: every valid instance is taken and given back equal, every invalid one is
//! refused; in the declared posture, and with formats asserted as well.

use std::{fmt::Write as _, fs, path::Path};

use serde::Deserialize;
use serde_json::Value;

use super::{
    equal::equal,
    krate::{Answer, Entry, Manifests, compile, declared, emit},
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

/// How a case went.
#[derive(Debug, Default)]
struct Outcome {
    /// Valid instances that the crate refuses, with the reason.
    refused: Vec<String>,
    /// What may never happen.
    wrong: Vec<String>,
}

#[test]
fn public_and_hostile_cases() {
    let cases = cases();
    assert!(cases.len() > 66);
    let mut manifests = Manifests::new();
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
        let mut outcome = Outcome::default();
        for entry in &entries {
            if entry.module == module(stem) {
                for formats in [false, true] {
                    run(&program, &entry.name, formats, case, &mut outcome);
                }
            }
        }
        for wrong in &outcome.wrong {
            expect.fail(format_args!("{stem}: {wrong}"));
        }
        if outcome.refused.is_empty() {
            exact += 1;
            let _ = writeln!(table, "exact   {stem}");
        } else {
            refused += 1;
            let _ = writeln!(table, "refused {stem}: {}", outcome.refused.join("; "));
        }
    }
    let _ = writeln!(table, "\nexact {exact}, refused {refused}, wrong 0");
    print!("{table}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/rust/cases.txt");
    expect.file(&path, &table);
    expect.finish();
}

fn run(
    program: &super::krate::Program,
    entry: &str,
    formats: bool,
    case: &Case,
    outcome: &mut Outcome,
) {
    let posture = if formats {
        "formats asserted"
    } else {
        "declared"
    };
    let questions: Vec<(String, bool, Value)> = case
        .valid
        .iter()
        .chain(&case.invalid)
        .map(|value| (entry.to_owned(), formats, value.clone()))
        .collect();
    let answers = program.ask(&questions);
    for (at, ((_, _, value), answer)) in questions.iter().zip(answers).enumerate() {
        let valid = at < case.valid.len();
        let fault = match answer {
            Answer::Ok(back) if valid && equal(value, &back) => continue,
            Answer::Invalid(_) if !valid => continue,
            Answer::Invalid(why) if formats && why.contains("within ±9007199254740991") => {
                outcome.refused =
                    vec!["integers beyond 2^53 - 1 in an authored contract".to_owned()];
                continue;
            }
            Answer::Ok(back) if valid => format!("gives back {back}"),
            Answer::Ok(_) => "takes what is invalid".to_owned(),
            Answer::Invalid(why) => format!("refuses what is valid: {why}"),
            Answer::Type(why) => format!("has a type that does not take it: {why}"),
            Answer::Schema(why) => format!("has a schema that does not compile: {why}"),
        };
        outcome
            .wrong
            .push(format!("{entry}, {posture}, {value}: {fault}"));
    }
}
