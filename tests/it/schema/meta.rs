//! Schemas against their meta-schema, and whether they can accept anything.

use serde_json::json;
use toolcontract_schema::meta::{accepts_nothing, check};

#[test]
fn faults_have_places() {
    let faults = check(
        &json!({
            "type": "strng",
            "required": "a",
            "properties": { "a/b": { "minimum": "1", "items": [] }, "c": 1 },
            "$defs": { "type": { "minLength": -1, "type": ["string", "string"] } }
        }),
        20,
    )
    .unwrap_err();
    let told: Vec<String> = faults.violations.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "`/$defs/type/minLength`: expected at least 0, got a smaller integer",
            "`/$defs/type/type`: expected items that all differ, got 2 items",
            "`/properties/a~1b/items`: expected boolean or object, got array",
            "`/properties/a~1b/minimum`: expected number, got string",
            "`/properties/c`: expected boolean or object, got integer",
            "`/required`: expected array, got string",
            "`/type`: expected \"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\" or \"string\" or array, got string",
        ]
    );
}

#[test]
fn the_dialect_decides() {
    let flag = json!({ "minimum": 1, "exclusiveMinimum": true });
    assert_eq!(check(&flag, 9).unwrap_err().violations.len(), 1);
    let mut old = flag;
    old["$schema"] = json!("http://json-schema.org/draft-04/schema#");
    assert!(check(&old, 9).is_ok());
    let foreign = check(&json!({ "$schema": "https://example.com" }), 9).unwrap_err();
    assert_eq!(foreign.violations[0].pointer, "/$schema");
}

#[test]
fn what_accepts_nothing_is_found() {
    for schema in [
        json!(false),
        json!({ "enum": [], "type": "string" }),
        json!({ "allOf": [{ "type": "string" }, { "type": "integer" }] }),
        json!({ "type": "integer", "minimum": 2, "maximum": 1 }),
        json!({ "type": "string", "minLength": 2, "maxLength": 1 }),
        json!({ "type": "string", "enum": [1, 2] }),
        json!({ "type": "object", "required": ["a"], "properties": { "a": false } }),
        json!({ "type": "object", "required": ["a"], "properties": { "a": { "$ref": "#" } } }),
        json!({ "not": {} }),
    ] {
        assert!(accepts_nothing(&schema), "{schema}");
    }
}

#[test]
fn no_case_is_said_to_accept_nothing() {
    let Some(folder) = super::shared("cases") else {
        return;
    };
    for path in super::json_files(&folder) {
        let case = super::read(&path);
        let valid = case["valid"].as_array().unwrap();
        assert!(
            valid.is_empty() || !accepts_nothing(&case["schema"]),
            "{}",
            path.display()
        );
    }
}
