//! The JSON Schemas of what people write, for editors and for the shape check: derived from the
//! structs that read the files, in draft 2020-12, objects closed.
//!
//! They differ from what `schemars` derives where a file differs from a Rust value: a key is
//! left out, never null; integers carry their bounds; descriptions are one paragraph.

use schemars::{JsonSchema, Schema, generate::SchemaSettings, transform::transform_subschemas};
use serde_json::{Map, Value, json};
use toolcontract_protocol::{EventManifest, Manifest};

use crate::{
    kind::{BESIDE_COMMAND, BESIDE_ORIGIN, BUILT_IN},
    project::Project,
};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of a file in `manifests/tools/`, with what only some kinds of tools must state.
#[must_use]
pub fn manifest() -> Value {
    let mut schema = shape::<Manifest>();
    let beside = |keys: &[&str], other: &str| {
        keys.iter()
            .map(|key| ((*key).to_owned(), json!([other])))
            .collect::<Map<String, Value>>()
    };
    let mut dependent = beside(BESIDE_COMMAND, "command");
    dependent.extend(beside(BESIDE_ORIGIN, "origin"));
    if let Some(object) = schema.as_object_mut() {
        object.insert(
            "if".to_owned(),
            json!({ "not": { "anyOf": [{ "required": ["command"] }, { "required": ["origin"] }] } }),
        );
        object.insert("then".to_owned(), json!({ "required": BUILT_IN }));
        object.insert("dependentRequired".to_owned(), Value::Object(dependent));
    }
    schema
}

/// The schema of a file in `manifests/events/`.
#[must_use]
pub fn event() -> Value {
    shape::<EventManifest>()
}

/// The schema of `manifests/toolcontract.toml`.
#[must_use]
pub fn project() -> Value {
    shape::<Project>()
}

/// The schema of a file in `manifests/types/`: any schema that is written as an object.
#[must_use]
pub fn shared_type() -> Value {
    json!({
        "$schema": DRAFT,
        "title": "Shared type",
        "description": "A JSON Schema that others name by `$ref`.",
        "type": "object",
        "$ref": DRAFT,
    })
}

/// The schema of another kind of file, which [`crate::read_as`] reads.
#[must_use]
pub fn of<T: JsonSchema>() -> Value {
    shape::<T>()
}

/// The schema of whatever `T` is read from.
pub(crate) fn shape<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12()
        .with_transform(as_written as fn(&mut Schema))
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

fn as_written(schema: &mut Schema) {
    if let Some(object) = schema.as_object_mut() {
        without_null(object);
        with_bounds(object);
        if let Some(Value::String(text)) = object.get_mut("description") {
            *text = first_paragraph(text);
        }
    }
    transform_subschemas(&mut as_written, schema);
}

/// An optional value is a key that may be left out, so null is taken out of what is allowed.
fn without_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(branches)) = object.get_mut("anyOf") {
        branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(only)] = branches.as_slice() {
            let only = only.clone();
            object.remove("anyOf");
            object.extend(only);
        }
    }
    match object.get_mut("default") {
        Some(Value::Null) => {
            object.remove("default");
        }
        Some(Value::Object(members)) => members.retain(|_, value| !value.is_null()),
        _ => {}
    }
}

/// The widths of Rust integers are no formats of JSON Schema; their bounds say the same.
fn with_bounds(object: &mut Map<String, Value>) {
    let maximum = match object.get("format").and_then(Value::as_str) {
        Some("uint8") => json!(u8::MAX),
        Some("uint16") => json!(u16::MAX),
        Some("uint32") => json!(u32::MAX),
        Some("uint64" | "uint") => json!(u64::MAX),
        _ => return,
    };
    object.shift_remove("format");
    object.entry("maximum").or_insert(maximum);
}

fn first_paragraph(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    paragraph.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> [(&'static str, Value); 4] {
        [
            ("manifest", manifest()),
            ("event", event()),
            ("project", project()),
            ("shared type", shared_type()),
        ]
    }

    fn every_object(value: &Value, visit: &mut dyn FnMut(&Map<String, Value>)) {
        match value {
            Value::Object(map) => {
                visit(map);
                map.values().for_each(|v| every_object(v, visit));
            }
            Value::Array(items) => items.iter().for_each(|v| every_object(v, visit)),
            _ => {}
        }
    }

    #[test]
    fn they_state_their_draft() {
        for (name, schema) in all() {
            assert_eq!(schema["$schema"], DRAFT, "{name}");
        }
    }

    #[test]
    fn nothing_is_nullable_and_every_struct_is_closed() {
        for (name, schema) in all() {
            // In a description the word is fine.
            assert!(!schema.to_string().contains("\"null\""), "{name}");
            every_object(&schema, &mut |object| {
                if object.get("properties").is_some_and(Value::is_object)
                    && object.get("type").is_some_and(|t| t == "object")
                {
                    assert_eq!(
                        object.get("additionalProperties"),
                        Some(&json!(false)),
                        "{object:?}"
                    );
                }
            });
        }
    }

    #[test]
    fn every_key_is_described() {
        for (name, schema) in all() {
            for (key, property) in schema["properties"].as_object().into_iter().flatten() {
                let text = property["description"].as_str().unwrap_or_default();
                assert!(!text.is_empty() && !text.contains('\n'), "{name}: {key}");
            }
        }
    }
}
