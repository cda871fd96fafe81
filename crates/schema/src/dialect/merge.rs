//! One node that says what two say together, where there is one.
//!
//! Gives nothing rather than something that is nearly right: whoever asks then shows the second
//! node in words.

use serde_json::{Map, Value, json};

use crate::keyword;

type Node = Map<String, Value>;

/// The node that accepts what both `a` and `b` accept; where both annotate, `a` has the word.
///
/// None where the keywords of 2020-12 offer no such node, or only a much larger one.
#[must_use]
pub(super) fn both(a: &Node, b: &Node) -> Option<Node> {
    if speaks_of_the_rest(a, b) || speaks_of_the_rest(b, a) {
        return None;
    }
    let mut out = a.clone();
    for (keyword, theirs) in b {
        match keyword.as_str() {
            // Their meaning hangs on their neighbours; done below, from both sides.
            "properties" | "required" | "additionalProperties" => {}
            "if" | "then" | "else" if a.contains_key("if") => return None,
            keyword => {
                let merged = match out.get(keyword) {
                    None => theirs.clone(),
                    Some(ours) if ours == theirs => continue,
                    Some(ours) => keyword_of_both(keyword, ours, theirs)?,
                };
                out.insert(keyword.to_owned(), merged);
            }
        }
    }
    members(a, b, &mut out)?;
    Some(out)
}

/// Keywords that speak of what the same node does not mention cannot be moved to another node.
fn speaks_of_the_rest(one: &Node, other: &Node) -> bool {
    let names =
        |node: &Node| node.contains_key("properties") || node.contains_key("patternProperties");
    let lists = |node: &Node| node.contains_key("items") || node.contains_key("prefixItems");
    one.contains_key("unevaluatedProperties")
        || one.contains_key("unevaluatedItems")
        || (one.contains_key("patternProperties") && names(other))
        || (one.contains_key("prefixItems") && lists(other))
        || (one
            .get("additionalProperties")
            .is_some_and(Value::is_object)
            && names(other))
}

fn keyword_of_both(keyword: &str, ours: &Value, theirs: &Value) -> Option<Value> {
    match keyword {
        "type" => types(ours, theirs),
        "enum" => {
            let theirs = theirs.as_array()?;
            let shared: Vec<Value> = ours
                .as_array()?
                .iter()
                .filter(|v| theirs.contains(v))
                .cloned()
                .collect();
            (!shared.is_empty()).then_some(Value::Array(shared))
        }
        "minLength" | "minItems" | "minProperties" | "minimum" | "exclusiveMinimum" => {
            let ours_is_more = ours.as_f64()? >= theirs.as_f64()?;
            Some(if ours_is_more { ours } else { theirs }.clone())
        }
        "maxLength" | "maxItems" | "maxProperties" | "maximum" | "exclusiveMaximum" => {
            let ours_is_less = ours.as_f64()? <= theirs.as_f64()?;
            Some(if ours_is_less { ours } else { theirs }.clone())
        }
        "uniqueItems" => Some(Value::Bool(
            ours == &Value::Bool(true) || theirs == &Value::Bool(true),
        )),
        "items" => Some(json!({ "allOf": [ours, theirs] })),
        "allOf" => {
            let mut all = ours.as_array()?.clone();
            all.extend(theirs.as_array()?.iter().cloned());
            Some(Value::Array(all))
        }
        "title" | "description" | "default" | "examples" | "deprecated" | "readOnly"
        | "writeOnly" | "$comment" => Some(ours.clone()),
        _ => None,
    }
}

/// What both lists of types allow; an `integer` is a `number`.
fn types(ours: &Value, theirs: &Value) -> Option<Value> {
    let ours: Vec<&str> = keyword::types(Some(ours)).collect();
    let theirs: Vec<&str> = keyword::types(Some(theirs)).collect();
    let mut shared = ours.clone();
    shared.retain(|t| theirs.contains(t) || (*t == "integer" && theirs.contains(&"number")));
    if ours.contains(&"number")
        && !theirs.contains(&"number")
        && theirs.contains(&"integer")
        && !shared.contains(&"integer")
    {
        shared.push("integer");
    }
    match shared.as_slice() {
        [] => None,
        [one] => Some(json!(one)),
        several => Some(json!(several)),
    }
}

/// `properties`, `required` and `additionalProperties` of both.
fn members(a: &Node, b: &Node, out: &mut Node) -> Option<()> {
    let closed = |node: &Node| node.get("additionalProperties") == Some(&Value::Bool(false));
    let named = a.contains_key("properties") || b.contains_key("properties");
    let properties = properties(a, closed(a), b, closed(b));
    let mut required: Vec<Value> = Vec::new();
    for list in [a.get("required"), b.get("required")].into_iter().flatten() {
        for name in list.as_array()? {
            if !required.contains(name) {
                required.push(name.clone());
            }
        }
    }
    let unmet = |name: &Value| name.as_str().is_some_and(|n| !properties.contains_key(n));
    if (closed(a) || closed(b)) && required.iter().any(unmet) {
        return None;
    }
    if named {
        out.insert("properties".to_owned(), Value::Object(properties));
    }
    if !required.is_empty() {
        out.insert("required".to_owned(), Value::Array(required));
    }
    let rest = match (a.get("additionalProperties"), b.get("additionalProperties")) {
        (None, None) => return Some(()),
        (Some(one), None) | (None, Some(one)) => one,
        (Some(one), Some(other)) if one == other => one,
        (Some(Value::Bool(false)), _) | (_, Some(Value::Bool(false))) => &Value::Bool(false),
        (Some(Value::Bool(true)), Some(one)) | (Some(one), Some(Value::Bool(true))) => one,
        (Some(_), Some(_)) => return None,
    };
    out.insert("additionalProperties".to_owned(), rest.clone());
    Some(())
}

/// The properties of both. A closed node forbids what the other one names and it does not.
fn properties(a: &Node, a_closed: bool, b: &Node, b_closed: bool) -> Node {
    let of = |node: &Node| {
        node.get("properties")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default()
    };
    let (ours, theirs) = (of(a), of(b));
    let mut merged = Node::new();
    for (name, schema) in &ours {
        let schema = match theirs.get(name) {
            Some(other) if other == schema => schema.clone(),
            Some(other) => json!({ "allOf": [schema, other] }),
            None if b_closed => continue,
            None => schema.clone(),
        };
        merged.insert(name.clone(), schema);
    }
    if !a_closed {
        for (name, schema) in theirs {
            merged.entry(name).or_insert(schema);
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(a: Value, b: Value) -> Option<Value> {
        both(a.as_object()?, b.as_object()?).map(Value::Object)
    }

    #[test]
    fn the_narrower_bound_holds() {
        assert_eq!(
            merged(
                json!({ "type": "integer", "minimum": 0 }),
                json!({ "type": "number", "minimum": -1, "maximum": 50 })
            ),
            Some(json!({ "type": "integer", "minimum": 0, "maximum": 50 }))
        );
        assert_eq!(
            merged(json!({ "pattern": "a" }), json!({ "pattern": "b" })),
            None
        );
    }

    #[test]
    fn a_closed_node_forbids_what_only_the_other_names() {
        let closed = json!({ "properties": { "a": {} }, "additionalProperties": false });
        assert_eq!(
            merged(closed.clone(), json!({ "properties": { "b": {} } })),
            Some(json!({ "properties": { "a": {} }, "additionalProperties": false }))
        );
        assert_eq!(merged(closed, json!({ "required": ["b"] })), None);
    }

    #[test]
    fn what_speaks_of_the_rest_does_not_move() {
        let map = json!({ "additionalProperties": { "type": "string" } });
        assert_eq!(merged(map, json!({ "properties": { "b": {} } })), None);
    }
}
