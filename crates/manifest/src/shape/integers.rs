//! Integers that are spelled as floats: `1.0` is an integer in JSON Schema, so the validator lets
//! it through, and none in a manifest.

use std::sync::Arc;

use serde_json::Value;
use toolcontract_schema::pointer::join;

use super::{explain::Place, locate};
use crate::{
    diagnostic::Diagnostic,
    document::{Document, Node, NodeValue},
};

/// Every float where the kind takes an integer.
pub(super) fn check(shape: &Value, document: &Arc<Document>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if let Some(schema) = locate::at(shape, "") {
        visit(shape, schema, document, &document.root, "", &mut found);
    }
    found
}

/// Bounded by the nesting of a file.
fn visit(
    shape: &Value,
    schema: &Value,
    document: &Arc<Document>,
    node: &Node,
    pointer: &str,
    found: &mut Vec<Diagnostic>,
) {
    let mut child = |token: &str, node: &Node| {
        if let Some(schema) = locate::under(shape, schema, token) {
            visit(shape, schema, document, node, &join(pointer, token), found);
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
