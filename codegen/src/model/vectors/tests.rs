//! What schemas must have among their vectors.
use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolcontract_schema::{Formats, bundle::bundle, normal::normalize, strip};

use super::{SchemaDoc, Vectors, vectors};

fn of(schema: &Value, formats: Formats) -> Vectors {
    let bundled = bundle(schema, &BTreeMap::new()).unwrap();
    let doc = SchemaDoc {
        wire: strip(&bundled.schema),
        normal: normalize(&bundled).unwrap(),
    };
    vectors(&doc, formats, [], 200)
}

/// Both lists hold a vector for each thing that is said of them.
fn check(schema: &Value, accepted: &[Value], refused: &[Value]) {
    let vectors = of(schema, Formats::Assert);
    for (valid, wanted) in [(true, accepted), (false, refused)] {
        for value in wanted {
            let found = vectors.list.iter().find(|v| v.value == *value);
            let found = found.unwrap_or_else(|| panic!("no vector {value} in {vectors:#?}"));
            assert_eq!(found.valid, valid, "{found:?}");
        }
    }
}

#[test]
fn bounds_are_met_and_passed() {
    check(
        &json!({ "type": "integer", "minimum": 2, "exclusiveMaximum": 9 }),
        &[json!(2), json!(2.0)],
        &[
            json!(1),
            json!(9),
            json!(10),
            json!(2.5),
            json!(9_007_199_254_740_992_u64),
        ],
    );
    check(
        &json!({ "type": "number", "multipleOf": 0.5, "maximum": 4 }),
        &[json!(0.5), json!(4)],
        &[json!(0.75), json!(4.5)],
    );
    check(
        &json!({ "type": "string", "minLength": 2, "maxLength": 3 }),
        &[
            json!("te"),
            json!("tex"),
            json!("\u{1f600}\u{1f600}\u{1f600}"),
        ],
        &[json!(""), json!("t"), json!("texx"), json!("\u{1f600}")],
    );
    check(
        &json!({ "type": "array", "items": { "type": "integer" }, "minItems": 1, "maxItems": 2, "uniqueItems": true }),
        &[json!([1]), json!([1, 2])],
        &[json!([]), json!([1, 1]), json!([1, {}])],
    );
}

#[test]
fn every_branch_is_taken() {
    let schema = json!({
        "oneOf": [
            { "type": "object", "properties": { "kind": { "const": "a" }, "x": true }, "required": ["kind", "x"] },
            { "type": "object", "properties": { "kind": { "const": "b" } }, "required": ["kind"] },
            { "type": "null" },
        ]
    });
    check(
        &schema,
        &[json!({ "kind": "b" }), json!(null)],
        &[json!({}), json!({ "kind": "a_", "x": "text" })],
    );
    let accepted = of(&schema, Formats::Assert);
    assert!(
        accepted
            .list
            .iter()
            .any(|v| v.valid && v.value["kind"] == "a")
    );
}

#[test]
fn members_are_missing_and_added() {
    check(
        &json!({
            "type": "object",
            "properties": { "a": { "enum": ["p", "q"] }, "b": { "type": ["string", "null"] } },
            "required": ["a"],
            "additionalProperties": false,
            "dependentRequired": { "b": ["a"] },
        }),
        &[
            json!({ "a": "p" }),
            json!({ "a": "q" }),
            json!({ "a": "p", "b": null }),
        ],
        &[
            json!({}),
            json!({ "a": "P" }),
            json!({ "a": null }),
            json!({ "a": "p", "unknown_member": "anything" }),
            json!({ "b": "text" }),
        ],
    );
}

#[test]
fn what_keywords_say_together_is_solved() {
    for schema in [
        json!({ "type": "string", "not": { "enum": ["text"] }, "minLength": 1 }),
        json!({ "allOf": [{ "minimum": 3 }, { "type": "integer", "multipleOf": 4 }] }),
        json!({ "type": "object", "required": ["n"], "properties": { "n": { "$ref": "#/$defs/n" } },
            "$defs": { "n": { "type": "object", "required": ["v"], "properties": {
                "v": { "type": "string", "pattern": "^[a-f0-9]{8}$" }, "next": { "$ref": "#/$defs/n" } } } } }),
        json!({ "if": { "properties": { "a": { "const": 1 } } }, "then": { "required": ["b"] }, "type": "object",
            "required": ["a"], "properties": { "a": { "enum": [1, 2] } } }),
        json!({ "type": "array", "contains": { "type": "string", "format": "uuid" }, "minContains": 2 }),
        json!({ "type": "object", "minProperties": 3, "propertyNames": { "pattern": "^k[0-9]+$" } }),
        json!({ "oneOf": [{ "type": "integer" }, { "type": "number", "minimum": 1 }] }),
    ] {
        let vectors = of(&schema, Formats::Assert);
        assert!(vectors.has_valid(), "{schema}");
        assert!(vectors.list.iter().any(|v| !v.valid), "{schema}");
    }
}

#[test]
fn the_posture_decides_on_formats_and_wide_integers() {
    let schema = json!({ "type": "object", "properties": {
        "at": { "type": "string", "format": "date" }, "n": { "type": "integer" } } });
    let day = json!({ "at": "2024-02-30" });
    let label = |formats| {
        let vectors = of(&schema, formats);
        vectors
            .list
            .iter()
            .find(|v| v.value == day)
            .map(|v| v.valid)
    };
    assert_eq!(label(Formats::Assert), Some(false));
    assert_eq!(label(Formats::Annotate), Some(true));
    let declared = of(&schema, Formats::Annotate);
    assert!(
        declared
            .list
            .iter()
            .all(|v| v.value["n"] != json!(9_007_199_254_740_992_u64))
    );
}

#[test]
fn hostile_schemas_end() {
    let mut wide = json!({ "type": "object", "required": ["a", "b"], "properties": {} });
    for name in ["a", "b"] {
        wide["properties"][name] = json!({ "$ref": "#/$defs/d0" });
    }
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        wide["$defs"][format!("d{level}")] = json!({ "type": "object", "required": ["a", "b"],
            "properties": { "a": next, "b": next } });
    }
    wide["$defs"]["d40"] = json!({ "type": "null" });
    let all: Vec<Value> = (0..1500).map(|n| json!(format!("v{n}"))).collect();
    for (schema, has_valid) in [
        (wide, false),
        (
            json!({ "type": "object", "properties": { "e": { "enum": all } }, "required": ["e"] }),
            true,
        ),
        (
            json!({ "type": "array", "minItems": 1_000_000_000_u64 }),
            false,
        ),
        (
            json!({ "type": "string", "minLength": 4_000_000_000_u64 }),
            false,
        ),
        (
            json!({ "type": "object", "required": ["a"], "properties": { "a": { "$ref": "#" } } }),
            false,
        ),
        (
            json!({ "pattern": "^(((a{1,9}){1,9}){1,9})+$", "type": "string" }),
            true,
        ),
        (json!({ "type": "integer", "minimum": 1e300 }), false),
        (json!({ "type": "number", "multipleOf": 1e-300 }), true),
    ] {
        let vectors = of(&schema, Formats::Annotate);
        assert_eq!(vectors.has_valid(), has_valid, "{schema}");
        assert!(!vectors.list.is_empty() && vectors.list.len() <= 200);
    }
}

#[test]
fn the_same_schema_gives_the_same_vectors() {
    let schema = json!({ "type": "object", "properties": {
        "a": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
        "b": { "type": "array", "items": { "$ref": "#" } } } });
    assert_eq!(of(&schema, Formats::Assert), of(&schema, Formats::Assert));
}
