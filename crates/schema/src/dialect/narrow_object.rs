//! Objects and lists for providers that take a few keywords only.

use serde_json::{Map, Value, json};

use super::{
    Effect,
    context::{Lowering, Node},
    narrow_say::Says,
    narrow_union::accepts_null,
    restore::Members,
};
use crate::{keyword::names, pointer::join as below};

impl Lowering<'_> {
    /// The members of an object.
    pub(super) fn object(
        &mut self,
        node: &Node,
        at: &str,
        depth: usize,
        out: &mut Node,
        says: &mut Says,
    ) {
        let required: Vec<&str> = names(node.get("required")).collect();
        let here = below(at, "properties");
        let mut members = Members::default();
        let mut properties = Map::new();
        let declared = node.get("properties").and_then(Value::as_object);
        for (name, schema) in declared.into_iter().flatten() {
            let place = below(&here, name);
            if schema == &Value::Bool(false) {
                self.note(
                    &place,
                    "",
                    Effect::Dropped,
                    "a member that may not be given",
                );
                continue;
            }
            let shown = self.property(name);
            if shown != *name {
                self.note(&place, "", Effect::Renamed, format!("shown as `{shown}`"));
                members.renamed.insert(shown.clone(), name.clone());
            }
            let mut lowered = self.narrow(schema, &place, depth + 1);
            if self.rules.closed && !required.contains(&name.as_str()) {
                if accepts_null(&lowered) {
                    let text = "cannot be left out; null is sent as null";
                    self.note(&place, "", Effect::Narrowed, text);
                } else {
                    self.make_nullable(&mut lowered);
                    members.absent_when_null.insert(shown.clone());
                }
            }
            properties.insert(shown, Value::Object(lowered));
        }
        self.undeclared(&required, declared, at, says);
        self.other_members(node, properties.is_empty(), at, says);
        let shown_required: Vec<String> = if self.rules.closed {
            properties.keys().cloned().collect()
        } else {
            required
                .iter()
                .map(|name| self.property(name))
                .filter(|shown| properties.contains_key(shown))
                .collect()
        };
        if self.rules.closed || !properties.is_empty() {
            out.insert("properties".to_owned(), Value::Object(properties));
        }
        if self.rules.closed || !shown_required.is_empty() {
            out.insert("required".to_owned(), json!(shown_required));
        }
        if self.rules.closed {
            out.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
        members.mark(out);
    }

    /// Members that must be given but of which nothing is known.
    fn undeclared(
        &mut self,
        required: &[&str],
        declared: Option<&Map<String, Value>>,
        at: &str,
        says: &mut Says,
    ) {
        let unknown: Vec<&&str> = required
            .iter()
            .filter(|name| declared.is_none_or(|d| !d.contains_key(**name)))
            .collect();
        if !unknown.is_empty() {
            self.refuse(at, "required", "a member of which only the name is known");
            self.say_value("required", json!(unknown), &Node::new(), at, says);
        }
    }

    /// What is said of members that have no schema of their own.
    fn other_members(&mut self, node: &Node, none_named: bool, at: &str, says: &mut Says) {
        let rest = node.get("additionalProperties");
        let unevaluated = node.get("unevaluatedProperties");
        if let Some(patterns) = node.get("patternProperties") {
            self.refuse(
                at,
                "patternProperties",
                "members whose names follow a pattern",
            );
            self.say_value("patternProperties", patterns.clone(), node, at, says);
        }
        match rest.or(unevaluated) {
            Some(Value::Bool(false)) => {}
            Some(Value::Object(schema)) if !schema.is_empty() => {
                self.refuse(at, "additionalProperties", "members whose names are free");
                let schema = Value::Object(schema.clone());
                self.say_value("additionalProperties", schema, node, at, says);
            }
            None if none_named && at.is_empty() => {}
            None | Some(_) if none_named => {
                self.refuse(
                    at,
                    "additionalProperties",
                    "an object whose members are not named",
                );
            }
            None | Some(_) => {
                let text = "members beyond those shown cannot be sent";
                self.note(at, "additionalProperties", Effect::Narrowed, text);
            }
        }
    }

    /// The items of a list.
    pub(super) fn array(
        &mut self,
        node: &Node,
        at: &str,
        depth: usize,
        out: &mut Node,
        says: &mut Says,
    ) {
        let places = node.get("prefixItems").and_then(Value::as_array);
        let rest = node.get("items");
        let items = match (places, rest) {
            (None, Some(Value::Bool(false))) => {
                out.insert("maxItems".to_owned(), json!(0));
                self.anything(&below(at, "items"))
            }
            (None, Some(items)) if items.is_object() => {
                self.narrow(items, &below(at, "items"), depth + 1)
            }
            (None, _) => self.anything(&below(at, "items")),
            (Some(places), rest) => {
                self.say("prefixItems", node, at, says);
                let mut any: Vec<Value> = places.clone();
                match rest {
                    Some(Value::Bool(false)) => {
                        out.insert("maxItems".to_owned(), json!(places.len()));
                    }
                    Some(items) => any.push(items.clone()),
                    None => any.push(json!(true)),
                }
                self.narrow(&json!({ "anyOf": any }), &below(at, "items"), depth + 1)
            }
        };
        out.insert("items".to_owned(), Value::Object(items));
    }
}
