//! Takes the keywords of ours out of a schema before it leaves the manifests.
//!
//! What they say about values is said in plain JSON Schema instead, so that every validator
//! agrees: an enum with `x-open` becomes a union of its values with the whole type.

use serde_json::{Map, Value, json};

use crate::{
    vocabulary::{EXTENSIONS, OPEN},
    walk::walk_mut,
};

/// `schema` without our `x-` keywords; `x-open` enums are opened. Stripping twice changes nothing.
#[must_use]
pub fn strip(schema: &Value) -> Value {
    let mut stripped = schema.clone();
    walk_mut(&mut stripped, &mut |node| {
        if let Value::Object(map) = node {
            if map.get(OPEN) == Some(&Value::Bool(true)) {
                open(map);
            }
            for extension in EXTENSIONS {
                map.shift_remove(extension.name);
            }
        }
    });
    stripped
}

/// Puts the enum into a branch beside the whole type. Without `type`, the types of the values.
fn open(map: &mut Map<String, Value>) {
    let Some(Value::Array(values)) = map.get("enum") else {
        return;
    };
    let whole = map.get("type").cloned().unwrap_or_else(|| types_of(values));
    let union = json!([{ "enum": values }, { "type": whole }]);
    // In the place of the enum, so that the order of the other keywords stays.
    let place = map.keys().position(|key| key == "enum").unwrap_or_default();
    map.shift_remove("enum");
    if map.contains_key("anyOf") {
        let mut all = match map.shift_remove("allOf") {
            Some(Value::Array(all)) => all,
            _ => Vec::new(),
        };
        all.push(json!({ "anyOf": union }));
        map.shift_insert(place.min(map.len()), "allOf".to_owned(), Value::Array(all));
    } else {
        map.shift_insert(place, "anyOf".to_owned(), union);
    }
}

fn types_of(values: &[Value]) -> Value {
    let mut types: Vec<&str> = Vec::new();
    for value in values {
        let name = crate::violation::type_name(value);
        let name = if name == "integer" { "number" } else { name };
        if !types.contains(&name) {
            types.push(name);
        }
    }
    match types.as_slice() {
        [one] => json!(one),
        many => json!(many),
    }
}
