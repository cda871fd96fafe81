//! What each provider refuses, checked by a reader that shares no code with the lowering.

use serde_json::{Map, Value};
use toolcontract_schema::dialect::Dialect;

/// The rules of one provider.
pub(super) struct Provider {
    pub(super) dialect: Dialect,
    /// The only keywords that it takes; empty: it takes ordinary JSON Schema.
    takes: &'static [&'static str],
    /// Keywords that it refuses at the root.
    root_refuses: &'static [&'static str],
    checks: &'static [Check],
}

type Check = fn(node: &Map<String, Value>, at: &str) -> Option<String>;

pub(super) const PROVIDERS: &[Provider] = &[
    Provider {
        dialect: Dialect::Openai,
        takes: &[],
        root_refuses: &["oneOf", "anyOf", "allOf", "enum", "const", "not"],
        checks: &[lists_say_of_what, nothing_of_ours],
    },
    Provider {
        dialect: Dialect::OpenaiStrict,
        takes: &[
            "type",
            "description",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "enum",
            "const",
            "anyOf",
            "$ref",
            "$defs",
            "pattern",
            "format",
            "multipleOf",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minItems",
            "maxItems",
        ],
        root_refuses: &["anyOf", "enum", "const"],
        checks: &[
            lists_say_of_what,
            closed_and_complete,
            references_stand_alone,
            shaped,
        ],
    },
    Provider {
        dialect: Dialect::Anthropic,
        takes: &[],
        root_refuses: &["oneOf", "anyOf", "allOf"],
        checks: &[nothing_of_ours, small_integers, short_property_names],
    },
    Provider {
        dialect: Dialect::Gemini,
        takes: &[
            "anyOf",
            "default",
            "description",
            "enum",
            "format",
            "items",
            "minimum",
            "maximum",
            "minItems",
            "maxItems",
            "minLength",
            "maxLength",
            "minProperties",
            "maxProperties",
            "nullable",
            "pattern",
            "properties",
            "propertyOrdering",
            "required",
            "title",
            "type",
        ],
        root_refuses: &["anyOf"],
        checks: &[
            lists_say_of_what,
            gemini_types,
            gemini_unions_stand_alone,
            gemini_enums,
            gemini_formats,
            gemini_property_names,
        ],
    },
];

impl Provider {
    /// Everything that the provider would answer with an error.
    pub(super) fn refusals(&self, schema: &Value) -> Vec<String> {
        let mut found = Vec::new();
        let Some(root) = schema.as_object() else {
            return vec!["the root is no object".to_owned()];
        };
        if root.get("type") != Some(&"object".into()) {
            found.push("the root is not `type: object`".to_owned());
        }
        for keyword in self.root_refuses {
            if root.contains_key(*keyword) {
                found.push(format!("`{keyword}` at the root"));
            }
        }
        self.visit(schema, "", &mut found);
        found
    }

    fn visit(&self, schema: &Value, at: &str, found: &mut Vec<String>) {
        let Some(node) = schema.as_object() else {
            if !self.takes.is_empty() {
                found.push(format!("{at}: {schema} is no schema"));
            }
            return;
        };
        for keyword in node.keys() {
            if !self.takes.is_empty() && !self.takes.contains(&keyword.as_str()) {
                found.push(format!("{at}: unknown name `{keyword}`"));
            }
        }
        found.extend(self.checks.iter().filter_map(|check| check(node, at)));
        for (keyword, value) in node {
            let below = format!("{at}/{keyword}");
            match (keyword.as_str(), value) {
                (
                    "properties" | "$defs" | "patternProperties" | "dependentSchemas",
                    Value::Object(map),
                ) => {
                    for (name, schema) in map {
                        self.visit(schema, &format!("{below}/{name}"), found);
                    }
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(items)) => {
                    for (i, schema) in items.iter().enumerate() {
                        self.visit(schema, &format!("{below}/{i}"), found);
                    }
                }
                (
                    "items" | "not" | "if" | "then" | "else" | "contains" | "propertyNames",
                    value,
                )
                | ("additionalProperties", value @ Value::Object(_)) => {
                    self.visit(value, &below, found)
                }
                _ => {}
            }
        }
    }
}

fn is_type(node: &Map<String, Value>, name: &str) -> bool {
    match node.get("type") {
        Some(Value::String(t)) => t == name,
        Some(Value::Array(ts)) => ts.iter().any(|t| t == name),
        _ => false,
    }
}

fn lists_say_of_what(node: &Map<String, Value>, at: &str) -> Option<String> {
    (is_type(node, "array") && !node.contains_key("items"))
        .then(|| format!("{at}: array schema missing items"))
}

fn nothing_of_ours(node: &Map<String, Value>, at: &str) -> Option<String> {
    let odd = node
        .keys()
        .find(|k| k.starts_with("x-") || k.starts_with('\0') || *k == "$schema" || *k == "$id")?;
    Some(format!("{at}: `{odd}`"))
}

fn closed_and_complete(node: &Map<String, Value>, at: &str) -> Option<String> {
    if !is_type(node, "object") {
        return None;
    }
    let names: Vec<&String> = node.get("properties")?.as_object()?.keys().collect();
    let required: Vec<&str> = node
        .get("required")?
        .as_array()?
        .iter()
        .filter_map(Value::as_str)
        .collect();
    if node.get("additionalProperties") != Some(&Value::Bool(false)) {
        return Some(format!(
            "{at}: `additionalProperties` is required to be false"
        ));
    }
    (names != required).then(|| format!("{at}: `required` is required to include every key"))
}

fn references_stand_alone(node: &Map<String, Value>, at: &str) -> Option<String> {
    let reference = node.get("$ref")?.as_str()?;
    if node.len() > 1 {
        return Some(format!("{at}: $ref cannot have keywords beside it"));
    }
    (reference != "#" && !reference.starts_with("#/$defs/")).then(|| format!("{at}: `{reference}`"))
}

fn shaped(node: &Map<String, Value>, at: &str) -> Option<String> {
    let has = ["type", "anyOf", "$ref", "enum", "const"]
        .iter()
        .any(|k| node.contains_key(*k));
    (!has).then(|| format!("{at}: schema must have a `type` key"))
}

fn small_integers(node: &Map<String, Value>, at: &str) -> Option<String> {
    let (keyword, _) = node.iter().find(|(_, v)| {
        v.as_f64()
            .is_some_and(|f| f.abs() > 9_007_199_254_740_991.0)
    })?;
    Some(format!("{at}: int too big in `{keyword}`"))
}

fn short_property_names(node: &Map<String, Value>, at: &str) -> Option<String> {
    property_names(node, at, |name| {
        (1..=64).contains(&name.len())
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
    })
}

fn gemini_property_names(node: &Map<String, Value>, at: &str) -> Option<String> {
    property_names(node, at, |name| {
        (1..=64).contains(&name.len())
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

fn property_names(node: &Map<String, Value>, at: &str, fits: fn(&str) -> bool) -> Option<String> {
    let bad = node
        .get("properties")?
        .as_object()?
        .keys()
        .find(|name| !fits(name))?;
    Some(format!("{at}: property `{bad}`"))
}

fn gemini_types(node: &Map<String, Value>, at: &str) -> Option<String> {
    const TYPES: [&str; 6] = ["string", "number", "integer", "boolean", "array", "object"];
    match node.get("type") {
        Some(Value::String(t)) if TYPES.contains(&t.as_str()) => {}
        None if node.contains_key("anyOf") => {}
        other => return Some(format!("{at}: type {other:?}")),
    }
    let misplaced = |keyword, name| node.contains_key(keyword) && !is_type(node, name);
    if misplaced("properties", "object")
        || misplaced("required", "object")
        || misplaced("items", "array")
    {
        return Some(format!("{at}: only allowed for OBJECT or ARRAY type"));
    }
    if node
        .get("properties")
        .and_then(Value::as_object)
        .is_some_and(Map::is_empty)
    {
        return Some(format!(
            "{at}: properties should be non-empty for OBJECT type"
        ));
    }
    let properties = node.get("properties").and_then(Value::as_object);
    let unknown = node
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .find(|name| properties.is_none_or(|p| !p.contains_key(*name)))?;
    Some(format!(
        "{at}: required property `{unknown}` is not defined"
    ))
}

fn gemini_unions_stand_alone(node: &Map<String, Value>, at: &str) -> Option<String> {
    (node.contains_key("anyOf") && node.len() > 1)
        .then(|| format!("{at}: any_of must be the only field set"))
}

fn gemini_enums(node: &Map<String, Value>, at: &str) -> Option<String> {
    let values = node.get("enum")?.as_array()?;
    let fits = is_type(node, "string") && !values.is_empty() && values.iter().all(Value::is_string);
    (!fits).then(|| format!("{at}: enum only allowed for STRING type"))
}

fn gemini_formats(node: &Map<String, Value>, at: &str) -> Option<String> {
    let format = node.get("format")?.as_str()?;
    let known: &[&str] = match node.get("type")?.as_str()? {
        "string" => &["date-time", "enum"],
        "integer" => &["int32", "int64"],
        "number" => &["float", "double"],
        _ => &[],
    };
    (!known.contains(&format)).then(|| format!("{at}: format `{format}`"))
}

#[test]
fn the_checker_sees_what_providers_refuse() {
    let bad = serde_json::json!({
        "type": "object",
        "anyOf": [],
        "properties": { "1st": { "type": ["array", "null"] }, "n": { "const": 9_223_372_036_854_775_807_u64, "x-ts": "bigint" } },
        "required": ["n"],
    });
    let found: Vec<usize> = PROVIDERS.iter().map(|p| p.refusals(&bad).len()).collect();
    assert_eq!(
        found,
        [3, 4, 3, 8],
        "{:#?}",
        PROVIDERS
            .iter()
            .map(|p| p.refusals(&bad))
            .collect::<Vec<_>>()
    );
}
