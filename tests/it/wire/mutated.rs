//! Every sample, broken at every place: no type panics, text and value read alike, and whatever a
//! schema takes its type reads.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolcontract_codegen::emit::wire::protocol_schemas;
use toolcontract_schema::{Formats, Validator};

use crate::protocol::{TYPES, samples};

/// The JSON pointers of every value inside `value`, itself first.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                places(value, &format!("{at}/{key}"), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                places(value, &format!("{at}/{index}"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn what_a_schema_takes_its_type_reads() {
    let validators: BTreeMap<_, _> = protocol_schemas()
        .map(|(name, schema)| {
            let validator = Validator::compile(&schema, Formats::Assert).expect("it compiles");
            (name, validator)
        })
        .collect();
    let replacements = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(""),
        json!("later"),
        json!([]),
        json!({}),
    ];
    let (mut read, mut refused) = (0, 0);
    for (kind, path, text) in samples("written") {
        let Some(validator) = validators.get(kind.as_str()) else {
            continue;
        };
        let (_, rewrite) = TYPES
            .iter()
            .find(|(name, _)| *name == kind)
            .expect("a type");
        let whole: Value = serde_json::from_str(&text).expect("a sample is JSON");
        let mut pointers = Vec::new();
        places(&whole, "", &mut pointers);
        for pointer in pointers {
            for replacement in &replacements {
                let mut broken = whole.clone();
                *broken.pointer_mut(&pointer).expect("a place") = replacement.clone();
                let outcome = rewrite(&broken.to_string());
                if let Err(error) = &outcome {
                    assert!(
                        !validator.is_valid(&broken),
                        "{}: the schema takes {replacement} at `{pointer}`, the type says: {error}",
                        path.display()
                    );
                    refused += 1;
                } else {
                    read += 1;
                }
            }
        }
    }
    assert!(
        read > 1000 && refused > 1000,
        "{read} read, {refused} refused"
    );
}
