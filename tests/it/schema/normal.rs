//! Schemas of any dialect in normal form: what it looks like, and that it accepts the same values.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use toolcontract_schema::{Formats, Validator, bundle::Bundle, normal::normalize};

#[test]
fn cases() {
    super::check_cases("normal", |case| {
        let bundle = Bundle {
            schema: case["schema"].clone(),
            shared: case
                .get("shared")
                .map(|s| serde_json::from_value(s.clone()).unwrap())
                .unwrap_or_default(),
        };
        match normalize(&bundle) {
            Ok(normal) => {
                agree(case, &bundle.schema);
                agree(case, &normal.schema);
                let again = Bundle {
                    schema: normal.schema.clone(),
                    shared: normal.shared.clone(),
                };
                assert_eq!(
                    normalize(&again),
                    Ok(normal.clone()),
                    "{:?}",
                    case["schema"]
                );
                json!({ "schema": normal.schema, "shared": normal.shared })
            }
            Err(errors) => json!({
                "errors": errors
                    .iter()
                    .map(|e| format!("{}: {e}", e.pointer))
                    .collect::<Vec<_>>()
            }),
        }
    });
}

fn agree(case: &Map<String, Value>, schema: &Value) {
    let validator = Validator::compile(schema, Formats::Annotate)
        .unwrap_or_else(|e| panic!("{}: {e} in {schema}", e.pointer));
    for (valid, key) in [(true, "valid"), (false, "invalid")] {
        for instance in case
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            assert_eq!(
                validator.is_valid(instance),
                valid,
                "{instance} by {schema}"
            );
        }
    }
}

#[test]
fn nesting_is_bounded() {
    let mut schema = json!({ "type": "string" });
    for _ in 0..200 {
        schema = json!({ "items": schema });
    }
    let bundle = Bundle {
        schema,
        shared: BTreeMap::new(),
    };
    let errors = normalize(&bundle).unwrap_err();
    assert_eq!(errors[0].reason, "the schema nests deeper than 128 levels");
}
