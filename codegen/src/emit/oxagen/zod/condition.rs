//! Rules between the members of one object as TypeScript expressions on `v`, where that reads better
//! than a schema. Gives nothing where an expression would not type-check or would get long.

use std::collections::BTreeSet;

use serde_json::Value;
use toolcontract_schema::{keyword::names, pointer, vocabulary::asks_nothing};

use super::node::Node;
use crate::emit::{javascript::INHERITED, oxagen::ts};

/// How deep a rule may nest and still be an expression.
const MAX_DEPTH: usize = 3;

/// The members that the object declares.
pub(super) struct Members<'a> {
    properties: Option<&'a Node>,
    required: Vec<&'a str>,
    root: &'a Value,
}

impl<'a> Members<'a> {
    pub(super) fn of(node: &'a Node, root: &'a Value) -> Self {
        Self {
            properties: node.get("properties").and_then(Value::as_object),
            required: names(node.get("required")).collect(),
            root,
        }
    }

    fn declares(&self, name: &str) -> bool {
        self.properties.is_some_and(|p| p.contains_key(name)) && !INHERITED.contains(&name)
    }

    /// Members that are always there.
    pub(super) fn given(&self) -> &[&'a str] {
        &self.required
    }

    fn is_given(&self, name: &str) -> bool {
        self.declares(name) && self.required.contains(&name)
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
        if repeats(&[schema]) {
            return None;
        }
        self.all(schema, 0).map(|parts| joined(&parts, "&&"))
    }

    /// That `schema` does not hold of the object.
    pub(super) fn fails(&self, schema: &Value) -> Option<String> {
        if repeats(&[schema]) {
            return None;
        }
        self.negated(schema, 0)
    }

    /// The parts that must all hold.
    fn all(&self, schema: &Value, depth: usize) -> Option<Vec<String>> {
        let node = schema.as_object()?;
        if depth > MAX_DEPTH {
            return None;
        }
        let required: Vec<&str> = names(node.get("required")).collect();
        let mut parts = Vec::new();
        let properties = node.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let is_given = required.contains(&name.as_str()) || self.is_given(name);
            parts.push(self.member(name, property, !is_given, true)?);
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
                "if" => parts.extend(self.conditional(node, depth + 1)?),
                "then" | "else" if node.contains_key("if") => {}
                keyword if asks_nothing(keyword) => {}
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
            let absent: Vec<String> = names(node.get("required"))
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
        let properties = node.get("properties").and_then(Value::as_object);
        if let Some((name, schema)) = properties
            .filter(|p| p.len() == 1)
            .and_then(|p| p.iter().next())
            && node.keys().all(|k| k == "properties" || k == "required")
            && names(node.get("required")).all(|n| n == name)
            && (node.contains_key("required") || self.is_given(name))
        {
            return self.member(name, schema, true, false);
        }
        Some(format!("!({})", joined(&self.all(schema, depth)?, "&&")))
    }

    /// `if`, `then` and `else` as parts that must all hold.
    fn conditional(&self, node: &Node, depth: usize) -> Option<Vec<String>> {
        let test = node.get("if")?;
        let holds = |schema| Some(joined(&self.all(schema, depth)?, "&&"));
        let mut parts = Vec::new();
        if let Some(then) = node.get("then") {
            parts.push(either(&self.negated(test, depth)?, &holds(then)?));
        }
        if let Some(otherwise) = node.get("else") {
            parts.push(either(&holds(test)?, &holds(otherwise)?));
        }
        Some(parts)
    }

    /// That one member is what `schema` lists, or, unless `holds`, that it is not. `absent_passes` says
    /// what is true of a member that is not there.
    fn member(
        &self,
        name: &str,
        schema: &Value,
        absent_passes: bool,
        holds: bool,
    ) -> Option<String> {
        let (values, equal) = self.listed(name, schema)?;
        let equal = equal == holds;
        if values.len() > 4 || !values.iter().all(|v| self.can_be(name, v)) {
            return None;
        }
        let access = ts::member("v", name);
        let sign = if equal { "===" } else { "!==" };
        let mut parts: Vec<String> = values
            .iter()
            .map(|v| format!("{access} {sign} {}", ts::literal(v)))
            .collect();
        // An absent member reads as undefined, which differs from every value.
        match (equal, absent_passes) {
            _ if self.is_given(name) => {}
            (true, true) => parts.insert(0, format!("{access} === undefined")),
            (false, false) => parts.push(format!("{access} !== undefined")),
            (true, false) | (false, true) => {}
        }
        Some(joined(&parts, if equal { "||" } else { "&&" }))
    }

    /// The values that a schema of a member lists, and whether it asks for one of them or for none.
    fn listed(&self, name: &str, schema: &Value) -> Option<(Vec<Value>, bool)> {
        let node = schema.as_object()?;
        let asks: Vec<&str> = node
            .keys()
            .map(String::as_str)
            .filter(|k| !asks_nothing(k))
            .collect();
        let without_type: Vec<&str> = asks.iter().copied().filter(|k| *k != "type").collect();
        match without_type.as_slice() {
            ["const"] => Some((vec![node.get("const")?.clone()], true)),
            ["enum"] => {
                let mut values = Vec::new();
                for value in node.get("enum")?.as_array()? {
                    if !values.contains(value) {
                        values.push(value.clone());
                    }
                }
                (!values.is_empty()).then_some((values, true))
            }
            ["not"] if asks.len() == 1 => {
                let inner = node.get("not")?.as_object()?;
                (inner.len() == 1).then_some((vec![inner.get("const")?.clone()], false))
            }
            // Of a member that is something or null, naming the type says which.
            [] => {
                let declared = self.declared(name)?.get("type")?.as_array()?;
                let named = node.get("type")?;
                let other = declared.iter().find(|t| *t != "null");
                match (declared.len(), named) {
                    (2, Value::String(t)) if t == "null" => Some((vec![Value::Null], true)),
                    (2, named) if other == Some(named) => Some((vec![Value::Null], false)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether TypeScript knows that the member may have this value: it refuses a comparison that it
    /// takes for always false.
    fn can_be(&self, name: &str, value: &Value) -> bool {
        if !self.declares(name) || value.is_object() || value.is_array() {
            return false;
        }
        let Some(node) = self.declared(name) else {
            return false;
        };
        if let Some(constant) = node.get("const") {
            return constant == value;
        }
        if let Some(values) = node.get("enum").and_then(Value::as_array) {
            return values.contains(value);
        }
        let named = match value {
            Value::Null => "null",
            Value::String(_) => "string",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::Array(_) | Value::Object(_) => return false,
        };
        let has = |t: &Value| t == named || (named == "number" && t == "integer");
        match node.get("type") {
            Some(Value::Array(names)) => names.iter().any(has),
            Some(name) => has(name),
            None => false,
        }
    }

    /// The schema of a member, references followed.
    fn declared(&self, name: &str) -> Option<&'a Node> {
        let mut node = self.properties?.get(name)?.as_object()?;
        for _ in 0..8 {
            let Some(reference) = node.get("$ref").and_then(Value::as_str) else {
                return Some(node);
            };
            let target = pointer::from_fragment(reference.strip_prefix('#')?)?;
            node = self.root.pointer(&target)?.as_object()?;
        }
        None
    }
}

/// Whether one member is judged twice: TypeScript narrows its type by the first comparison and may
/// refuse the second.
pub(super) fn repeats(schemas: &[&Value]) -> bool {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&Value> = schemas.to_vec();
    while let Some(schema) = open.pop() {
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(map))
                    if !map.keys().all(|name| seen.insert(name.as_str())) =>
                {
                    return true;
                }
                ("anyOf" | "oneOf" | "allOf", Value::Array(branches)) => open.extend(branches),
                ("not" | "if" | "then" | "else", schema) => open.push(schema),
                _ => {}
            }
        }
    }
    false
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
