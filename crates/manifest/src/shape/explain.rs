//! From a violation to what a person should read: the validator says which place and which
//! keyword, the schema and the tree say the rest.

use std::sync::Arc;

use serde_json::Value;
use toolcontract_schema::{
    Violation,
    pointer::{join, tokens},
};

use super::{locate, start_of};
use crate::{
    diagnostic::Diagnostic,
    document::{Document, Node, NodeValue},
    fault::{self, quote},
    parse::Syntax,
};

/// The findings that one violation is worth.
pub(super) fn explain(
    shape: &Value,
    document: &Arc<Document>,
    violation: &Violation,
) -> Vec<Diagnostic> {
    let keyword = violation.keyword.as_str();
    // A key that should not be there is at fault, but what says so is the object around it.
    let pointer = match (keyword, violation.pointer.rsplit_once('/')) {
        ("additionalProperties" | "propertyNames", Some((around, _))) => around,
        _ => violation.pointer.as_str(),
    };
    let schema = locate::at(shape, pointer);
    let (Some(schema), Some(node)) = (schema, document.node(pointer)) else {
        return vec![other(document, violation)];
    };
    let place = Place {
        shape,
        document,
        pointer,
        schema,
        node,
    };
    let found = match keyword {
        _ if locate::is_union(schema) => place.mismatch(),
        "additionalProperties" => place.unknown_keys(&locate::keys(schema).collect::<Vec<_>>()),
        "propertyNames" => place.unknown_keys(&locate::names(schema).collect::<Vec<_>>()),
        "required" => place.missing_keys(),
        "type" | "enum" | "const" => place.mismatch(),
        "minimum" | "maximum" => vec![place.out_of_range()],
        "minItems" => vec![place.too_few()],
        _ => Vec::new(),
    };
    if found.is_empty() {
        vec![other(document, violation)]
    } else {
        found
    }
}

/// The integers that are spelled as floats: `1.0` is an integer in JSON Schema, so the validator
/// lets it through, and none in a manifest. Bounded by the nesting of a file.
pub(super) fn floats(shape: &Value, document: &Arc<Document>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if let Some(schema) = locate::at(shape, "") {
        floats_in(shape, schema, document, &document.root, "", &mut found);
    }
    found
}

fn floats_in(
    shape: &Value,
    schema: &Value,
    document: &Arc<Document>,
    node: &Node,
    pointer: &str,
    found: &mut Vec<Diagnostic>,
) {
    let mut child = |token: &str, node: &Node| {
        if let Some(schema) = locate::under(shape, schema, token) {
            floats_in(shape, schema, document, node, &join(pointer, token), found);
        }
    };
    match &node.value {
        NodeValue::Object(members) => members.iter().for_each(|m| child(&m.key, &m.node)),
        NodeValue::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, node)| child(&index.to_string(), node));
        }
        NodeValue::Number(number) if number.is_f64() => {
            if locate::types(schema).any(|name| name == "integer") {
                let place = Place {
                    shape,
                    document,
                    pointer,
                    schema,
                    node,
                };
                found.extend(place.mismatch());
            }
        }
        NodeValue::Null | NodeValue::Bool(_) | NodeValue::Number(_) | NodeValue::String(_) => {}
    }
}

fn other(document: &Arc<Document>, violation: &Violation) -> Diagnostic {
    let pointer = violation.pointer.as_str();
    fault::invalid_value(
        document,
        document.span(pointer),
        &name(pointer),
        &format!("expected {}, found {}", violation.expected, violation.got),
    )
}

/// One place of a file, with what its kind says about it.
struct Place<'a> {
    shape: &'a Value,
    document: &'a Arc<Document>,
    pointer: &'a str,
    schema: &'a Value,
    node: &'a Node,
}

impl Place<'_> {
    fn unknown_keys(&self, known: &[&str]) -> Vec<Diagnostic> {
        let members = self.node.members().iter();
        members
            .filter(|m| !known.contains(&m.key.as_str()))
            .map(|m| fault::unknown_key(self.document, m.key_span.clone(), &m.key, known))
            .collect()
    }

    fn missing_keys(&self) -> Vec<Diagnostic> {
        locate::required(self.schema)
            .filter(|key| self.node.member(key).is_none())
            .map(|key| {
                let about = locate::about(self.schema, key);
                fault::missing_key(self.document, start_of(self.node), key, about)
            })
            .collect()
    }

    /// The value is none of those that the schema, or any branch of it, takes.
    fn mismatch(&self) -> Vec<Diagnostic> {
        let branches = locate::branches(self.shape, self.schema);
        let words: Vec<&str> = branches.iter().flat_map(|b| locate::words(b)).collect();
        let types: Vec<&str> = branches.iter().flat_map(|b| locate::types(b)).collect();
        let (span, what) = (self.node.span.clone(), name(self.pointer));
        match &self.node.value {
            NodeValue::String(token) if !words.is_empty() => {
                let tables: Vec<&str> = branches.iter().flat_map(|b| locate::keys(b)).collect();
                let found = fault::unknown_token(self.document, span, &what, token, &words);
                vec![match found.help.clone() {
                    Some(help) if !tables.is_empty() => {
                        let tables = fault::alternatives(tables);
                        found.help(format!("{help}, or a table with {tables}"))
                    }
                    _ => found,
                }]
            }
            value if !types.iter().any(|name| is(value, name)) => {
                let syntax = Syntax::of_path(&self.document.path);
                let expected = expected(&types, syntax);
                let got = word(type_of(value), syntax);
                vec![fault::wrong_type(
                    self.document,
                    span,
                    &what,
                    &expected,
                    got,
                )]
            }
            NodeValue::Object(_) => {
                let known: Vec<&str> = branches.iter().flat_map(|b| locate::keys(b)).collect();
                let unknown = self.unknown_keys(&known);
                if unknown.is_empty() {
                    let all = fault::alternatives(known);
                    let reason = format!("it takes exactly one of {all}");
                    vec![fault::invalid_value(self.document, span, &what, &reason)]
                } else {
                    unknown
                }
            }
            _ => Vec::new(),
        }
    }

    fn too_few(&self) -> Diagnostic {
        let least = self.schema.get("minItems").and_then(Value::as_u64);
        let reason = match least {
            Some(1) | None => "it holds nothing".to_owned(),
            Some(least) => format!("it holds fewer than {least} items"),
        };
        let span = self.node.span.clone();
        fault::invalid_value(self.document, span, &name(self.pointer), &reason)
    }

    fn out_of_range(&self) -> Diagnostic {
        let bound = |keyword: &str| self.schema.get(keyword).map(Value::to_string);
        let bounds = match (bound("minimum"), bound("maximum")) {
            (Some(least), Some(most)) => format!("between {least} and {most}"),
            (Some(least), None) => format!("at least {least}"),
            (None, Some(most)) => format!("at most {most}"),
            (None, None) => "smaller or larger".to_owned(),
        };
        let span = self.node.span.clone();
        fault::number_out_of_range(self.document, span, &name(self.pointer), &bounds)
    }
}

/// What a place is called in a sentence.
pub(crate) fn name(pointer: &str) -> String {
    let mut path = tokens(pointer).unwrap_or_default();
    let Some(last) = path.pop() else {
        return "the file".to_owned();
    };
    match (last.parse::<usize>(), path.last()) {
        (Ok(index), Some(list)) => format!("item {} of {}", index + 1, quote(list)),
        _ => quote(&last),
    }
}

fn type_of(value: &NodeValue) -> &'static str {
    match value {
        NodeValue::Null => "null",
        NodeValue::Bool(_) => "boolean",
        NodeValue::Number(n) if n.is_f64() => "number",
        NodeValue::Number(_) => "integer",
        NodeValue::String(_) => "string",
        NodeValue::Array(_) => "array",
        NodeValue::Object(_) => "object",
    }
}

fn is(value: &NodeValue, name: &str) -> bool {
    let own = type_of(value);
    own == name || (own == "integer" && name == "number")
}

/// A JSON type as a phrase; TOML calls an object a table.
fn word(name: &str, syntax: Option<Syntax>) -> &'static str {
    match (name, syntax) {
        ("boolean", _) => "a boolean",
        ("number", _) => "a number",
        ("integer", _) => "an integer",
        ("string", _) => "a string",
        ("array", _) => "an array",
        ("object", Some(Syntax::Toml)) => "a table",
        ("object", _) => "an object",
        _ => "null",
    }
}

fn expected(types: &[&str], syntax: Option<Syntax>) -> String {
    let mut words: Vec<&str> = Vec::new();
    for name in types.iter().map(|name| word(name, syntax)) {
        if !words.contains(&name) {
            words.push(name);
        }
    }
    words.join(" or ")
}
