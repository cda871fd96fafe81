//! Rules between the members of one object as TypeScript expressions on `v`, where that reads better
//! than a schema. Gives nothing where an expression would not type-check or would get long.

use serde_json::Value;
use toolcontract_schema::pointer;

use super::{
    object::strings,
    read::{Node, is_annotation},
};
use crate::emit::oxagen::ts;

/// How deep a rule may nest and still be an expression.
const MAX_DEPTH: usize = 3;

/// Members that every object has by inheritance, so that reading one proves nothing.
pub(super) const INHERITED: &[&str] = &[
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// The members that the object declares.
pub(super) struct Members<'a> {
    properties: Option<&'a Node>,
    root: &'a Value,
}

impl<'a> Members<'a> {
    pub(super) fn of(node: &'a Node, root: &'a Value) -> Self {
        Self {
            properties: node.get("properties").and_then(Value::as_object),
            root,
        }
    }

    fn declares(&self, name: &str) -> bool {
        self.properties.is_some_and(|p| p.contains_key(name)) && !INHERITED.contains(&name)
    }

    /// That a member is there.
    pub(super) fn present(&self, name: &str) -> String {
        if self.declares(name) {
            format!("{} !== undefined", ts::member("v", name))
        } else {
            format!("Object.hasOwn(v, {})", ts::string(name))
        }
    }

    /// That a member is not there.
    pub(super) fn absent(&self, name: &str) -> String {
        if self.declares(name) {
            format!("{} === undefined", ts::member("v", name))
        } else {
            format!("!Object.hasOwn(v, {})", ts::string(name))
        }
    }

    /// That `schema` holds of the object.
    pub(super) fn holds(&self, schema: &Value) -> Option<String> {
        self.all(schema, 0).map(|parts| joined(&parts, "&&"))
    }

    /// That `schema` does not hold of the object.
    pub(super) fn fails(&self, schema: &Value) -> Option<String> {
        self.negated(schema, 0)
    }

    /// The parts that must all hold.
    fn all(&self, schema: &Value, depth: usize) -> Option<Vec<String>> {
        let node = schema.as_object()?;
        if depth > MAX_DEPTH {
            return None;
        }
        let required = strings(node.get("required"));
        let mut parts = Vec::new();
        let properties = node.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let is_required = required.contains(&name.as_str());
            parts.push(self.member(name, property, is_required)?);
        }
        for name in required {
            if properties.is_none_or(|p| !p.contains_key(name)) {
                parts.push(self.present(name));
            }
        }
        for (keyword, value) in node {
            match keyword.as_str() {
                "required" | "properties" => {}
                "type" if value == "object" => {}
                "minProperties" => parts.push(format!("Object.keys(v).length >= {value}")),
                "maxProperties" => parts.push(format!("Object.keys(v).length <= {value}")),
                "anyOf" => {
                    let branches: Option<Vec<String>> = value
                        .as_array()?
                        .iter()
                        .map(|branch| Some(joined(&self.all(branch, depth + 1)?, "&&")))
                        .collect();
                    parts.push(joined(&branches?, "||"));
                }
                "not" => parts.push(self.negated(value, depth + 1)?),
                keyword if is_annotation(keyword) => {}
                _ => return None,
            }
        }
        (!parts.is_empty()).then_some(parts)
    }

    fn negated(&self, schema: &Value, depth: usize) -> Option<String> {
        let node = schema.as_object()?;
        if depth > MAX_DEPTH {
            return None;
        }
        if node.keys().all(|k| k == "required") {
            let absent: Vec<String> = strings(node.get("required"))
                .iter()
                .map(|n| self.absent(n))
                .collect();
            return (!absent.is_empty()).then(|| joined(&absent, "||"));
        }
        if let (1, Some(branches)) = (node.len(), node.get("anyOf").and_then(Value::as_array)) {
            let all: Option<Vec<String>> = branches
                .iter()
                .map(|b| self.negated(b, depth + 1))
                .collect();
            return Some(joined(&all?, "&&"));
        }
        Some(format!("!({})", joined(&self.all(schema, depth)?, "&&")))
    }

    /// That one member is a listed value.
    fn member(&self, name: &str, schema: &Value, is_required: bool) -> Option<String> {
        let node = schema.as_object()?;
        let asks: Vec<&String> = node
            .keys()
            .filter(|k| !is_annotation(k) && *k != "type")
            .collect();
        let (values, equal) = match asks.as_slice() {
            [keyword] if *keyword == "const" => (vec![node.get("const")?.clone()], true),
            [keyword] if *keyword == "enum" => (node.get("enum")?.as_array()?.clone(), true),
            [keyword] if *keyword == "not" => {
                let inner = node.get("not")?.as_object()?;
                if inner.len() != 1 {
                    return None;
                }
                (vec![inner.get("const")?.clone()], false)
            }
            _ => return None,
        };
        if values.is_empty() || values.len() > 4 || !values.iter().all(|v| self.can_be(name, v)) {
            return None;
        }
        let access = ts::member("v", name);
        let sign = if equal { "===" } else { "!==" };
        let mut parts: Vec<String> = values
            .iter()
            .map(|v| format!("{access} {sign} {}", ts::literal(v)))
            .collect();
        if equal && !is_required {
            parts.insert(0, format!("{access} === undefined"));
        }
        if !equal && is_required {
            parts.push(format!("{access} !== undefined"));
            return Some(joined(&parts, "&&"));
        }
        Some(joined(&parts, if equal { "||" } else { "&&" }))
    }

    /// Whether TypeScript knows that the member may have this value: it refuses a comparison that it
    /// takes for always false.
    fn can_be(&self, name: &str, value: &Value) -> bool {
        if !self.declares(name) || value.is_object() || value.is_array() {
            return false;
        }
        let mut declared = self.properties.and_then(|p| p.get(name));
        for _ in 0..8 {
            let Some(reference) = declared.and_then(|d| d.get("$ref")).and_then(Value::as_str)
            else {
                break;
            };
            let target = reference.strip_prefix('#').and_then(pointer::from_fragment);
            declared = target.and_then(|t| self.root.pointer(&t));
        }
        let Some(node) = declared.and_then(Value::as_object) else {
            return false;
        };
        if let Some(constant) = node.get("const") {
            return constant == value;
        }
        if let Some(values) = node.get("enum").and_then(Value::as_array) {
            return values.contains(value);
        }
        let named = match value {
            Value::String(_) => "string",
            Value::Bool(_) => "boolean",
            Value::Number(_) => {
                return node
                    .get("type")
                    .is_some_and(|t| t == "integer" || t == "number");
            }
            _ => return false,
        };
        node.get("type").is_some_and(|t| t == named)
    }
}

/// Parts under one operator; a part with the other operator gets parentheses.
fn joined(parts: &[String], operator: &str) -> String {
    let other = if operator == "&&" { " || " } else { " && " };
    match parts {
        [one] => one.clone(),
        several => several
            .iter()
            .map(|part| {
                if part.contains(other) {
                    format!("({part})")
                } else {
                    part.clone()
                }
            })
            .collect::<Vec<_>>()
            .join(&format!(" {operator} ")),
    }
}

/// `a || b`, `a && b`.
pub(super) fn either(a: &str, b: &str) -> String {
    joined(&[a.to_owned(), b.to_owned()], "||")
}

/// `a && b`.
pub(super) fn every(parts: &[String]) -> String {
    joined(parts, "&&")
}
