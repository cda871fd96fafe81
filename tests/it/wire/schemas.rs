//! Every schema of the protocol takes what its type writes and refuses what it does not.

use std::collections::BTreeMap;

use serde_json::Value;
use toolcontract_codegen::emit::wire::{DIALECT, protocol_schemas};
use toolcontract_schema::{Formats, Validator};

use crate::protocol::samples;

fn validators() -> BTreeMap<&'static str, Validator> {
    protocol_schemas()
        .map(|(name, schema)| {
            let validator = Validator::compile(&schema, Formats::Assert)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            (name, validator)
        })
        .collect()
}

#[test]
fn schemas_are_valid_and_say_nothing_of_rust() {
    for (name, schema) in protocol_schemas() {
        assert!(jsonschema::draft202012::meta::is_valid(&schema), "{name}");
        assert_eq!(schema["$schema"], DIALECT, "{name}");
        visit(&schema, &mut |node| {
            assert!(node.get("$id").is_none_or(|id| !id.is_string()), "{name}");
            for text in node.values().filter_map(Value::as_str) {
                let foreign = ["::", "[`", "http:", "\n "]
                    .iter()
                    .any(|mark| text.contains(mark));
                assert!(!foreign, "{name}: {text}");
            }
        });
    }
}

fn visit(node: &Value, check: &mut dyn FnMut(&serde_json::Map<String, Value>)) {
    match node {
        Value::Object(map) => {
            check(map);
            map.values().for_each(|value| visit(value, check));
        }
        Value::Array(items) => items.iter().for_each(|item| visit(item, check)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn each_schema_takes_what_its_type_writes() {
    let validators = validators();
    let mut judged = 0;
    for (kind, path, text) in samples("written") {
        let Some(validator) = validators.get(kind.as_str()) else {
            continue; // Manifests are judged by their own schemas.
        };
        let value: Value = serde_json::from_str(&text).expect("a sample is JSON");
        if let Err(violations) = validator.validate(&value, 8) {
            panic!("{}: {violations}", path.display());
        }
        judged += 1;
    }
    assert!(judged > 100, "only {judged} samples");
}

#[test]
fn each_schema_refuses_a_sample_that_was_broken() {
    let validators = validators();
    let schemas: BTreeMap<_, _> = protocol_schemas().collect();
    for (kind, path, text) in samples("written") {
        let Some(validator) = validators.get(kind.as_str()) else {
            continue;
        };
        let whole: Value = serde_json::from_str(&text).expect("a sample is JSON");
        let refuses = |broken: &Value, how: &str| {
            assert!(!validator.is_valid(broken), "{}: {how}", path.display());
        };
        refuses(&Value::from(42), "a number");
        refuses(&Value::Null, "null");
        refuses(&serde_json::json!([whole]), "a list of it");
        let required = schemas[kind.as_str()]["required"].as_array();
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            let mut broken = whole.clone();
            broken.as_object_mut().expect("a record").remove(name);
            refuses(&broken, &format!("without `{name}`"));
        }
        for name in whole
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
        {
            if schemas[kind.as_str()]["properties"]
                .get(name)
                .is_some_and(|p| p.get("type").is_some())
            {
                let mut broken = whole.clone();
                broken[name] = Value::Null;
                refuses(&broken, &format!("with `{name}` null"));
            }
        }
    }
}

/// What a type refuses, its schema refuses; these faults have no words in JSON Schema.
const BEYOND_SCHEMAS: [&str; 1] = ["ToolContract/defined_twice"];

#[test]
fn what_a_reader_refuses_its_schema_refuses() {
    let validators = validators();
    for (kind, path, text) in samples("read") {
        let case: Value = serde_json::from_str(&text).expect("a case is JSON");
        let (Some(validator), Some(_)) = (validators.get(kind.as_str()), case.get("refused"))
        else {
            continue;
        };
        let stem = path.file_stem().expect("a name").to_string_lossy();
        let name = format!("{kind}/{stem}");
        let beyond = BEYOND_SCHEMAS.contains(&name.as_str());
        assert_eq!(validator.is_valid(&case["given"]), beyond, "{name}");
    }
}
