//! Visits every subschema of a schema with its place, and nothing that only looks like one
//! (`enum`, `const`, `default`, `examples` and unknown keywords hold data).
//!
//! Knows the keywords of all dialects at once, so a schema need not be valid to be walked.
//! Iterative: nesting costs no stack.

use serde_json::Value;

use crate::{
    pointer::push,
    vocabulary::{Holds, REFERENCES, schemas_under},
};

/// Calls `visit` with the JSON pointer and the value of each subschema, parents first, in the
/// order of the text.
pub fn walk<'a>(schema: &'a Value, visit: &mut dyn FnMut(&str, &'a Value)) {
    let mut open = vec![(String::new(), schema)];
    while let Some((pointer, node)) = open.pop() {
        visit(&pointer, node);
        let from = open.len();
        children(node, &mut |keyword, token, child| {
            let length = pointer.len() + keyword.len() + token.map_or(1, Token::length) + 2;
            let mut place = String::with_capacity(length);
            place.push_str(&pointer);
            push(&mut place, keyword);
            match token {
                Some(Token::Name(name)) => push(&mut place, name),
                Some(Token::Index(index)) => push(&mut place, &index.to_string()),
                None => {}
            }
            open.push((place, child));
        });
        open.get_mut(from..).unwrap_or_default().reverse();
    }
}

/// Calls `visit` with each subschema, in the order of [`walk`], without its place.
pub fn each<'a>(schema: &'a Value, visit: &mut dyn FnMut(&'a Value)) {
    let mut open = vec![schema];
    while let Some(node) = open.pop() {
        visit(node);
        let from = open.len();
        children(node, &mut |_, _, child| open.push(child));
        open.get_mut(from..).unwrap_or_default().reverse();
    }
}

/// Calls `visit` with each subschema, parents first, in no promised order among siblings.
///
/// What `visit` makes of a schema is walked on, so it may replace or remove parts.
pub fn walk_mut(schema: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    let mut open = vec![schema];
    while let Some(node) = open.pop() {
        visit(node);
        let Value::Object(map) = node else { continue };
        for (key, value) in map.iter_mut() {
            match (schemas_under(key), value) {
                (Some(Holds::Schema), value @ (Value::Object(_) | Value::Bool(_)))
                | (Some(Holds::SchemaOrSchemas), value @ (Value::Object(_) | Value::Bool(_))) => {
                    open.push(value);
                }
                (Some(Holds::Schemas | Holds::SchemaOrSchemas), Value::Array(items)) => {
                    open.extend(items.iter_mut().filter(|v| is_schema(v)));
                }
                (Some(Holds::SchemaMap | Holds::SchemaOrNamesMap), Value::Object(members)) => {
                    open.extend(members.values_mut().filter(|v| is_schema(v)));
                }
                _ => {}
            }
        }
    }
}

/// The place of a schema under a keyword that holds several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// In a list.
    Index(usize),
    /// In a map.
    Name(&'a str),
}

impl Token<'_> {
    /// About how long it is as text.
    fn length(self) -> usize {
        match self {
            Self::Index(_) => 2,
            Self::Name(name) => name.len(),
        }
    }
}

impl std::fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Index(index) => write!(f, "{index}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// Calls `visit` with each schema directly under `node`: its keyword, its place there, itself.
pub fn children<'a>(node: &'a Value, visit: &mut dyn FnMut(&'a str, Option<Token<'a>>, &'a Value)) {
    let Value::Object(map) = node else { return };
    for (key, value) in map {
        match (schemas_under(key), value) {
            (Some(Holds::Schema | Holds::SchemaOrSchemas), Value::Object(_) | Value::Bool(_)) => {
                visit(key, None, value);
            }
            (Some(Holds::Schemas | Holds::SchemaOrSchemas), Value::Array(items)) => {
                for (index, item) in items.iter().enumerate().filter(|(_, v)| is_schema(v)) {
                    visit(key, Some(Token::Index(index)), item);
                }
            }
            (Some(Holds::SchemaMap | Holds::SchemaOrNamesMap), Value::Object(members)) => {
                for (name, member) in members.iter().filter(|(_, v)| is_schema(v)) {
                    visit(key, Some(Token::Name(name)), member);
                }
            }
            _ => {}
        }
    }
}

/// The references that stand directly in `node`, each with its keyword.
pub(crate) fn references(node: &Value) -> impl Iterator<Item = (&'static str, &str)> {
    REFERENCES
        .into_iter()
        .filter_map(|keyword| Some((keyword, node.get(keyword)?.as_str()?)))
}

fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn places(schema: &Value) -> Vec<String> {
        let mut places = Vec::new();
        walk(schema, &mut |pointer, _| places.push(pointer.to_owned()));
        places
    }

    #[test]
    fn walks_by_position_and_not_by_name() {
        let schema = json!({
            "properties": {
                "properties": { "type": "string" },
                "a/b": { "items": [true, { "not": {} }] },
                "enum": { "const": { "items": {} } }
            },
            "dependencies": { "a": ["b"], "c": { "type": "null" } },
            "default": { "properties": { "x": {} } },
            "x-note": { "allOf": [{}] },
            "allOf": [{ "type": "object" }, 7]
        });
        assert_eq!(
            places(&schema),
            [
                "",
                "/properties/properties",
                "/properties/a~1b",
                "/properties/a~1b/items/0",
                "/properties/a~1b/items/1",
                "/properties/a~1b/items/1/not",
                "/properties/enum",
                "/dependencies/c",
                "/allOf/0",
            ]
        );
    }

    #[test]
    fn all_walks_reach_the_same_schemas() {
        let mut schema = json!({
            "$defs": { "a": { "items": { "anyOf": [{}, true] } } },
            "additionalProperties": false,
            "if": {}, "then": { "contains": {} }
        });
        let read = places(&schema).len();
        let mut bare = 0;
        each(&schema, &mut |_| bare += 1);
        let mut written = 0;
        walk_mut(&mut schema, &mut |_| written += 1);
        assert_eq!((read, read), (bare, written));
    }

    #[test]
    fn nesting_costs_no_stack() {
        let mut schema = json!({});
        for _ in 0..200_000 {
            schema = Value::Object([("not".to_owned(), schema)].into_iter().collect());
        }
        let mut seen = 0_u32;
        walk_mut(&mut schema, &mut |_| seen += 1);
        assert_eq!(seen, 200_001);
        // The value itself can only be dropped by recursion.
        std::mem::forget(schema);
    }
}
