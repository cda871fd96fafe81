//! Takes the keywords of ours out of a schema before it leaves the manifests.
//!
//! What they say about values is said in plain JSON Schema instead, so that every validator
//! agrees: an enum with `x-open` becomes a union of its values with the whole type.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::{
    vocabulary::{EXTENSIONS, OPEN},
    walk::{each, walk_mut},
};

/// `schema` without our `x-` keywords; `x-open` enums are opened. Stripping twice changes nothing.
#[must_use]
pub fn strip(schema: &Value) -> Value {
    stripped(schema).into_owned()
}

/// The same, without a copy of a schema that holds none of our keywords.
#[must_use]
pub fn stripped(schema: &Value) -> Cow<'_, Value> {
    if !has_extension(schema) {
        return Cow::Borrowed(schema);
    }
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
    Cow::Owned(stripped)
}

/// Whether some subschema holds a keyword of ours.
fn has_extension(schema: &Value) -> bool {
    let mut found = false;
    each(schema, &mut |node| {
        let has = |name: &str| node.get(name).is_some();
        found = found || EXTENSIONS.iter().any(|extension| has(extension.name));
    });
    found
}

/// `schema` without our `x-` keywords, and without what they would mean: in a schema of others they
/// are somebody else's words.
#[must_use]
pub fn forget(schema: &Value) -> Value {
    let mut plain = schema.clone();
    walk_mut(&mut plain, &mut |node| {
        if let Value::Object(map) = node {
            for extension in EXTENSIONS {
                map.shift_remove(extension.name);
            }
        }
    });
    plain
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_keywords_go_where_they_are_keywords() {
        let schema = json!({
            "properties": {
                "x-ts": { "type": "integer", "x-ts": "bigint", "x-foreign": 1 },
                "x-open": { "const": { "x-open": true } }
            },
            "default": { "x-ts": "string" }
        });
        assert_eq!(
            strip(&schema),
            json!({
                "properties": {
                    "x-ts": { "type": "integer", "x-foreign": 1 },
                    "x-open": { "const": { "x-open": true } }
                },
                "default": { "x-ts": "string" }
            })
        );
    }

    #[test]
    fn words_of_others_mean_nothing() {
        let theirs = json!({ "type": "string", "enum": ["a"], "x-open": true });
        assert_eq!(forget(&theirs), json!({ "type": "string", "enum": ["a"] }));
    }

    #[test]
    fn open_enums_become_unions() {
        let opened = |schema| strip(&schema).to_string();
        assert_eq!(
            opened(json!({ "type": "string", "enum": ["a"], "x-open": true, "title": "t" })),
            r#"{"type":"string","anyOf":[{"enum":["a"]},{"type":"string"}],"title":"t"}"#
        );
        assert_eq!(
            opened(json!({ "enum": ["a", null, 1], "x-open": true })),
            r#"{"anyOf":[{"enum":["a",null,1]},{"type":["string","null","number"]}]}"#
        );
        assert_eq!(
            opened(json!({ "enum": ["a"], "x-open": true, "anyOf": [{}], "allOf": [true] })),
            r#"{"allOf":[true,{"anyOf":[{"enum":["a"]},{"type":"string"}]}],"anyOf":[{}]}"#
        );
        assert_eq!(
            opened(json!({ "enum": ["a"], "x-open": false })),
            r#"{"enum":["a"]}"#
        );
    }
}
