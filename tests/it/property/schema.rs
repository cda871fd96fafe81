//! Draws schemas over the supported keywords: scalars with bounds, enums, objects open and closed,
//! maps, arrays, tuples, unions, conditions, references that may be recursive. Sizes are small, so
//! that keywords meet.

use proptest::{collection::vec, option, prelude::*, sample::select, sample::subsequence};
use serde_json::{Map, Value, json};

/// Names that differ only by case or signs, keywords, names that JavaScript or Rust reserve.
const NAMES: &[&str] = &[
    "name",
    "fooBar",
    "foo_bar",
    "type",
    "self",
    "$ref",
    "a-b",
    "1st",
    "a/b",
    "x~y",
    "é",
    "constructor",
    "toString",
    "default",
    "Option",
    "rest",
];

const WORDS: &[&str] = &[
    "GET", "get", "a b", "a_b", "", "1", "<", "<=", "None", "é", "😀",
];

const PATTERNS: &[&str] = &[
    "^[a-z]+$",
    "[0-9]{2,3}",
    "^a|b$",
    "^[^/]*$",
    "^(x|yz)*$",
    "^.{1,3}$",
];

const FORMATS: &[&str] = &[
    "date-time",
    "date",
    "uuid",
    "email",
    "ipv4",
    "uri",
    "no-such-format",
];

/// A schema with the definitions that it may refer to.
pub(super) fn schema() -> BoxedStrategy<Value> {
    (any_schema(), any_schema(), any_schema(), object())
        .prop_map(|(root, a, b, c)| {
            let mut root = match root {
                Value::Object(keywords) => keywords,
                other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
            };
            let text = Value::Object(root.clone()).to_string()
                + &a.to_string()
                + &b.to_string()
                + &c.to_string();
            if text.contains("#/$defs/") {
                root.insert("$defs".to_owned(), json!({ "a": a, "A": b, "node": c }));
            }
            Value::Object(root)
        })
        .boxed()
}

fn any_schema() -> BoxedStrategy<Value> {
    leaf()
        .prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                4 => object_of(inner.clone()),
                2 => array_of(inner.clone()),
                2 => union_of(inner.clone()),
                1 => condition_of(inner.clone()),
                1 => nullable_of(inner),
            ]
        })
        .boxed()
}

fn object() -> BoxedStrategy<Value> {
    object_of(leaf())
}

fn leaf() -> BoxedStrategy<Value> {
    prop_oneof![
        3 => text(),
        3 => integer(),
        2 => number(),
        1 => Just(json!({ "type": "boolean" })),
        1 => Just(json!({ "type": "null" })),
        2 => listed(),
        1 => select(vec![json!(true), json!({})]),
        1 => select(vec![json!({ "const": "a" }), json!({ "const": 1.0 }), json!({ "const": null }), json!({ "const": { "a": [1] } })]),
        2 => select(vec![json!({ "$ref": "#/$defs/a" }), json!({ "$ref": "#/$defs/A" }), json!({ "$ref": "#/$defs/node" }), json!({ "$ref": "#" })]),
    ].boxed()
}

fn text() -> BoxedStrategy<Value> {
    let parts = (
        option::of(0..4_u64),
        option::of(3..9_u64),
        option::weighted(0.3, select(PATTERNS)),
        option::weighted(0.2, select(FORMATS)),
    );
    parts
        .prop_map(|(least, most, pattern, format)| {
            keywords(
                json!({ "type": "string" }),
                [
                    ("minLength", least.map(Value::from)),
                    ("maxLength", most.map(Value::from)),
                    ("pattern", pattern.map(Value::from)),
                    ("format", format.map(Value::from)),
                ],
            )
        })
        .boxed()
}

fn integer() -> BoxedStrategy<Value> {
    let parts = (
        option::of(-300..5_i64),
        option::of(5..70_000_i64),
        option::weighted(0.2, 1..6_i64),
        option::weighted(0.2, Just(5)),
    );
    parts
        .prop_map(|(least, most, multiple, default)| {
            keywords(
                json!({ "type": "integer" }),
                [
                    ("minimum", least.map(Value::from)),
                    ("maximum", most.map(Value::from)),
                    ("multipleOf", multiple.map(Value::from)),
                    ("default", default.map(Value::from)),
                ],
            )
        })
        .boxed()
}

fn number() -> BoxedStrategy<Value> {
    let parts = (
        option::of(-2.0..2.0_f64),
        option::of(2..9_i64),
        option::weighted(0.2, select(vec![0.5, 0.1, 2.0])),
    );
    parts
        .prop_map(|(least, most, multiple)| {
            keywords(
                json!({ "type": "number" }),
                [
                    (
                        "exclusiveMinimum",
                        least.map(|n| json!((n * 10.0).round() / 10.0)),
                    ),
                    ("exclusiveMaximum", most.map(Value::from)),
                    ("multipleOf", multiple.map(Value::from)),
                ],
            )
        })
        .boxed()
}

fn listed() -> BoxedStrategy<Value> {
    prop_oneof![
        subsequence(WORDS, 1..6).prop_map(|words| json!({ "type": "string", "enum": words })),
        subsequence(vec![json!(1), json!(2.5), json!(-3)], 1..3)
            .prop_map(|values| json!({ "enum": values })),
        subsequence(
            vec![json!("a"), json!(1), json!(null), json!(true), json!(["a"])],
            1..5
        )
        .prop_map(|values| json!({ "enum": values })),
    ]
    .boxed()
}

fn object_of(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let members = vec((select(NAMES), inner.clone(), any::<bool>()), 0..5);
    let others = prop_oneof![
        3 => Just(None),
        3 => Just(Some(json!(false))),
        1 => Just(Some(json!(true))),
        2 => inner.clone().prop_map(Some),
    ];
    let rules = (
        option::weighted(0.15, (select(PATTERNS), inner)),
        option::weighted(0.1, 0..3_u64),
        option::weighted(0.1, 2..5_u64),
        option::weighted(0.1, Just(json!({ "maxLength": 8 }))),
        option::weighted(0.15, (select(NAMES), select(NAMES))),
    );
    (members, others, rules)
        .prop_map(
            |(members, others, (patterned, least, most, names, needs))| {
                let required: Vec<&str> = members
                    .iter()
                    .filter(|(_, _, r)| *r)
                    .map(|(n, ..)| *n)
                    .collect();
                let mut required: Vec<Value> = required.into_iter().map(Value::from).collect();
                required.sort_by_key(Value::to_string);
                required.dedup();
                let properties: Map<String, Value> = members
                    .into_iter()
                    .map(|(name, schema, _)| (name.to_owned(), schema))
                    .collect();
                keywords(
                    json!({ "type": "object", "properties": properties }),
                    [
                        ("required", (!required.is_empty()).then(|| required.into())),
                        ("additionalProperties", others),
                        (
                            "patternProperties",
                            patterned.map(|(pattern, schema)| json!({ pattern: schema })),
                        ),
                        ("minProperties", least.map(Value::from)),
                        ("maxProperties", most.map(Value::from)),
                        ("propertyNames", names),
                        (
                            "dependentRequired",
                            needs.map(|(name, need)| json!({ name: [need] })),
                        ),
                    ],
                )
            },
        )
        .boxed()
}

fn array_of(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let parts = (
        option::of(inner.clone()),
        option::weighted(0.3, vec(inner.clone(), 1..4)),
        option::weighted(0.3, 0..3_u64),
        option::weighted(0.3, 2..5_u64),
        option::weighted(0.2, Just(json!(true))),
        option::weighted(0.1, inner),
    );
    parts
        .prop_map(|(items, prefix, least, most, unique, contains)| {
            keywords(
                json!({ "type": "array" }),
                [
                    ("items", items),
                    ("prefixItems", prefix.map(Value::from)),
                    ("minItems", least.map(Value::from)),
                    ("maxItems", most.map(Value::from)),
                    ("uniqueItems", unique),
                    ("contains", contains),
                ],
            )
        })
        .boxed()
}

fn union_of(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let tagged = vec(object_of(inner.clone()), 2..4).prop_map(|branches| {
        let branches: Vec<Value> = branches
            .into_iter()
            .zip(["a", "b_c", "bC"])
            .map(|(mut branch, tag)| {
                branch["properties"]["kind"] = json!({ "const": tag });
                branch["required"] = json!(["kind"]);
                branch
            })
            .collect();
        json!({ "oneOf": branches })
    });
    prop_oneof![
        (select(&["anyOf", "oneOf"][..]), vec(inner.clone(), 1..4))
            .prop_map(|(word, all)| json!({ word: all })),
        vec(inner, 1..3).prop_map(|all| json!({ "allOf": all })),
        tagged,
    ]
    .boxed()
}

fn condition_of(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop_oneof![
        (inner.clone(), inner.clone(), inner.clone()).prop_map(
            |(condition, then, other)| json!({ "if": condition, "then": then, "else": other })
        ),
        (inner.clone(), leaf())
            .prop_map(|(schema, refused)| json!({ "allOf": [schema], "not": refused })),
    ]
    .boxed()
}

fn nullable_of(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop_oneof![
        inner.prop_map(|schema| json!({ "anyOf": [schema, { "type": "null" }] })),
        select(vec!["string", "integer", "object", "array"])
            .prop_map(|word| json!({ "type": [word, "null"] })),
    ]
    .boxed()
}

fn keywords<const N: usize>(mut schema: Value, more: [(&str, Option<Value>); N]) -> Value {
    for (keyword, value) in more {
        if let (Some(value), Value::Object(keywords)) = (value, &mut schema) {
            keywords.insert(keyword.to_owned(), value);
        }
    }
    schema
}
