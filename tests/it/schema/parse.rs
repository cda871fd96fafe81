//! What generated code calls: bounds, schema, integers spelled as floats, then the type.

use serde::Deserialize;
use serde_json::{Value, json};
use toolcontract_schema::{Formats, ParseError, Schema};

static INPUT: Schema = Schema::new(
    r#"{
        "type": "object",
        "additionalProperties": false,
        "required": ["n"],
        "properties": {
            "n": { "type": "integer", "minimum": 0, "maximum": 20 },
            "when": { "type": "string", "format": "date" },
            "kind": { "type": "string", "enum": ["a"], "x-open": true }
        }
    }"#,
    Formats::Assert,
);

#[derive(Debug, PartialEq, Deserialize)]
struct Input {
    n: i64,
    when: Option<String>,
    kind: Option<String>,
}

#[test]
fn a_value_becomes_typed() {
    let parsed: Input = INPUT.parse(json!({ "n": 20.0, "kind": "b" })).unwrap();
    assert_eq!(
        parsed,
        Input {
            n: 20,
            when: None,
            kind: Some("b".to_owned())
        }
    );
}

#[test]
fn every_fault_is_told() {
    let refused = INPUT
        .parse::<Input>(json!({ "n": 21, "when": "yesterday", "other": 1, "kind": 1 }))
        .unwrap_err();
    let told: Vec<String> = refused
        .violations()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        told,
        [
            "`/kind`: expected string, got integer",
            "`/n`: expected at most 20, got a larger integer",
            "`/other`: expected no such property, got integer",
            "`/when`: expected text of the format `date`, got 9 characters",
        ]
    );
}

fn pointers(schema: &Schema, value: &Value) -> Vec<String> {
    match schema.check(value) {
        Ok(()) => Vec::new(),
        Err(e) => e.violations().iter().map(|v| v.pointer.clone()).collect(),
    }
}

#[test]
fn integers_are_safe_unless_the_place_opts_in() {
    static SAFE: Schema = Schema::new("{}", Formats::Assert);
    static DECLARED: Schema = Schema::new("{}", Formats::Annotate);
    static WIDE: Schema = Schema::new("{}", Formats::Assert).with_extensions(
        r##"{
            "$ref": "#/$defs/node",
            "$defs": { "node": {
                "properties": {
                    "id": { "type": "integer", "x-ts": "bigint" },
                    "kids": { "items": { "$ref": "#/$defs/node" } },
                    "either": { "anyOf": [{ "type": "string" }, { "x-ts": "string" }] }
                }
            } }
        }"##,
    );
    let wide = u64::MAX;
    let value = json!({ "id": wide, "kids": [{ "id": wide }], "either": wide });
    assert_eq!(pointers(&SAFE, &value), ["/either", "/id", "/kids/0/id"]);
    assert!(pointers(&DECLARED, &value).is_empty());
    assert!(pointers(&WIDE, &value).is_empty());
    let elsewhere = json!({ "id": wide, "other": wide, "kids": [wide, { "x": 1e300 }] });
    assert_eq!(pointers(&WIDE, &elsewhere), ["/kids/0", "/other"]);
}

#[test]
fn doubles_are_refused_only_where_an_integer_is_wanted() {
    static TYPED: Schema = Schema::new(
        r#"{ "properties": {
            "integer": { "type": ["integer", "null"] },
            "number": { "type": "number" },
            "both": { "anyOf": [{ "type": "integer" }, { "type": "number" }] }
        } }"#,
        Formats::Assert,
    );
    let everywhere = |n: Value| json!({ "integer": n, "number": n, "both": n, "any": n });
    let limit = 1_u64 << 53;
    for double in [json!(limit), json!(-1e20), json!(1e300)] {
        assert_eq!(pointers(&TYPED, &everywhere(double)), ["/integer"]);
    }
    // No double is equal to this one.
    assert_eq!(
        pointers(&TYPED, &everywhere(json!(limit + 1))),
        ["/any", "/both", "/integer", "/number"]
    );
    assert!(pointers(&TYPED, &everywhere(json!(limit - 1))).is_empty());
}

#[test]
fn an_integer_is_judged_in_the_branch_that_holds() {
    static BRANCHES: Schema = Schema::new(
        r#"{
            "properties": { "no_integer": { "not": { "type": "integer" } } },
            "oneOf": [
                { "required": ["a"], "properties": { "n": { "type": "integer" } } },
                { "required": ["b"], "properties": { "n": { "type": "number" } } }
            ]
        }"#,
        Formats::Assert,
    );
    let wide = 1_u64 << 53;
    let told = |value| pointers(&BRANCHES, &value);
    assert_eq!(told(json!({ "a": 1, "n": wide })), ["/n"]);
    assert!(told(json!({ "b": 1, "n": wide })).is_empty());
    assert!(told(json!({ "a": 1, "n": wide - 1 })).is_empty());
    assert_eq!(told(json!({ "b": 1, "no_integer": wide })), ["/no_integer"]);
}

#[test]
fn what_does_not_compile_is_an_error_of_each_call() {
    for text in [
        "",
        "{",
        "[]",
        r#"{"type":"strng"}"#,
        r#"{"$ref":"https://example.com"}"#,
    ] {
        let schema = Schema::new(text, Formats::Assert);
        for _ in 0..2 {
            let error = schema.parse::<Value>(json!({})).unwrap_err();
            assert!(matches!(error, ParseError::Schema(_)), "{text}: {error}");
            assert!(error.violations().is_empty());
        }
    }
}

#[test]
fn a_type_that_disagrees_with_its_schema_tells_no_value() {
    static LOOSE: Schema = Schema::new("{}", Formats::Assert);
    let error = LOOSE.parse::<Input>(json!({ "n": "secret" })).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the generated type does not take a value that its schema accepts: invalid type"
    );
}

#[test]
fn values_that_nest_too_deep_are_refused() {
    static ANY: Schema = Schema::new("{}", Formats::Annotate);
    let mut value = json!(1);
    for _ in 0..65 {
        value = json!([value]);
    }
    let error = ANY.parse::<Value>(value).unwrap_err();
    assert_eq!(error.violations()[0].keyword, "bounds");
}

#[test]
fn a_place_that_is_a_number_and_an_integer_wants_an_integer() {
    static BOTH: Schema = Schema::new(
        r#"{ "allOf": [{ "type": "number" }, { "type": "integer" }] }"#,
        Formats::Assert,
    );
    static EITHER: Schema = Schema::new(
        r#"{ "anyOf": [{ "type": "number" }, { "type": "integer" }] }"#,
        Formats::Assert,
    );
    let wide = json!(9_007_199_254_740_992_u64);
    assert!(BOTH.check(&wide).is_err());
    assert!(BOTH.check(&json!(9_007_199_254_740_991_u64)).is_ok());
    assert!(EITHER.check(&wide).is_ok());
}
