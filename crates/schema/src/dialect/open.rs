//! For providers that take ordinary JSON Schema: the schema stays, what they trip over does not.

use serde_json::{Map, Value, json};

use super::{
    Effect,
    context::{Lowering, Node},
    restore::Members,
    root::joined,
    words,
};
use crate::{
    integral::is_wide,
    keyword::has_type,
    pointer::join as below,
    vocabulary::{Holds, schemas_under},
};

/// Keywords that name or locate a schema. References are rewritten, so nothing needs them.
const PLUMBING: &[&str] = &[
    "$anchor",
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "definitions",
];

/// Data keywords of 2020-12 that may stay as they are.
const DATA: &[&str] = &[
    "const",
    "contentEncoding",
    "contentMediaType",
    "default",
    "dependentRequired",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "readOnly",
    "required",
    "title",
    "type",
    "uniqueItems",
    "writeOnly",
];

impl Lowering<'_> {
    /// One node, its keywords kept.
    pub(super) fn open(&mut self, schema: &Value, at: &str, depth: usize) -> Node {
        let source = match schema {
            Value::Object(source) => source,
            Value::Bool(false) => return not_anything(),
            _ => return Node::new(),
        };
        if !self.may_enter(at, depth) {
            return Node::new();
        }
        let mut out = Node::new();
        let mut says = Vec::new();
        for (keyword, value) in source {
            let here = below(at, keyword);
            match keyword.as_str() {
                "$ref" => self.open_reference(value, at, &mut out),
                _ if PLUMBING.contains(&keyword.as_str()) => {}
                _ => match (schemas_under(keyword), value) {
                    (None, value) => self.open_data(keyword, value, at, &mut out, &mut says),
                    (Some(_), Value::Bool(b)) if keyword != "not" => {
                        out.insert(keyword.clone(), Value::Bool(*b));
                    }
                    (Some(Holds::SchemaMap), Value::Object(map)) => {
                        let lowered = self.open_map(keyword, map, &here, depth);
                        out.insert(keyword.clone(), Value::Object(lowered));
                    }
                    (Some(Holds::Schemas), Value::Array(items)) => {
                        let lowered = self.open_list(items, &here, depth);
                        out.insert(keyword.clone(), Value::Array(lowered));
                    }
                    (
                        Some(Holds::Schema | Holds::SchemaOrSchemas),
                        value @ (Value::Object(_) | Value::Bool(_)),
                    ) => {
                        let lowered = self.open(value, &here, depth + 1);
                        out.insert(keyword.clone(), Value::Object(lowered));
                    }
                    (Some(_), _) => {
                        self.note(at, keyword, Effect::Cut, "not in the form of 2020-12")
                    }
                },
            }
        }
        self.complete(&mut out, at.is_empty());
        self.mark_renamed(source, &mut out);
        if !says.is_empty() {
            let text = joined(out.get("description").and_then(Value::as_str), &says);
            out.insert("description".to_owned(), Value::String(text));
        }
        out
    }

    fn open_reference(&mut self, value: &Value, at: &str, out: &mut Node) {
        let target = value.as_str().and_then(|reference| self.target(reference));
        match target {
            Some((_, pointer)) => {
                let reference = self.refer(&pointer);
                out.insert("$ref".to_owned(), Value::String(reference));
            }
            None => self.note(
                at,
                "$ref",
                Effect::Cut,
                "a reference that names nothing here",
            ),
        }
    }

    fn open_list(&mut self, items: &[Value], at: &str, depth: usize) -> Vec<Value> {
        items
            .iter()
            .enumerate()
            .map(|(i, item)| Value::Object(self.open(item, &below(at, &i.to_string()), depth + 1)))
            .collect()
    }

    fn open_map(
        &mut self,
        keyword: &str,
        map: &Map<String, Value>,
        at: &str,
        depth: usize,
    ) -> Node {
        map.iter()
            .map(|(name, schema)| {
                let here = below(at, name);
                let shown = match keyword {
                    "properties" | "dependentSchemas" => self.property(name),
                    _ => name.clone(),
                };
                if shown != *name && keyword == "properties" {
                    self.note(&here, "", Effect::Renamed, format!("shown as `{shown}`"));
                }
                let lowered = self.open(schema, &here, depth + 1);
                (shown, Value::Object(lowered))
            })
            .collect()
    }

    fn open_data(
        &mut self,
        keyword: &str,
        value: &Value,
        at: &str,
        out: &mut Node,
        says: &mut Vec<String>,
    ) {
        if !DATA.contains(&keyword) {
            if keyword.starts_with("$dynamic") || keyword.starts_with("$recursive") {
                self.note(at, keyword, Effect::Cut, "a dynamic reference");
            } else {
                self.note(at, keyword, Effect::Dropped, "no keyword of JSON Schema");
            }
            return;
        }
        let value = match keyword {
            "required" => self.rename_all(value),
            "dependentRequired" => value
                .as_object()
                .map(|map| {
                    map.iter()
                        .map(|(name, needed)| (self.property(name), self.rename_all(needed)))
                        .collect()
                })
                .unwrap_or_else(|| value.clone()),
            _ => value.clone(),
        };
        if self.rules.small_integers && value.as_number().is_some_and(is_wide) {
            let mut alone = Node::new();
            alone.insert(keyword.to_owned(), value);
            if let Some(sentence) = words::sentence(keyword, &alone) {
                self.note(at, keyword, Effect::Described, sentence.clone());
                says.push(sentence);
            }
            return;
        }
        out.insert(keyword.to_owned(), value);
    }

    fn rename_all(&self, names: &Value) -> Value {
        match names {
            Value::Array(names) => names
                .iter()
                .map(|name| {
                    name.as_str()
                        .map_or_else(|| name.clone(), |n| json!(self.property(n)))
                })
                .collect(),
            other => other.clone(),
        }
    }

    /// What providers ask for beyond JSON Schema: lists say of what, and the root names its members.
    fn complete(&mut self, out: &mut Node, is_root: bool) {
        if has_type(out.get("type"), "array") && !out.contains_key("items") {
            out.insert("items".to_owned(), json!({}));
        }
        if is_root && !out.contains_key("properties") {
            out.insert("properties".to_owned(), json!({}));
        }
    }

    /// Remembers which members go by another name.
    pub(super) fn mark_renamed(&self, source: &Node, out: &mut Node) {
        let renamed = source
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::keys)
            .filter_map(|name| Some((self.renamed.get(name)?.clone(), name.clone())))
            .collect();
        Members {
            renamed,
            ..Members::default()
        }
        .mark(out);
    }
}

fn not_anything() -> Node {
    let mut out = Node::new();
    out.insert("not".to_owned(), json!({}));
    out
}
