//! From a violation to what a person should read: the validator says which place and which
//! keyword, the schema and the tree say the rest.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

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

/// A file whose violations are to be explained.
pub(super) struct File<'a> {
    shape: &'a Value,
    document: &'a Arc<Document>,
    /// Every value by its pointer: there may be as many violations as values.
    nodes: HashMap<String, &'a Node>,
}

impl<'a> File<'a> {
    pub(super) fn new(shape: &'a Value, document: &'a Arc<Document>) -> Self {
        let mut nodes = HashMap::new();
        index(&document.root, String::new(), &mut nodes);
        Self {
            shape,
            document,
            nodes,
        }
    }

    /// The findings that the violations are worth. What an object lacks, or has too much, is
    /// told once for all violations that say it.
    pub(super) fn explain(&self, violations: &[Violation]) -> Vec<Diagnostic> {
        let mut told = BTreeSet::new();
        violations
            .iter()
            .filter(|v| told.insert((place_of(v), v.keyword.as_str())))
            .flat_map(|violation| self.explain_one(violation))
            .collect()
    }

    fn explain_one(&self, violation: &Violation) -> Vec<Diagnostic> {
        let pointer = place_of(violation);
        let schema = locate::at(self.shape, pointer);
        let (Some(schema), Some(node)) = (schema, self.nodes.get(pointer)) else {
            return vec![self.other(violation)];
        };
        let place = Place {
            shape: self.shape,
            document: self.document,
            pointer,
            schema,
            node,
        };
        let found = match violation.keyword.as_str() {
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
            vec![self.other(violation)]
        } else {
            found
        }
    }

    fn other(&self, violation: &Violation) -> Diagnostic {
        let pointer = violation.pointer.as_str();
        fault::invalid_value(
            self.document,
            self.document.span(pointer),
            &name(pointer),
            &format!("expected {}, found {}", violation.expected, violation.got),
        )
    }
}

/// Where a violation is explained: a key that should not be there is at fault, but what says so
/// is the object around it.
fn place_of(violation: &Violation) -> &str {
    match (
        violation.keyword.as_str(),
        violation.pointer.rsplit_once('/'),
    ) {
        ("additionalProperties" | "propertyNames", Some((around, _))) => around,
        _ => &violation.pointer,
    }
}

/// Adds a value and all inside it. Bounded by the nesting of a file.
fn index<'a>(node: &'a Node, pointer: String, nodes: &mut HashMap<String, &'a Node>) {
    match &node.value {
        NodeValue::Object(members) => members
            .iter()
            .for_each(|m| index(&m.node, join(&pointer, &m.key), nodes)),
        NodeValue::Array(items) => {
            for (position, item) in items.iter().enumerate() {
                index(item, join(&pointer, &position.to_string()), nodes);
            }
        }
        NodeValue::Null | NodeValue::Bool(_) | NodeValue::Number(_) | NodeValue::String(_) => {}
    }
    nodes.insert(pointer, node);
}

/// One place of a file, with what its kind says about it.
pub(super) struct Place<'a> {
    pub(super) shape: &'a Value,
    pub(super) document: &'a Arc<Document>,
    pub(super) pointer: &'a str,
    pub(super) schema: &'a Value,
    pub(super) node: &'a Node,
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
    pub(super) fn mismatch(&self) -> Vec<Diagnostic> {
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
