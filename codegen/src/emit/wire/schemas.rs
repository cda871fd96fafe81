//! Schemas of the types that Rust defines: derived, then brought into the form that hosts like.
//!
//! What `Option` means in Rust is "may be absent" here: nothing is ever written as `null` for
//! want of a value, so no schema says that it may be.

use schemars::{Schema, SchemaGenerator, generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::{Map, Value};
use toolcontract_protocol::wire::WIRE_TYPES;
use toolcontract_schema::keyword::names;

use crate::emit::text;

/// The dialect of every schema here.
pub const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// What the banner of a derived schema names as its source.
pub(super) const SOURCE: &str = "the types of `toolcontract-protocol`";

/// The schema of each type of the protocol, self-contained, by name.
pub fn protocol_schemas() -> impl Iterator<Item = (&'static str, Value)> {
    WIRE_TYPES
        .iter()
        .map(|wire| (wire.name, finished((wire.root)(generator()))))
}

/// The definition of every type of the protocol and of what they refer to, by name.
pub(super) fn definitions() -> Map<String, Value> {
    let mut generator = generator();
    for wire in WIRE_TYPES {
        (wire.refer)(&mut generator);
    }
    generator.take_definitions(true)
}

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(tidy))
        .into_generator()
}

fn finished(schema: Schema) -> Value {
    headed(&schema.into(), &text::banner(SOURCE))
}

/// `schema` with its dialect and the banner in front. What it says itself stands.
pub(super) fn headed(schema: &Value, banner: &str) -> Value {
    let mut head = Map::new();
    head.insert("$schema".to_owned(), DIALECT.into());
    head.insert("$comment".to_owned(), banner.into());
    match schema {
        Value::Object(keywords) => head.extend(keywords.clone()),
        Value::Bool(false) => {
            head.insert("not".to_owned(), Value::Object(Map::new()));
        }
        Value::Null | Value::Bool(true) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
        }
    }
    Value::Object(head)
}

/// Undoes what a derive says about Rust rather than about JSON.
fn tidy(schema: &mut Schema) {
    let Some(keywords) = schema.as_object_mut() else {
        return;
    };
    // Widths of integers are no formats of JSON Schema.
    let is_width = |format: &str| format.starts_with("int") || format.starts_with("uint");
    if keywords
        .get("format")
        .and_then(Value::as_str)
        .is_some_and(is_width)
    {
        keywords.shift_remove("format");
    }
    // Doc comments break lines where the source does; only a blank line ends a paragraph.
    if let Some(Value::String(description)) = keywords.get_mut("description") {
        *description = description
            .split("\n\n")
            .map(|paragraph| paragraph.replace('\n', " "))
            .collect::<Vec<_>>()
            .join("\n\n");
    }
    // What a thing is comes before how it is built.
    for keyword in ["description", "title"] {
        if let Some(text) = keywords.shift_remove(keyword) {
            keywords.shift_insert(0, keyword.to_owned(), text);
        }
    }
    let required: Vec<String> = names(keywords.get("required")).map(str::to_owned).collect();
    if let Some(Value::Object(properties)) = keywords.get_mut("properties") {
        for (name, property) in properties {
            if !required.contains(name) {
                without_null(property);
            }
        }
    }
}

/// Takes `null` out of the ways to write an optional property.
fn without_null(property: &mut Value) {
    let Some(keywords) = property.as_object_mut() else {
        return;
    };
    if let Some(Value::Array(types)) = keywords.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            keywords.insert("type".to_owned(), only);
        }
    }
    let Some(Value::Array(ways)) = keywords.get_mut("anyOf") else {
        return;
    };
    ways.retain(|way| way.get("type").is_none_or(|name| name != "null"));
    let [Value::Object(only)] = ways.as_slice() else {
        return;
    };
    let only = only.clone();
    keywords.shift_remove("anyOf");
    for (keyword, value) in only {
        keywords.entry(keyword).or_insert(value);
    }
}
