//! What can be said of one node without reading it: its place, its types, its description.

use serde_json::{Map, Value};
use toolcontract_schema::{dialect::words, keyword};

use super::expr::Expr;
use crate::emit::oxagen::ts;

pub(super) type Node = Map<String, Value>;

/// Where a node stands: its path for notes, and how deep.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) path: String,
    pub(super) depth: usize,
}

impl Place {
    pub(super) fn member(&self, name: &str) -> Self {
        Self {
            path: format!("{}.{name}", self.path),
            depth: self.depth + 1,
        }
    }

    pub(super) fn items(&self) -> Self {
        Self {
            path: format!("{}[]", self.path),
            depth: self.depth + 1,
        }
    }

    pub(super) fn same(&self) -> Self {
        Self {
            path: self.path.clone(),
            depth: self.depth + 1,
        }
    }
}

/// The types that a node names without null, and whether it names null.
pub(super) fn types(node: &Node) -> (Vec<String>, bool) {
    let words: Vec<&str> = keyword::types(node.get("type")).collect();
    let mut types: Vec<String> = Vec::new();
    for word in &words {
        // An integer is a number; naming both says no more.
        let covered = *word == "integer" && words.contains(&"number");
        if *word != "null" && !covered && !types.iter().any(|t| t == word) {
            types.push((*word).to_owned());
        }
    }
    (types, words.contains(&"null"))
}

/// The description, with what zod has no place for: a default, and that it goes away.
pub(super) fn describe(expr: Expr, node: &Node) -> Expr {
    let mut text = node
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .trim()
        .to_owned();
    for keyword in ["default", "deprecated"] {
        if let Some(sentence) = words::sentence(keyword, node) {
            if !text.is_empty() {
                text.push_str(if text.ends_with(['.', '!', '?']) {
                    " "
                } else {
                    ". "
                });
            }
            text.push_str(&sentence);
        }
    }
    if text.is_empty() {
        return expr;
    }
    expr.call(format!("describe({})", ts::string(&text)))
}

/// A message for a check of a whole schema; `given` are members that are always there.
pub(super) fn matches(schema: &Value, given: &[&str]) -> String {
    if let Some(clause) = words::condition(schema, given) {
        return format!("Must hold: {clause}.");
    }
    let mut node = schema.as_object().cloned().unwrap_or_default();
    node.entry("required").or_insert_with(|| given.into());
    match words::sentence("if", &node) {
        Some(sentence) if schema.get("required").is_none() => sentence,
        _ => "Not what the contract's schema says.".to_owned(),
    }
}
