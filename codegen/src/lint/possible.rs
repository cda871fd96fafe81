//! Which JSON types a schema can accept at all. Says that nothing is possible only where that is
//! certain, so a schema that it calls empty is one.
//!
//! Linear in the size of the schema. The canonical form that `jsonschema` can work out decides
//! more, but takes minutes over a dozen `oneOf` side by side.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};
use toolcontract_schema::{
    keyword::{names, types},
    violation::type_name,
};

use super::spot::Spot;

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

/// Every type, with the numbers that are no integers apart from those that are.
const NAMES: [&str; 7] = [
    "null", "boolean", "object", "array", "number", "string", "integer",
];

impl Types {
    const NONE: Self = Self(0);
    const ALL: Self = Self(0b0111_1111);

    fn of(name: &str) -> Self {
        let bit = |name| NAMES.iter().position(|n| *n == name).map_or(0, |i| 1 << i);
        match name {
            "number" => Self(bit("number") | bit("integer")),
            other => Self(bit(other)),
        }
    }

    /// The type of a value; an integer is one however it is spelled.
    fn of_value(value: &Value) -> Self {
        match type_name(value) {
            "number" => Self(Self::of("number").0 & !Self::of("integer").0),
            other => Self::of(other),
        }
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn without(self, name: &str) -> Self {
        Self(self.0 & !Self::of(name).0)
    }

    /// Whether no type is left.
    #[must_use]
    pub(super) fn is_empty(self) -> bool {
        self == Self::NONE
    }
}

/// How often the schemas that refer to each other are looked at before the answer is unknown.
const PASSES: usize = 16;

/// Answers the question for the schemas of one site.
///
/// A schema that holds itself in a property accepts what it accepts without that, and no more: so
/// each starts as one that accepts nothing, and is looked at again until nothing is added.
#[derive(Debug, Default)]
pub(super) struct Possible {
    /// What is known so far, by address.
    known: HashMap<*const Value, Types>,
    /// Of which nothing more can become known.
    settled: HashSet<*const Value>,
    /// Looked at in this pass.
    seen: HashSet<*const Value>,
    /// The schemas around the one that is looked at that speak of the same value.
    chain: Vec<*const Value>,
    /// Whether this pass added something.
    grew: bool,
}

impl Possible {
    /// The types of which `spot` can accept some value.
    pub(super) fn of(&mut self, spot: Spot<'_>) -> Types {
        for _ in 0..PASSES {
            self.seen.clear();
            self.grew = false;
            let types = self.look(spot);
            if !self.grew {
                self.settled.extend(self.seen.drain());
                return types;
            }
        }
        Types::ALL
    }

    fn look(&mut self, spot: Spot<'_>) -> Types {
        let Value::Object(keywords) = spot.schema else {
            return match spot.schema {
                Value::Bool(false) => Types::NONE,
                _ => Types::ALL,
            };
        };
        if !keywords.keys().any(|keyword| can_exclude(keyword)) {
            return own(keywords);
        }
        let here: *const Value = spot.schema;
        // To be oneself says nothing, which is another fault.
        if self.chain.contains(&here) {
            return Types::ALL;
        }
        let known = self.known.get(&here).copied().unwrap_or(Types::NONE);
        if self.settled.contains(&here) || !self.seen.insert(here) {
            return known;
        }
        self.chain.push(here);
        let types = self.composed(spot).and(own(keywords));
        self.chain.pop();
        let chain = std::mem::take(&mut self.chain);
        let types = self.parts(spot, keywords, types);
        self.chain = chain;
        self.grew |= types != known;
        self.known.insert(here, types);
        types
    }

    /// What references and branches leave.
    fn composed(&mut self, spot: Spot<'_>) -> Types {
        let mut types = spot.target().map_or(Types::ALL, |target| self.look(target));
        for branch in spot.branches("allOf") {
            types = types.and(self.look(branch));
        }
        for keyword in ["anyOf", "oneOf"] {
            let mut branches = spot.branches(keyword).peekable();
            if branches.peek().is_some() {
                let any = branches.fold(Types::NONE, |sum, branch| sum.or(self.look(branch)));
                types = types.and(any);
            }
        }
        match spot.under("not").map(|not| not.schema) {
            Some(Value::Bool(true)) => Types::NONE,
            Some(Value::Object(not)) if not.is_empty() => Types::NONE,
            _ => types,
        }
    }

    /// What required properties and items leave.
    fn parts(&mut self, spot: Spot<'_>, keywords: &Map<String, Value>, types: Types) -> Types {
        let mut types = types;
        let required: Vec<&str> = names(keywords.get("required")).collect();
        for name in &required {
            if spot.property(name).is_some_and(|p| self.look(p).is_empty()) {
                types = types.without("object");
            }
        }
        let count = |keyword| keywords.get(keyword).and_then(Value::as_u64);
        if required.len() as u64 > count("maxProperties").unwrap_or(u64::MAX) {
            types = types.without("object");
        }
        if count("minItems").is_some_and(|least| least > 0)
            && !keywords.contains_key("prefixItems")
            && spot
                .under("items")
                .is_some_and(|items| self.look(items).is_empty())
        {
            types = types.without("array");
        }
        types
    }
}

/// Whether a keyword can leave nothing. Most schemas have none such, and are done with at once.
fn can_exclude(keyword: &str) -> bool {
    matches!(
        keyword,
        "$ref" | "allOf" | "anyOf" | "oneOf" | "not" | "enum" | "const" | "required" | "items"
    ) || keyword.starts_with("max")
        || keyword.starts_with("exclusive")
}

/// What the schema's own keywords leave.
fn own(keywords: &Map<String, Value>) -> Types {
    let mut types =
        types(keywords.get("type")).fold(Types::NONE, |sum, name| sum.or(Types::of(name)));
    // A word that is no type makes the schema invalid, which is another fault.
    if types.is_empty() {
        types = Types::ALL;
    }
    let listed = keywords.get("enum").and_then(Value::as_array);
    if let Some(values) = listed {
        let any = values.iter().map(Types::of_value);
        types = types.and(any.fold(Types::NONE, Types::or));
    }
    if let Some(value) = keywords.get("const") {
        types = types.and(Types::of_value(value));
        if listed.is_some_and(|values| !values.contains(value)) {
            types = Types::NONE;
        }
    }
    crossed(keywords)
        .into_iter()
        .fold(types, |types, bounds| types.without(bounds.of))
}

/// A lower bound above its upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Crossed {
    /// The lower bound.
    pub(super) low: &'static str,
    /// The upper bound.
    pub(super) high: &'static str,
    /// The type of which no value is left.
    pub(super) of: &'static str,
}

/// Lower and upper bounds, whether they exclude each other also when they are equal, and the
/// type that they bound.
#[rustfmt::skip]
const BOUNDS: [(&str, &str, bool, &str); 7] = [
    ("minimum", "maximum", false, "number"),
    ("minimum", "exclusiveMaximum", true, "number"),
    ("exclusiveMinimum", "maximum", true, "number"),
    ("exclusiveMinimum", "exclusiveMaximum", true, "number"),
    ("minLength", "maxLength", false, "string"),
    ("minItems", "maxItems", false, "array"),
    ("minProperties", "maxProperties", false, "object"),
];

/// Every pair of bounds that leaves nothing between.
pub(super) fn crossed(keywords: &Map<String, Value>) -> Vec<Crossed> {
    let number = |keyword: &str| keywords.get(keyword).and_then(Value::as_f64);
    let mut found: Vec<Crossed> = BOUNDS
        .into_iter()
        .filter(|(low, high, touching, _)| {
            let pair = number(low).zip(number(high));
            pair.is_some_and(|(low, high)| low > high || (*touching && low >= high))
        })
        .map(|(low, high, _, of)| Crossed { low, high, of })
        .collect();
    // Doubles lose the digits of larger bounds, so nothing is certain there.
    let between = number("minimum").zip(number("maximum"));
    if between.is_some_and(|(low, high)| low.abs().max(high.abs()) < 1e15 && low.ceil() > high) {
        found.push(Crossed {
            low: "minimum",
            high: "maximum",
            of: "integer",
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolcontract_schema::meta;

    use super::*;
    use crate::lint::catalog::Shared;

    fn is_empty(schema: &Value) -> bool {
        let shared = Shared::default();
        Possible::default()
            .of(Spot::new(&shared, schema, schema))
            .is_empty()
    }

    #[test]
    fn what_accepts_nothing() {
        for schema in [
            json!(false),
            json!({ "not": {} }),
            json!({ "type": "string", "enum": [1, 2] }),
            json!({ "const": 1, "enum": [2] }),
            json!({ "type": "integer", "minimum": 2, "maximum": 1 }),
            json!({ "type": "integer", "minimum": 0.2, "maximum": 0.8 }),
            json!({ "type": "number", "exclusiveMinimum": 1, "maximum": 1 }),
            json!({ "type": "string", "minLength": 2, "maxLength": 1 }),
            json!({ "type": "object", "required": ["a"], "properties": { "a": false } }),
            json!({ "type": "object", "required": ["a", "b"], "maxProperties": 1 }),
            json!({ "type": "array", "minItems": 1, "items": false }),
            json!({ "type": "object", "required": ["a"], "properties": { "a": { "$ref": "#" } } }),
            json!({ "allOf": [{ "type": "string" }, { "type": "integer" }] }),
            json!({ "type": "object", "anyOf": [{ "type": "string" }, false] }),
            json!({ "type": "object", "$ref": "#/$defs/a", "$defs": { "a": { "type": "string" } } }),
        ] {
            assert!(is_empty(&schema), "{schema}");
            assert!(meta::accepts_nothing(&schema), "{schema}");
        }
    }

    #[test]
    fn what_accepts_something_or_might() {
        for schema in [
            json!(true),
            json!({}),
            json!({ "minimum": 2, "maximum": 1 }),
            json!({ "type": ["integer", "null"], "minimum": 2, "maximum": 1 }),
            json!({ "type": "number", "enum": [1, 2] }),
            json!({ "type": "integer", "enum": [1.0] }),
            json!({ "type": "number", "minimum": 0.2, "maximum": 0.8 }),
            json!({ "type": "object", "properties": { "a": false } }),
            json!({ "type": "array", "items": false }),
            json!({ "allOf": [{ "type": "number" }, { "type": "integer" }] }),
            json!({ "not": { "type": "string" } }),
            json!({ "$ref": "#" }),
            json!({ "$ref": "#/$defs/a", "$defs": { "a": { "anyOf": [{ "type": "null" }, { "type": "object", "required": ["a"], "properties": { "a": { "$ref": "#/$defs/a" } } }] } } }),
            json!({ "type": "object", "properties": { "a": { "$ref": "#" } } }),
        ] {
            assert!(!is_empty(&schema), "{schema}");
            assert!(!meta::accepts_nothing(&schema), "{schema}");
        }
    }

    #[test]
    fn references_that_meet_again_cost_nothing() {
        let mut defs = Map::new();
        for i in 0..60 {
            let next = json!({ "$ref": format!("#/$defs/{}", i + 1) });
            defs.insert(i.to_string(), json!({ "allOf": [next, next] }));
        }
        defs.insert("60".to_owned(), json!({ "type": "string" }));
        let schema = json!({ "$ref": "#/$defs/0", "type": "object", "$defs": defs });
        let _ = is_empty(&schema);
    }
}
