//! Where a schema opts in to integers beyond 2^53 - 1, with `x-ts` at the place.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::{
    bounds::is_wide,
    bundle::Bundle,
    normal::{NormalError, definition_name, normalize},
    pointer::join,
    violation::{Violation, bounded},
    vocabulary::{TS, TS_VALUES},
    walk::walk,
};

/// The places of a schema that opt in.
///
/// A place counts when any schema that may apply to it says so, in whatever branch of a union.
#[derive(Debug, Clone, Default)]
pub struct Wide {
    /// The schema in normal form; none when no place opts in.
    schema: Option<Value>,
}

impl Wide {
    /// Reads the opt-ins of a self-contained schema, our `x-` keywords still in it.
    ///
    /// # Errors
    /// When a schema that opts in has no normal form.
    pub fn new(schema: &Value) -> Result<Self, Vec<NormalError>> {
        let mut opts_in = false;
        walk(schema, &mut |_, node| opts_in |= is_opt_in(node));
        if !opts_in {
            return Ok(Self::default());
        }
        let normal = normalize(&Bundle {
            schema: schema.clone(),
            shared: std::collections::BTreeMap::new(),
        })?;
        Ok(Self {
            schema: Some(normal.schema),
        })
    }

    /// The integers of `value` that are beyond 2^53 - 1 at a place that does not opt in.
    ///
    /// Check the depth of `value` first ([`crate::bounds::check`]): this recurses as deep.
    #[must_use]
    pub fn violations(&self, value: &Value) -> Vec<Violation> {
        let mut found = Vec::new();
        if !has_wide(value) {
            return found;
        }
        let root = self.schema.as_ref();
        self.visit(value, "", root.into_iter().collect(), &mut found);
        found
    }

    fn visit(&self, value: &Value, at: &str, schemas: Vec<&Value>, found: &mut Vec<Violation>) {
        let schemas = self.applied(schemas);
        match value {
            Value::Number(number)
                if is_wide(number) && !schemas.iter().any(|schema| is_opt_in(schema)) =>
            {
                found.push(Violation {
                    pointer: bounded(at),
                    keyword: TS.to_owned(),
                    expected: "an integer within ±9007199254740991".to_owned(),
                    got: "integer".to_owned(),
                });
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let inner = schemas.iter().flat_map(|s| of_item(s, index)).collect();
                    self.visit(item, &join(at, &index.to_string()), inner, found);
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    let inner = schemas.iter().flat_map(|s| of_member(s, name)).collect();
                    self.visit(member, &join(at, name), inner, found);
                }
            }
            _ => {}
        }
    }

    /// `schemas` and what they apply to the same value.
    fn applied<'s>(&'s self, schemas: Vec<&'s Value>) -> Vec<&'s Value> {
        let mut all: Vec<&Value> = Vec::new();
        let mut seen: BTreeSet<*const Value> = BTreeSet::new();
        let mut open = schemas;
        while let Some(schema) = open.pop() {
            if !seen.insert(std::ptr::from_ref(schema)) {
                continue;
            }
            all.push(schema);
            let Value::Object(map) = schema else { continue };
            for (key, inner) in map {
                match (key.as_str(), inner) {
                    ("$ref", Value::String(reference)) => open.extend(self.target(reference)),
                    ("allOf" | "anyOf" | "oneOf", Value::Array(items)) => open.extend(items),
                    ("if" | "then" | "else", schema) => open.push(schema),
                    ("dependentSchemas", Value::Object(members)) => open.extend(members.values()),
                    _ => {}
                }
            }
        }
        all
    }

    fn target(&self, reference: &str) -> Option<&Value> {
        let root = self.schema.as_ref()?;
        match definition_name(reference)? {
            name if name.is_empty() => Some(root),
            name => root.get("$defs")?.get(name),
        }
    }
}

fn is_opt_in(schema: &Value) -> bool {
    schema
        .get(TS)
        .and_then(Value::as_str)
        .is_some_and(|text| TS_VALUES.contains(&text))
}

fn has_wide(value: &Value) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Number(number) if is_wide(number) => return true,
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    false
}

/// What `schema` applies to the item at `index`.
fn of_item(schema: &Value, index: usize) -> Vec<&Value> {
    let prefix = schema.get("prefixItems").and_then(Value::as_array);
    let own = prefix.and_then(|prefix| prefix.get(index));
    let rest = own.is_none().then(|| schema.get("items")).flatten();
    let any = ["contains", "unevaluatedItems"].map(|key| schema.get(key));
    own.into_iter()
        .chain(rest)
        .chain(any.into_iter().flatten())
        .collect()
}

/// What `schema` applies to the member `name`; each pattern counts as one that may fit.
fn of_member<'s>(schema: &'s Value, name: &str) -> Vec<&'s Value> {
    let map = |key: &str| schema.get(key).and_then(Value::as_object);
    let own = map("properties").and_then(|properties| properties.get(name));
    let patterns = map("patternProperties").into_iter().flat_map(Map::values);
    let rest = own
        .is_none()
        .then(|| schema.get("additionalProperties"))
        .flatten();
    own.into_iter()
        .chain(patterns)
        .chain(rest)
        .chain(schema.get("unevaluatedProperties"))
        .collect()
}
