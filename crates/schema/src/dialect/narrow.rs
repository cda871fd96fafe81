//! For providers that take a few keywords only: each node becomes one shape, and the rest is said.

use serde_json::{Value, json};

use super::{
    Effect,
    context::{Lowering, Node},
    narrow_say::{SILENT, Says},
    rules::Null,
};
use crate::{
    keyword::{has_type, types},
    vocabulary::TYPES,
};

impl Lowering<'_> {
    /// One node as a shape that the provider knows.
    pub(super) fn narrow(&mut self, schema: &Value, at: &str, depth: usize) -> Node {
        let source = match schema {
            Value::Object(source) => source.clone(),
            Value::Bool(false) => {
                self.note(at, "", Effect::Cut, "no value is accepted here");
                return self.anything(at);
            }
            _ => return self.anything(at),
        };
        if !self.may_enter(at, depth) {
            return self.anything(at);
        }
        if source.contains_key("$ref") {
            return self.reference(source, at, depth);
        }
        self.shape(source, at, depth)
    }

    /// A node without reference.
    pub(super) fn shape(&mut self, source: Node, at: &str, depth: usize) -> Node {
        let mut says = Says::default();
        let (mut node, left) = self.merge_all(source);
        if let Some(left) = left {
            self.say_value("allOf", left, &node, at, &mut says);
        }
        self.exclusive_to_any(&mut node, at, &mut says);
        take_null(&mut node, &mut says);
        let out = match self.union(&mut node, at, depth, &mut says) {
            Some(union) => union,
            None => self.typed(&mut node, at, depth, &mut says),
        };
        self.describe(out, &node, says)
    }

    /// A node of one type, or of several where it names several.
    fn typed(&mut self, node: &mut Node, at: &str, depth: usize, says: &mut Says) -> Node {
        let mut types = type_names(node);
        if types.is_empty() {
            types.extend(self.inferred(node, at));
        }
        match types.as_slice() {
            [] if says.nullable => self.only_null(),
            [] => {
                self.say_all(node, at, says);
                self.anything(at)
            }
            [one] => self.single(one, node, at, depth, says),
            several => {
                let branches: Vec<Value> = several
                    .iter()
                    .map(|name| {
                        let mut own = Says::default();
                        let out = self.single(name, node, at, depth, &mut own);
                        Value::Object(self.describe(out, &Node::new(), own))
                    })
                    .collect();
                let mut out = Node::new();
                out.insert("anyOf".to_owned(), Value::Array(branches));
                out
            }
        }
    }

    /// The keywords of a node that matter for values of `name`.
    fn single(&mut self, name: &str, node: &Node, at: &str, depth: usize, says: &mut Says) -> Node {
        let mut out = Node::new();
        out.insert("type".to_owned(), json!(name));
        match name {
            "object" => self.object(node, at, depth, &mut out, says),
            "array" => self.array(node, at, depth, &mut out, says),
            _ => {}
        }
        for (keyword, value) in node {
            match keyword.as_str() {
                "enum" | "const" => self.choices(name, keyword, node, at, &mut out, says),
                keyword if concerns(keyword).is_some_and(|types| !types.contains(&name)) => {}
                "properties"
                | "required"
                | "additionalProperties"
                | "patternProperties"
                | "items"
                | "prefixItems"
                | "unevaluatedProperties" => {}
                keyword if SILENT.contains(&keyword) => {}
                keyword if self.keeps(keyword, value) => {
                    out.insert(keyword.to_owned(), value.clone());
                }
                keyword => self.say(keyword, node, at, says),
            }
        }
        out
    }

    fn keeps(&self, keyword: &str, value: &Value) -> bool {
        let fits = match keyword {
            "format" => self
                .rules
                .formats
                .is_none_or(|known| value.as_str().is_some_and(|format| known.contains(&format))),
            // Look-around is no part of what grammars are built from.
            "pattern" => value
                .as_str()
                .is_some_and(|p| !p.replace("(?:", "").contains("(?")),
            _ => true,
        };
        fits && self.rules.accepts(keyword)
    }

    /// `enum` and `const` for values of one type.
    fn choices(
        &mut self,
        name: &str,
        keyword: &str,
        node: &Node,
        at: &str,
        out: &mut Node,
        says: &mut Says,
    ) {
        let Some(value) = node.get(keyword) else {
            return;
        };
        let values: Vec<Value> = match (keyword, value) {
            ("const", value) if is_type(value, name) => vec![value.clone()],
            ("enum", Value::Array(values)) => values
                .iter()
                .filter(|v| is_type(v, name))
                .cloned()
                .collect(),
            _ => Vec::new(),
        };
        if values.is_empty() {
            return self.note(at, keyword, Effect::Cut, "no value of the type is listed");
        }
        if self.rules.string_enums {
            if name == "string" {
                out.insert("enum".to_owned(), Value::Array(values));
            } else {
                self.say(keyword, node, at, says);
            }
        } else if values.iter().any(|v| v.is_object() || v.is_array()) {
            self.say(keyword, node, at, says);
        } else if keyword == "const" && self.rules.accepts("const") {
            out.insert("const".to_owned(), value.clone());
        } else {
            out.insert("enum".to_owned(), Value::Array(values));
        }
    }

    /// The type that the keywords of a node speak of, where they speak of one.
    fn inferred(&mut self, node: &Node, at: &str) -> Vec<String> {
        let values = node
            .get("enum")
            .and_then(Value::as_array)
            .cloned()
            .or_else(|| Some(vec![node.get("const")?.clone()]));
        if let Some(values) = values {
            let mut types: Vec<String> = Vec::new();
            for value in &values {
                let name = type_of(value).to_owned();
                if !types.contains(&name) {
                    types.push(name);
                }
            }
            return types;
        }
        let spoken: std::collections::BTreeSet<&str> = node
            .keys()
            .filter_map(|keyword| concerns(keyword))
            .filter_map(|types| types.first().copied())
            .collect();
        match spoken.first() {
            Some(name) if spoken.len() == 1 => {
                let text = format!("only a value of type {name} is shown");
                self.note(at, "type", Effect::Narrowed, text);
                vec![(*name).to_owned()]
            }
            _ => Vec::new(),
        }
    }

    /// A value of any shape.
    pub(super) fn anything(&mut self, at: &str) -> Node {
        self.refuse(at, "", "a value of any type");
        let mut out = Node::new();
        if self.rules.null == Null::Keyword {
            self.note(
                at,
                "type",
                Effect::Narrowed,
                "any value: lists hold strings only",
            );
            let any = json!([
                { "type": "string" },
                { "type": "number" },
                { "type": "boolean" },
                { "type": "object" },
                { "type": "array", "items": { "type": "string" } },
            ]);
            out.insert("anyOf".to_owned(), any);
        }
        out
    }

    /// A value that can only be null; where null is no type, a string stands for the missing one.
    fn only_null(&self) -> Node {
        let mut out = Node::new();
        let name = match self.rules.null {
            Null::Type => "null",
            Null::Keyword => "string",
        };
        out.insert("type".to_owned(), json!(name));
        out
    }
}

/// The types that a node names, null aside. What is no type names none.
fn type_names(node: &Node) -> Vec<String> {
    types(node.get("type"))
        .filter(|name| *name != "null" && TYPES.contains(name))
        .map(str::to_owned)
        .collect()
}

/// Takes null out of `type`, `enum` and `const`.
fn take_null(node: &mut Node, says: &mut Says) {
    let named = has_type(node.get("type"), "null");
    let typed = node.contains_key("type");
    let listed = node
        .get("enum")
        .and_then(Value::as_array)
        .map(|values| values.iter().any(Value::is_null));
    let constant = node.get("const").map(Value::is_null);
    let allowed = listed.or(constant);
    says.nullable |= (named && allowed != Some(false)) || (!typed && allowed == Some(true));
    if let Some(values) = node.get_mut("enum").and_then(Value::as_array_mut) {
        values.retain(|v| !v.is_null());
        if values.is_empty() {
            node.shift_remove("enum");
        }
    }
    if constant == Some(true) {
        node.shift_remove("const");
    }
    if node.get("type").and_then(Value::as_str) == Some("null") {
        node.shift_remove("type");
    }
}

/// The types whose values `keyword` speaks of, the plainest first; none where it speaks of all.
fn concerns(keyword: &str) -> Option<&'static [&'static str]> {
    Some(match keyword {
        "minLength" | "maxLength" | "pattern" | "contentEncoding" | "contentMediaType"
        | "contentSchema" => &["string"],
        "format" => &["string", "number", "integer"],
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            &["number", "integer"]
        }
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains"
        | "minContains" | "maxContains" | "unevaluatedItems" => &["array"],
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "propertyNames"
        | "minProperties"
        | "maxProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedProperties" => &["object"],
        _ => return None,
    })
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn is_type(value: &Value, name: &str) -> bool {
    let own = type_of(value);
    own == name || (name == "number" && own == "integer") || (name == "integer" && own == "number")
}
