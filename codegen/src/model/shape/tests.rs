//! Shapes of small schemas, each drawn on one line: `?` for optional, `| null` for nullable,
//! `..` for other members or items, `&` for a reference.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolcontract_schema::Normal;

use super::{Numbers, Shape, Shapes, UnionKind, shape};

fn shapes(schema: Value, numbers: Numbers) -> Shapes {
    let normal = Normal {
        schema,
        shared: BTreeMap::new(),
    };
    shape(&normal, numbers)
}

#[expect(clippy::needless_pass_by_value, reason = "keeps the table readable")]
fn check(schema: Value, drawing: &str) {
    let shapes = shapes(schema.clone(), Numbers::Interoperable);
    assert_eq!(draw(&shapes.root), drawing, "{schema}");
}

fn draw(shape: &Shape) -> String {
    match shape {
        Shape::Any => "any".to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::Bool => "bool".to_owned(),
        Shape::Integer(range) if range.min == Some(0) => "uint".to_owned(),
        Shape::Integer(_) => "int".to_owned(),
        Shape::Number { wide: false } => "number".to_owned(),
        Shape::Number { wide: true } => "wide number".to_owned(),
        Shape::String => "string".to_owned(),
        Shape::Enum(listed) => {
            let values: Vec<String> = listed.values.iter().map(|v| v.value.to_string()).collect();
            let open = if listed.open { "|.." } else { "" };
            format!("{}{open}", values.join("|"))
        }
        Shape::Array(item) => format!("[{}..]", draw(item)),
        Shape::Tuple(tuple) => {
            let mut items: Vec<String> = Vec::new();
            for (at, item) in tuple.items.iter().enumerate() {
                let mark = if at < tuple.required { "" } else { "?" };
                items.push(format!("{}{mark}", draw(item)));
            }
            items.extend(tuple.rest.iter().map(|rest| format!("{}..", draw(rest))));
            format!("[{}]", items.join(", "))
        }
        Shape::Object(object) => {
            let mut members: Vec<String> = Vec::new();
            for p in &object.properties {
                let mark = if p.required { "" } else { "?" };
                members.push(format!("{}{mark}: {}", p.name, draw(&p.shape)));
            }
            members.extend(object.rest.iter().map(|rest| format!("..{}", draw(rest))));
            format!("{{{}}}", members.join(", "))
        }
        Shape::Union(union) => {
            let variants: Vec<String> = union
                .variants
                .iter()
                .map(|v| format!("{} {}", v.name, draw(&v.shape)))
                .collect();
            let kind = match &union.kind {
                UnionKind::Tagged(tag) => format!("by {tag}"),
                UnionKind::ByType => "by type".to_owned(),
                UnionKind::Untagged => "untagged".to_owned(),
            };
            format!("({kind}: {})", variants.join(" / "))
        }
        Shape::Nullable(inner) => format!("{} | null", draw(inner)),
        Shape::Ref(reference) => format!("&{}", reference.key().unwrap_or("")),
    }
}

#[test]
fn what_can_be_said_is_said() {
    check(json!(true), "any");
    check(json!({ "description": "x" }), "any");
    check(json!({ "type": "integer", "minimum": 0 }), "uint");
    check(json!({ "type": ["integer", "number"] }), "number");
    check(json!({ "type": ["string", "null"] }), "string | null");
    check(
        json!({ "enum": ["a", null, "b", "a"] }),
        "\"a\"|\"b\" | null",
    );
    check(json!({ "type": "string", "enum": ["a", 1, null] }), "\"a\"");
    check(json!({ "enum": [1, 2.5] }), "1|2.5");
    check(json!({ "enum": [true, false] }), "bool");
    check(json!({ "const": null }), "null");
    check(json!({ "enum": ["a", { "k": 1 }] }), "any");
    check(json!({ "enum": ["a"], "x-open": true }), "\"a\"|..");
    check(
        json!({ "type": ["string", "null"], "enum": ["a"], "x-open": true }),
        "\"a\"|.. | null",
    );
    check(
        json!({ "type": "integer", "enum": [1], "x-open": true }),
        "int",
    );
    check(json!({ "type": "array" }), "[any..]");
    check(
        json!({ "type": "object", "required": ["b"], "properties": { "b": { "type": "null" }, "a": false, "c": {} } }),
        "{b: null, c?: any, ..any}",
    );
    check(
        json!({ "type": "object", "required": ["a"], "additionalProperties": { "type": "boolean" } }),
        "{a: bool, ..bool}",
    );
    check(
        json!({ "type": "object", "patternProperties": { "^a": { "type": "string" } }, "additionalProperties": false }),
        "{..string}",
    );
    check(
        json!({ "type": "array", "prefixItems": [{ "type": "string" }, {}], "minItems": 1, "items": false }),
        "[string, any?]",
    );
}

#[test]
fn what_has_no_type_is_anything() {
    check(
        json!({ "properties": { "a": { "type": "string" } }, "required": ["a"] }),
        "any",
    );
    check(json!({ "minLength": 2 }), "any");
    check(json!({ "not": { "type": "object" } }), "any");
    check(
        json!({ "anyOf": [{ "type": "string" }, { "minimum": 3 }] }),
        "any",
    );
}

#[test]
fn a_conjunction_is_merged_or_one_of_its_parts() {
    check(
        json!({ "allOf": [{ "type": "object", "properties": { "a": { "type": "string" } } }, { "required": ["a", "b"] }] }),
        "{a: string, b: any, ..any}",
    );
    check(
        json!({ "allOf": [
            { "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": false },
            { "type": "object", "properties": { "b": { "type": "string" } }, "additionalProperties": false }
        ] }),
        "{}",
    );
    check(
        json!({ "$ref": "#/$defs/x", "description": "y", "$defs": { "x": { "type": "string" } } }),
        "&x",
    );
    check(
        json!({ "$ref": "#/$defs/x", "type": "object", "properties": { "b": {} }, "unevaluatedProperties": false,
            "$defs": { "x": { "type": "object", "properties": { "a": { "type": "string" } } } } }),
        "{a?: string, b?: any}",
    );
    check(
        json!({ "allOf": [{ "type": "object", "additionalProperties": true }], "properties": { "b": {} }, "unevaluatedProperties": false }),
        "{b?: any, ..any}",
    );
    check(
        json!({ "type": ["object", "null"], "allOf": [{ "properties": { "a": { "type": "string" } } }] }),
        "{a?: string, ..any} | null",
    );
    check(
        json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
            "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
        "{a?: string, b?: string, ..any}",
    );
    check(
        json!({ "type": "string", "anyOf": [{ "enum": ["a"] }, { "minLength": 3 }] }),
        "string",
    );
}

#[test]
fn alternatives_are_told_apart_where_they_can_be() {
    let file = json!({ "type": "object", "properties": { "kind": { "const": "file" }, "path": { "type": "string" } }, "required": ["kind", "path"], "additionalProperties": false });
    let stdin = json!({ "type": "object", "properties": { "kind": { "const": "stdin" } }, "required": ["kind"], "additionalProperties": false });
    check(
        json!({ "oneOf": [file, stdin] }),
        "(by kind: file {path: string} / stdin {})",
    );
    check(json!({ "oneOf": [stdin, stdin] }), "{kind: \"stdin\"}");
    check(
        json!({ "type": "object", "properties": { "id": { "type": "string" } }, "required": ["id", "pet"], "oneOf": [
            { "properties": { "pet": { "const": "cat" }, "lives": { "type": "integer" } } },
            { "properties": { "pet": { "const": "dog" } } }
        ], "unevaluatedProperties": false }),
        "(by pet: cat {id: string, lives?: int} / dog {id: string})",
    );
    check(
        json!({ "type": "object", "oneOf": [{ "required": ["left"] }, { "required": ["right"] }], "properties": { "id": {} } }),
        "(untagged: left {id?: any, left: any, ..any} / right {id?: any, right: any, ..any})",
    );
    check(
        json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }, { "type": "null" }] }),
        "(by type: string string / array [string..]) | null",
    );
    check(
        json!({ "oneOf": [{ "const": "a", "description": "first" }, { "enum": ["b"] }] }),
        "\"a\"|\"b\"",
    );
    check(
        json!({ "anyOf": [{ "enum": ["a"] }, { "type": "string" }] }),
        "\"a\"|..",
    );
    check(
        json!({ "anyOf": [{ "type": "integer" }, { "type": "number" }] }),
        "number",
    );
}

#[test]
fn references_that_go_round_end() {
    check(
        json!({ "allOf": [{ "$ref": "#" }, { "type": "object", "properties": { "a": { "$ref": "#" } } }] }),
        "{a?: &, ..any}",
    );
    let shapes = shapes(
        json!({ "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" },
            "x": { "type": "object", "properties": { "n": { "$ref": "#/$defs/x" } } },
            "y": { "type": "object", "properties": { "n": { "$ref": "#/$defs/y" }, "m": {} } },
            "z": { "allOf": [{ "$ref": "#/$defs/x" }, { "$ref": "#/$defs/y" }] } } }),
        Numbers::Interoperable,
    );
    assert_eq!(shapes.resolve(&shapes.defs["a"]), &Shape::Any);
    assert_eq!(draw(&shapes.defs["z"]), "{n?: &x, m?: any, ..any}");
}

#[test]
fn null_stays_beside_a_reference_to_what_is_being_read() {
    let shapes = shapes(
        json!({ "$defs": { "pair": { "type": "array", "prefixItems": [{ "anyOf": [{ "$ref": "#/$defs/pair" }, { "type": "null" }] }] } } }),
        Numbers::Interoperable,
    );
    assert_eq!(draw(&shapes.defs["pair"]), "[&pair | null?, any..]");
    check(
        json!({ "type": ["object", "null"], "anyOf": [{ "type": "null" }, { "$ref": "#" }] }),
        "& | null",
    );
}

#[test]
fn declared_numbers_are_wide_unless_bounded() {
    let number = |schema| draw(&shapes(schema, Numbers::Arbitrary).root);
    assert_eq!(number(json!({ "type": "number" })), "wide number");
    assert_eq!(
        number(json!({ "type": "number", "minimum": 0, "maximum": 1 })),
        "number"
    );
}

#[test]
fn hostile_nesting_and_fan_out_end() {
    let mut deep = json!({ "type": "string" });
    for _ in 0..120 {
        deep = json!({ "type": "object", "properties": { "a": deep } });
    }
    assert!(draw(&shapes(deep, Numbers::Interoperable).root).contains("any"));

    let mut defs = serde_json::Map::new();
    for level in 0..40 {
        let below = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        defs.insert(
            format!("d{level}"),
            json!({ "allOf": [below, { "type": "object", "properties": { "a": below } }, below] }),
        );
    }
    defs.insert("d40".to_owned(), json!({ "type": "object" }));
    shapes(
        json!({ "$ref": "#/$defs/d0", "$defs": defs }),
        Numbers::Interoperable,
    );
}
