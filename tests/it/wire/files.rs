//! The files of the surface: all indexed, all valid, and true of the catalog that they come from.

use std::collections::BTreeSet;

use serde_json::Value;
use toolcontract_schema::{Formats, Validator};

use super::{catalog, root, surface};
use crate::protocol::samples;

fn json(files: &toolcontract_codegen::emit::FileSet, path: &str) -> Value {
    let bytes = files
        .get(path)
        .unwrap_or_else(|| panic!("no file `{path}`"));
    serde_json::from_slice(bytes).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn paths(index: &Value, found: &mut BTreeSet<String>) {
    match index {
        Value::String(path) => assert!(found.insert(path.clone()), "{path} is listed twice"),
        Value::Object(map) => map.values().for_each(|value| paths(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            panic!("an index holds paths, not {index}")
        }
    }
}

#[test]
fn the_index_lists_every_file_and_each_schema_is_one() {
    let model = catalog();
    let files = surface(&model);
    assert!(files.clashes().is_empty(), "{:?}", files.clashes());
    assert_eq!(files, surface(&model), "same model, same bytes");

    let mut listed = BTreeSet::from(["index.json".to_owned()]);
    paths(&json(&files, "index.json"), &mut listed);
    let there: BTreeSet<String> = files.iter().map(|(path, _)| path.to_owned()).collect();
    assert_eq!(listed, there);

    for path in there.iter().filter(|path| path.ends_with(".schema.json")) {
        let schema = json(&files, path);
        assert!(jsonschema::draft202012::meta::is_valid(&schema), "{path}");
        let banner = schema["$comment"].as_str().unwrap_or_default();
        assert!(banner.starts_with("@generated"), "{path}: {banner}");
        Validator::compile(&schema, Formats::Assert).unwrap_or_else(|e| panic!("{path}: {e}"));
        let text = String::from_utf8_lossy(files.get(path).unwrap_or_default());
        assert!(!text.contains("\"x-"), "{path} holds a keyword of ours");
        assert!(text.ends_with("}\n") && !text.contains('\r'), "{path}");
    }
}

#[test]
fn examples_of_the_catalog_are_what_the_emitted_schemas_say() {
    let model = catalog();
    let files = surface(&model);
    let mut examples = 0;
    for tool in &model.tools {
        let name = &tool.manifest.name;
        for example in &tool.manifest.examples {
            let check = |which: &str, value: &Value| {
                let path = format!("tools/{name}.{which}.schema.json");
                let schema = json(&files, &path);
                let validator = Validator::compile(&schema, Formats::Assert).expect("it compiles");
                assert!(validator.is_valid(value), "{path}: {}", example.summary);
                assert!(!validator.is_valid(&Value::from(42)), "{path}");
            };
            check("input", &example.input);
            if let Some(output) = &example.output {
                check("output", output);
            }
            examples += 1;
        }
    }
    assert!(examples >= 30, "only {examples} examples");
}

#[test]
fn the_progress_type_is_the_progress_event() {
    let files = surface(&catalog());
    let schema = json(&files, "events/tool.call.progress.schema.json");
    let validator = Validator::compile(&schema, Formats::Assert).expect("it compiles");
    let mut judged = 0;
    for (kind, path, text) in samples("written") {
        if kind == "ToolCallProgress" {
            let value: Value = serde_json::from_str(&text).expect("a sample is JSON");
            assert!(validator.is_valid(&value), "{}", path.display());
            judged += 1;
        }
    }
    assert!(judged >= 2);
    assert!(!validator.is_valid(&serde_json::json!({ "tool": "t", "call_id": "c", "seq": 1 })));
}

#[test]
fn manifests_are_what_the_schemas_for_editors_say() {
    let files = surface(&catalog());
    for (folder, which) in [("tools", "manifest"), ("events", "event"), ("", "project")] {
        let schema = json(&files, &format!("{which}.schema.json"));
        let validator = Validator::compile(&schema, Formats::Assert).expect("it compiles");
        let mut judged = 0;
        for entry in std::fs::read_dir(root().join("manifests").join(folder)).expect("manifests") {
            let path = entry.expect("an entry").path();
            let text = match path.extension().and_then(|e| e.to_str()) {
                Some("toml" | "json") => std::fs::read_to_string(&path).expect("a manifest"),
                _ => continue,
            };
            let value: Value = match path.extension() {
                Some(e) if e == "json" => serde_json::from_str(&text).expect("JSON"),
                _ => toml_edit::de::from_str(&text).expect("TOML"),
            };
            if let Err(violations) = validator.validate(&value, 8) {
                panic!("{}: {violations}", path.display());
            }
            let mut typo = value;
            typo["read_onyl"] = true.into();
            assert!(!validator.is_valid(&typo), "{which} takes an unknown key");
            judged += 1;
        }
        assert!(judged > 0, "no file for `{which}`");
    }
}

#[test]
fn samples_of_manifests_are_judged_like_their_types_judge_them() {
    let files = surface(&catalog());
    for (kind, which) in [("Manifest", "manifest"), ("EventManifest", "event")] {
        let schema = json(&files, &format!("{which}.schema.json"));
        let validator = Validator::compile(&schema, Formats::Assert).expect("it compiles");
        for (_, path, text) in samples("written").into_iter().filter(|(k, ..)| k == kind) {
            let value: Value = serde_json::from_str(&text).expect("a sample is JSON");
            if let Err(violations) = validator.validate(&value, 8) {
                panic!("{}: {violations}", path.display());
            }
        }
        for (_, path, text) in samples("read").into_iter().filter(|(k, ..)| k == kind) {
            let case: Value = serde_json::from_str(&text).expect("a case is JSON");
            let refused = case.get("refused").is_some();
            assert_ne!(
                validator.is_valid(&case["given"]),
                refused,
                "{}",
                path.display()
            );
        }
    }
}
