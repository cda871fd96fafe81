//! Alternatives: those of shape stay alternatives, those of rule are said.

use serde_json::{Value, json};

use super::{
    Effect,
    context::{Lowering, Node},
    disjoint::disjoint,
    merge,
    narrow_say::Says,
    rules::Null,
};
use crate::{keyword::has_type, pointer::join as below};

/// Keywords that give a value its shape.
const SHAPE: &[&str] = &[
    "$ref",
    "anyOf",
    "const",
    "enum",
    "items",
    "oneOf",
    "prefixItems",
    "properties",
    "type",
];

impl Lowering<'_> {
    /// `oneOf` as `anyOf`; that only one may hold is said where it does not follow from the shapes.
    pub(super) fn exclusive_to_any(&mut self, node: &mut Node, at: &str, says: &mut Says) {
        let Some(one_of) = node.shift_remove("oneOf") else {
            return;
        };
        let branches = one_of.as_array().cloned().unwrap_or_default();
        if node.contains_key("anyOf") || branches.iter().any(|b| !has_shape(b)) {
            return self.say_value("oneOf", one_of, node, at, says);
        }
        if !disjoint(
            &branches
                .iter()
                .filter_map(|b| self.dereferenced(b))
                .collect::<Vec<_>>(),
        ) {
            let sentence = "Exactly one of the alternatives holds.".to_owned();
            self.note(at, "oneOf", Effect::Described, sentence.clone());
            says.sentences.push(sentence);
        }
        node.insert("anyOf".to_owned(), one_of);
    }

    /// The alternatives of a node as a node; none where it has none, or where they are only said.
    pub(super) fn union(
        &mut self,
        node: &mut Node,
        at: &str,
        depth: usize,
        says: &mut Says,
    ) -> Option<Node> {
        let any_of = node.shift_remove("anyOf")?;
        let here = below(at, "anyOf");
        let all = any_of.as_array().cloned().unwrap_or_default();
        let branches: Vec<(usize, Value)> = all
            .into_iter()
            .enumerate()
            .filter(|(_, branch)| !is_null(branch) && !is_impossible(branch))
            .collect();
        says.nullable |= any_of
            .as_array()
            .is_some_and(|all| all.iter().any(is_null) && allows_null(node));
        let rest = rest_of(node);
        let branches = if rest.is_empty() {
            Some(branches)
        } else {
            self.with_rest(&branches, &rest)
        };
        let Some(branches) = branches else {
            self.say_value("anyOf", any_of, node, at, says);
            return None;
        };
        if branches.is_empty() {
            return None;
        }
        let mut shown: Vec<Value> = Vec::new();
        for (i, branch) in branches {
            let lowered = self.narrow(&branch, &below(&here, &i.to_string()), depth + 1);
            let lowered = Value::Object(lowered);
            if !shown.contains(&lowered) {
                shown.push(lowered);
            }
        }
        Some(self.joined_union(shown))
    }

    /// One alternative is no union; a union in a union is one union.
    fn joined_union(&self, shown: Vec<Value>) -> Node {
        let mut flat: Vec<Value> = Vec::new();
        for branch in shown {
            let inner = branch
                .as_object()
                .filter(|b| b.len() == 1)
                .and_then(|b| b.get("anyOf"))
                .and_then(Value::as_array);
            match inner {
                Some(inner) => flat.extend(inner.iter().cloned()),
                None => flat.push(branch),
            }
        }
        match flat.as_slice() {
            [Value::Object(one)] => one.clone(),
            _ => {
                let mut out = Node::new();
                out.insert("anyOf".to_owned(), Value::Array(flat));
                out
            }
        }
    }

    /// Each alternative together with what the node says beside them. None where that has no form,
    /// or where the node has members of its own, which would be repeated in each.
    fn with_rest(&self, branches: &[(usize, Value)], rest: &Node) -> Option<Vec<(usize, Value)>> {
        if rest.contains_key("properties") || branches.iter().any(|(_, b)| !has_shape(b)) {
            return None;
        }
        branches
            .iter()
            .map(|(i, branch)| {
                let branch = self.dereferenced(branch)?;
                Some((*i, Value::Object(merge::both(&branch, rest)?)))
            })
            .collect()
    }

    /// Lets a node be null.
    pub(super) fn make_nullable(&self, out: &mut Node) {
        if self.rules.null == Null::Keyword {
            match out.get_mut("anyOf").and_then(Value::as_array_mut) {
                Some(branches) => {
                    for branch in branches.iter_mut().filter_map(Value::as_object_mut) {
                        branch.insert("nullable".to_owned(), json!(true));
                    }
                }
                None => {
                    out.insert("nullable".to_owned(), json!(true));
                }
            }
            return;
        }
        if accepts_null(out) {
            return;
        }
        if let Some(constant) = out.shift_remove("const") {
            out.insert("enum".to_owned(), json!([constant]));
        }
        if let Some(values) = out.get_mut("enum").and_then(Value::as_array_mut) {
            values.push(Value::Null);
        }
        if let Some(Value::Array(branches)) = out.get_mut("anyOf") {
            branches.push(json!({ "type": "null" }));
        } else if let Some(Value::String(name)) = out.get("type") {
            let both = json!([name, "null"]);
            out.insert("type".to_owned(), both);
        } else if out.contains_key("$ref") {
            let inner = std::mem::take(out);
            out.insert("anyOf".to_owned(), json!([inner, { "type": "null" }]));
        }
    }
}

/// Whether a lowered node accepts null.
pub(super) fn accepts_null(node: &Node) -> bool {
    let typed = has_type(node.get("type"), "null");
    let branch = node
        .get("anyOf")
        .and_then(Value::as_array)
        .is_some_and(|all| all.iter().filter_map(Value::as_object).any(accepts_null));
    typed || branch || node.get("nullable") == Some(&Value::Bool(true))
}

/// What a node says beside its alternatives that narrows them.
fn rest_of(node: &Node) -> Node {
    node.iter()
        .filter(|(keyword, _)| {
            !matches!(
                keyword.as_str(),
                "title"
                    | "description"
                    | "default"
                    | "examples"
                    | "deprecated"
                    | "$comment"
                    | "$schema"
                    | "$id"
                    | "$defs"
                    | "definitions"
                    | "readOnly"
                    | "writeOnly"
                    | "discriminator"
            )
        })
        .map(|(keyword, value)| (keyword.clone(), value.clone()))
        .collect()
}

fn has_shape(branch: &Value) -> bool {
    branch
        .as_object()
        .is_some_and(|b| b.is_empty() || b.keys().any(|k| SHAPE.contains(&k.as_str())))
        || branch == &Value::Bool(true)
}

fn is_null(branch: &Value) -> bool {
    branch
        .get("type")
        .is_some_and(|t| t == "null" || *t == json!(["null"]))
        || branch.get("const").is_some_and(Value::is_null)
        || branch.get("enum").is_some_and(|e| *e == json!([null]))
}

fn is_impossible(branch: &Value) -> bool {
    branch == &Value::Bool(false) || *branch == json!({ "not": {} })
}

/// Whether what stands beside the alternatives lets null through.
fn allows_null(node: &Node) -> bool {
    match node.get("type") {
        None => true,
        Some(Value::String(name)) => name == "null",
        Some(Value::Array(names)) => names.iter().any(|n| n == "null"),
        Some(_) => false,
    }
}
