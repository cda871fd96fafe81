//! No schema makes the lowering panic, run long, or hand out what the provider refuses.

use proptest::{prelude::*, test_runner::RngSeed};
use serde_json::{Map, Value, json};
use toolcontract_schema::dialect::{Dialect, lower};

use super::provider::PROVIDERS;

fn check(schema: &Value) {
    for provider in PROVIDERS {
        let lowered = lower(schema, provider.dialect);
        let reader = if provider.dialect == Dialect::OpenaiStrict && !lowered.strict {
            &PROVIDERS[0]
        } else {
            provider
        };
        let refusals = reader.refusals(&lowered.schema);
        assert!(
            refusals.is_empty(),
            "{}: {refusals:#?}\n{schema:#}",
            provider.dialect
        );
        let size = lowered.schema.to_string().len();
        assert!(size < 4_000_000, "{}: {size} bytes", provider.dialect);
    }
}

#[test]
fn references_that_go_nowhere_or_round() {
    check(&json!({ "$ref": "#" }));
    check(
        &json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } }),
    );
    check(
        &json!({ "properties": { "a": { "$ref": "https://example.com/x" }, "b": { "$ref": 7 }, "c": { "$ref": "#nowhere" } } }),
    );
    check(
        &json!({ "type": "object", "properties": { "self": { "$ref": "#", "description": "again" } } }),
    );
    check(
        &json!({ "allOf": [{ "$ref": "#" }], "properties": { "a": { "allOf": [{ "$ref": "#/properties/a" }] } } }),
    );
}

/// Each level names the next one twice: inlined without an end it would be 2^40 nodes.
#[test]
fn inlining_ends() {
    let mut defs = Map::new();
    for level in 0..40 {
        let next = format!("#/$defs/d{}", level + 1);
        let member = json!({ "$ref": next, "description": "one" });
        defs.insert(
            format!("d{level}"),
            json!({ "type": "object", "properties": { "a": member, "b": member } }),
        );
    }
    defs.insert("d40".to_owned(), json!({ "type": "string" }));
    check(
        &json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": defs }),
    );
}

#[test]
fn nesting_ends() {
    let mut schema = json!({ "type": "string" });
    for level in 0..120 {
        schema = match level % 3 {
            0 => json!({ "type": "object", "properties": { "a": schema } }),
            1 => json!({ "type": "array", "items": schema }),
            _ => json!({ "anyOf": [schema, { "type": "null" }] }),
        };
    }
    check(&json!({ "type": "object", "properties": { "a": schema } }));
}

#[test]
fn what_is_no_schema() {
    for odd in [
        json!(null),
        json!(true),
        json!(false),
        json!([]),
        json!("x"),
        json!({}),
    ] {
        check(&odd);
        check(&json!({ "type": "object", "properties": { "a": odd }, "required": ["a"] }));
        for keyword in [
            "type",
            "properties",
            "required",
            "items",
            "anyOf",
            "allOf",
            "oneOf",
            "enum",
            "const",
            "not",
            "if",
            "description",
            "dependentRequired",
            "dependentSchemas",
            "patternProperties",
            "additionalProperties",
            "prefixItems",
            "contains",
            "minLength",
            "format",
            "pattern",
            "default",
            "$defs",
            "propertyNames",
        ] {
            check(&json!({ keyword: odd }));
            check(&json!({ "type": "object", "properties": { "a": { keyword: odd } } }));
            check(
                &json!({ "type": "object", "properties": { "a": { "type": "array", keyword: odd } } }),
            );
            check(
                &json!({ "type": "object", "properties": { "a": { "type": ["string", "null"], keyword: odd } } }),
            );
        }
    }
}

fn schemas() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({ "type": "null" })),
        Just(json!({ "$ref": "#" })),
        Just(json!({ "$ref": "#/properties/a" })),
        Just(json!({ "const": null })),
        Just(json!({ "enum": ["a", null, 1, {}] })),
        Just(json!({ "required": ["a", "b c"] })),
        "[a-z]{1,3}".prop_map(|t| json!({ "type": "string", "const": t, "title": t })),
        (0..9_i64).prop_map(|n| json!({ "type": ["integer", "null"], "minimum": n, "default": n })),
        Just(json!({ "minimum": 1e300, "maxLength": 3 })),
    ];
    leaf.prop_recursive(5, 48, 4, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            (prop::sample::select(vec!["anyOf", "oneOf", "allOf", "prefixItems"]), list.clone())
                .prop_map(|(k, all)| json!({ k: all })),
            (prop::sample::select(vec!["anyOf", "oneOf", "allOf"]), list, inner.clone()).prop_map(|(k, all, more)| {
                let mut node = more.as_object().cloned().unwrap_or_default();
                node.insert(k.to_owned(), json!(all));
                Value::Object(node)
            }),
            prop::collection::btree_map("[a-c]|b c|1|", inner.clone(), 0..4)
                .prop_map(|p| json!({ "type": "object", "properties": p, "required": ["a"] })),
            (prop::sample::select(vec!["items", "not", "if", "additionalProperties", "contains"]), inner.clone())
                .prop_map(|(k, s)| json!({ k: s })),
            inner.prop_map(|s| json!({ "type": ["array", "object"], "items": s, "dependentSchemas": { "a": s } })),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn any_schema(schema in schemas()) {
        check(&schema);
        check(&json!({ "type": "object", "properties": { "a": schema } }));
    }
}
