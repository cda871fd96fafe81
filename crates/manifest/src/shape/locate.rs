//! Finds in the schema of a kind what it says about one place. Knows what `schemars` derives
//! from our structs and no more of JSON Schema.

use serde_json::Value;
use toolcontract_schema::pointer::tokens;

/// The schema that the value at `pointer` meets; none where the kind says nothing about it.
pub(super) fn at<'a>(root: &'a Value, pointer: &str) -> Option<&'a Value> {
    let tokens = tokens(pointer)?;
    tokens
        .iter()
        .try_fold(resolve(root, root), |schema, token| {
            under(root, schema, token)
        })
}

/// The schema that `schema` has for the member or item `token`.
pub(super) fn under<'a>(root: &'a Value, schema: &'a Value, token: &str) -> Option<&'a Value> {
    let named = schema.get("properties").and_then(|p| p.get(token));
    let rest = || schema.get("additionalProperties").or(schema.get("items"));
    named.or_else(rest).map(|found| resolve(root, found))
}

/// Whether a value must meet one schema of several.
pub(super) fn is_union(schema: &Value) -> bool {
    union(schema).is_some()
}

fn union(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("oneOf").or(schema.get("anyOf"))?.as_array()
}

/// The schemas of which a value must meet one: the branches of a union, or the schema alone.
pub(super) fn branches<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    match union(schema) {
        Some(branches) => branches.iter().map(|b| resolve(root, b)).collect(),
        None => vec![schema],
    }
}

/// The names of the properties of an object schema, in the order of the struct.
pub(super) fn keys(schema: &Value) -> impl Iterator<Item = &str> {
    schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(|map| map.keys().map(String::as_str))
}

/// The only names that the members of an object may have, where it is a map of such names.
pub(super) fn names(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("propertyNames").into_iter().flat_map(words)
}

/// The required keys of an object schema.
pub(super) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    strings(schema.get("required"))
}

/// The words that a schema takes, where it takes words only.
pub(super) fn words(schema: &Value) -> impl Iterator<Item = &str> {
    strings(schema.get("enum")).chain(schema.get("const").and_then(Value::as_str))
}

/// The JSON types that a schema takes.
pub(super) fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let one = schema.get("type").and_then(Value::as_str);
    one.into_iter().chain(strings(schema.get("type")))
}

/// What a key states, in one sentence; empty when the schema does not have it.
pub(super) fn about<'a>(schema: &'a Value, key: &str) -> &'a str {
    schema
        .get("properties")
        .and_then(|p| p.get(key)?.get("description")?.as_str())
        .unwrap_or_default()
}

/// The schema itself, or what its `$ref` into the root's `$defs` names. Structs are no chains of
/// references, so one step is enough.
fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| root.pointer(reference.strip_prefix('#')?))
        .unwrap_or(schema)
}

fn strings(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}
