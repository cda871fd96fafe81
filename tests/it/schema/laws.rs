//! Laws that hold for every schema and every value.

use std::collections::BTreeMap;

use proptest::{collection::vec, prelude::*, sample::select, test_runner::RngSeed};
use serde_json::{Map, Value, json};
use toolcontract_schema::{
    Formats, Validator,
    bounds::{Limits, Numbers, read},
    bundle::{Bundle, bundle},
    digest::digest,
    integral,
    normal::normalize,
    strip,
};

/// Names that differ, and names that only seem to.
const NAMES: &[&str] = &["a", "b", "$ref", "properties", "a/b", "x~y", "é"];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..4).prop_map(Value::from),
        select(vec![1.0, -2.0, 0.5, 1e300]).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        select(NAMES).prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((select(NAMES), inner), 0..4).prop_map(object),
        ]
    })
}

fn object(members: Vec<(&str, Value)>) -> Value {
    members
        .into_iter()
        .map(|(name, member)| (name.to_owned(), member))
        .collect::<Map<_, _>>()
        .into()
}

/// Schemas with references that mostly lead somewhere.
fn schema() -> impl Strategy<Value = Value> {
    let reference = select(vec![
        "#",
        "#/$defs/a",
        "#/$defs/b%20c",
        "#/properties/a",
        "#/properties/a%7E1b",
        "#/$defs/a/items",
        "#here",
    ]);
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        select(vec![
            "string", "integer", "number", "object", "array", "null"
        ])
        .prop_map(|name| json!({ "type": name })),
        value().prop_map(|value| json!({ "const": value })),
        vec(value(), 1..4).prop_map(|values| json!({ "enum": values, "x-open": true })),
        (0..3_u64).prop_map(|n| json!({ "minLength": n, "maxItems": n, "minProperties": n })),
        (-2..3_i64).prop_map(|n| json!({ "minimum": n, "x-ts": "bigint", "x-other": n })),
        reference.prop_map(|to| json!({ "$ref": to })),
    ];
    let nested = leaf.prop_recursive(3, 24, 4, |inner| {
        let one = select(vec![
            "items",
            "not",
            "contains",
            "additionalProperties",
            "if",
            "then",
        ]);
        let many = select(vec!["allOf", "anyOf", "oneOf", "prefixItems"]);
        let map = select(vec!["properties", "dependentSchemas", "patternProperties"]);
        prop_oneof![
            (one, inner.clone()).prop_map(|(key, schema)| json!({ key: schema })),
            (many, vec(inner.clone(), 1..3)).prop_map(|(key, schemas)| json!({ key: schemas })),
            (
                map,
                vec((select(&["a", "b", "a/b"][..]), inner.clone()), 1..3)
            )
                .prop_map(|(key, members)| json!({ key: object(members) })),
            vec(inner, 1..4).prop_map(merged),
        ]
    });
    (vec(nested.clone(), 1..4), nested.clone(), nested).prop_map(|(root, a, b)| {
        let mut root = merged(root);
        root["$defs"] =
            json!({ "a": a, "b c": b, "anchored": { "$anchor": "here", "items": true } });
        root
    })
}

/// Schemas of draft 4 to 2019-09, as those spell them. No `integer`: draft 4 reads it otherwise.
fn old_schema() -> impl Strategy<Value = Value> {
    let reference = select(vec!["#", "#/definitions/a", "#/definitions/b", "#/items/0"]);
    let leaf = prop_oneof![
        select(vec!["string", "number", "object", "array", "null"])
            .prop_map(|name| json!({ "type": name })),
        vec(value(), 1..4).prop_map(|values| json!({ "enum": values })),
        value().prop_map(|value| json!({ "const": value })),
        (-2..3_i64, any::<bool>())
            .prop_map(|(n, flag)| json!({ "minimum": n, "exclusiveMinimum": flag })),
        (-2..3_i64).prop_map(|n| json!({ "exclusiveMaximum": n })),
        (reference, 0..3_u64).prop_map(|(to, n)| json!({ "$ref": to, "minLength": n })),
        Just(json!({ "prefixItems": [false], "unevaluatedProperties": false, "minContains": 0 })),
        Just(json!({ "dependencies": { "a": ["b"] }, "dependentRequired": { "b": ["a"] } })),
    ];
    let nested = leaf.prop_recursive(3, 24, 4, |inner| {
        let one = select(vec![
            "items",
            "not",
            "additionalItems",
            "additionalProperties",
            "if",
            "else",
        ]);
        let many = select(vec!["allOf", "anyOf", "items", "items", "oneOf"]);
        let map = select(vec!["properties", "dependencies", "patternProperties"]);
        prop_oneof![
            (one, inner.clone()).prop_map(|(key, schema)| json!({ key: schema })),
            (many, vec(inner.clone(), 1..3)).prop_map(|(key, schemas)| json!({ key: schemas })),
            (
                map,
                vec((select(&["a", "b", "a/b"][..]), inner.clone()), 1..3)
            )
                .prop_map(|(key, members)| json!({ key: object(members) })),
            vec(inner, 1..4).prop_map(merged),
        ]
    });
    let dialect = select(vec![
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
    ]);
    (dialect, vec(nested.clone(), 1..4), nested.clone(), nested).prop_map(|(uri, root, a, b)| {
        let mut root = merged(root);
        root["$schema"] = json!(uri);
        root["definitions"] = json!({ "a": a, "b": b });
        root
    })
}

/// One schema with the keywords of all.
fn merged(schemas: Vec<Value>) -> Value {
    let mut all = Map::new();
    for schema in schemas {
        if let Value::Object(map) = schema {
            all.extend(map);
        }
    }
    Value::Object(all)
}

fn shuffled(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(shuffled).collect(),
        Value::Object(members) => members
            .iter()
            .rev()
            .map(|(name, member)| (name.clone(), shuffled(member)))
            .collect::<Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn a_digest_knows_no_order_and_no_spelling(value in value()) {
        let mut respelled = shuffled(&value);
        integral::normalize(&mut respelled);
        prop_assert_eq!(digest(&value).unwrap(), digest(&respelled).unwrap());
        prop_assert_ne!(digest(&value).unwrap(), digest(&json!([value])).unwrap());
    }

    #[test]
    fn reading_gives_back_what_was_written(value in value()) {
        let limits = Limits { numbers: Numbers::Any, ..Limits::default() };
        prop_assert_eq!(read(value.to_string().as_bytes(), &limits), Ok(value));
    }

    #[test]
    fn stripping_is_idempotent_and_touches_no_data(schema in schema()) {
        let once = strip(&schema);
        prop_assert_eq!(&strip(&once), &once);
        prop_assert!(!once.to_string().contains("x-ts"));
        prop_assert_eq!(once.to_string().matches("x-other").count(), schema.to_string().matches("x-other").count());
    }

    #[test]
    fn a_schema_without_files_is_its_own_bundle(schema in schema()) {
        let bundled = bundle(&schema, &BTreeMap::new()).unwrap();
        prop_assert_eq!(bundled.schema, schema);
    }

    #[test]
    fn normal_form_accepts_the_same(schema in prop_oneof![schema(), old_schema()], values in vec(value(), 12)) {
        same_values(schema, &values)?;
    }
}

fn same_values(schema: Value, values: &[Value]) -> Result<(), TestCaseError> {
    let bundle = Bundle {
        schema,
        shared: BTreeMap::new(),
    };
    let Ok(normal) = normalize(&bundle) else {
        return Ok(());
    };
    let again = Bundle {
        schema: normal.schema.clone(),
        shared: BTreeMap::new(),
    };
    prop_assert_eq!(&normalize(&again).unwrap().schema, &normal.schema);
    let compile = |schema: &Value| Validator::compile(&strip(schema), Formats::Annotate);
    let Ok(original) = compile(&bundle.schema) else {
        return Ok(());
    };
    let same = compile(&normal.schema).unwrap();
    for value in values {
        prop_assert_eq!(
            original.is_valid(value),
            same.is_valid(value),
            "{} by {} and {}",
            value,
            bundle.schema,
            normal.schema
        );
        let told = original.validate(value, 4);
        prop_assert_eq!(told.is_ok(), original.is_valid(value));
        if let Err(violations) = told {
            prop_assert!((1..=4).contains(&violations.violations.len()));
        }
    }
    Ok(())
}
