//! The JSON Schema Test Suite, required tests of 2020-12, through generated Rust in the declared
//! posture: nothing may be wrong.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::{
    judge::{Question, Verdict, judge},
    krate::{Entry, Manifests, compile, declared, emit},
};
use crate::{expect::Expect, schema::shared};

/// One group of the suite: a schema and its instances.
struct Group {
    file: String,
    title: String,
    schema: Value,
    tests: Vec<Value>,
}

fn groups(folder: &Path) -> Vec<Group> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    paths.sort();
    let mut groups = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let Value::Array(all) = serde_json::from_str(&text).unwrap() else {
            panic!("{} is no array", path.display());
        };
        for group in all {
            groups.push(Group {
                file: path.file_name().unwrap().to_str().unwrap().to_owned(),
                title: group["description"].as_str().unwrap().to_owned(),
                // A manifest takes no schema that is a boolean; this says the same.
                schema: match &group["schema"] {
                    Value::Bool(all) => json!({ "allOf": [all] }),
                    schema => schema.clone(),
                },
                tests: group["tests"].as_array().unwrap().clone(),
            });
        }
    }
    groups
}

#[test]
fn the_test_suite() {
    let Some(folder) = shared("json-schema-test-suite/tests/draft2020-12") else {
        return;
    };
    let groups = groups(&folder);
    let mut manifests = Manifests::new("suite");
    let mut entries = Vec::new();
    let mut questions = Vec::new();
    let mut files = Vec::new();
    let mut counts: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut refused = String::new();
    for (at, group) in groups.iter().enumerate() {
        let module = format!("group_{at:03}");
        let manifest = declared(&module, &json!({ "type": "object" }), Some(&group.schema));
        let mut alone = Manifests::new("suite");
        alone.add(&format!("tools/{module}"), &manifest);
        if let Err(errors) = alone.check() {
            let rule = errors
                .lines()
                .next()
                .and_then(|line| line.split([' ', ':']).nth(1));
            let _ = writeln!(
                refused,
                "{}: {}: {}",
                group.file,
                group.title,
                rule.unwrap()
            );
            counts.entry(&group.file).or_default()[1] += group.tests.len();
            continue;
        }
        manifests.add(&format!("tools/{module}"), &manifest);
        entries.push(Entry {
            name: module.clone(),
            module: module.clone(),
            function: "parse_output",
            gives: "Output".to_owned(),
            schema: group.schema.clone(),
        });
        for test in &group.tests {
            files.push((group, &test["description"]));
            questions.push(Question {
                entry: module.clone(),
                formats: false,
                value: test["data"].clone(),
                valid: test["valid"] == json!(true),
            });
        }
    }
    let model = manifests
        .check()
        .unwrap_or_else(|errors| panic!("{errors}"));
    let program = compile("suite", &emit(&model), &entries);

    let mut expect = Expect::default();
    for ((group, test), verdict) in files.iter().zip(judge(&program, &questions)) {
        let count = counts.entry(&group.file).or_default();
        match verdict {
            Verdict::Exact => count[0] += 1,
            Verdict::Refused(_) => count[1] += 1,
            Verdict::Wrong(why) => {
                count[2] += 1;
                expect.fail(format_args!(
                    "{}: {}: {test}: {why}",
                    group.file, group.title
                ));
            }
        }
    }
    let mut table = format!("{:44} exact refused wrong\n", "");
    let mut sum = [0; 3];
    for (file, count) in counts
        .into_iter()
        .collect::<Vec<_>>()
        .into_iter()
        .chain([("all", [0; 3])])
    {
        let count = if file == "all" { sum } else { count };
        let _ = writeln!(
            table,
            "{file:44} {:5} {:7} {:5}",
            count[0], count[1], count[2]
        );
        sum = [0, 1, 2].map(|at| sum[at] + count[at]);
    }
    let _ = write!(table, "\nrefused\n{refused}");
    print!("{table}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/rust/suite.txt");
    expect.file(&path, &table);
    expect.finish();
}
