//! Integers that are not exact everywhere, judged with the schema in hand.
//!
//! At a place that wants an integer, one beyond ±(2^53 - 1) is refused, however it is spelled:
//! JavaScript would round it. Elsewhere a number is refused only when no double equals it, since
//! a double is what every reader makes of it. With `x-ts` the place opts in to any integer.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Number, Value};

use crate::{
    bounds::is_wide,
    bundle::Bundle,
    normal::{NormalError, definition_name, normalize},
    pointer::join,
    violation::{Violation, bounded},
    vocabulary::{TS, TS_VALUES},
};

/// A schema that is asked about wide integers.
///
/// Whatever may apply to a place counts, in whatever branch of a union.
#[derive(Debug, Clone)]
pub struct Wide {
    /// In normal form.
    schema: Value,
}

impl Wide {
    /// Takes a self-contained schema, our `x-` keywords still in it.
    ///
    /// # Errors
    /// When it has no normal form.
    pub fn new(schema: &Value) -> Result<Self, Vec<NormalError>> {
        let bundle = Bundle {
            schema: schema.clone(),
            shared: BTreeMap::new(),
        };
        Ok(Self {
            schema: normalize(&bundle)?.schema,
        })
    }

    /// The integers of `value` that are refused where they stand.
    ///
    /// Check the depth of `value` first ([`crate::bounds::check`]): this recurses as deep.
    #[must_use]
    pub fn violations(&self, value: &Value) -> Vec<Violation> {
        let mut found = Vec::new();
        self.visit(value, "", vec![&self.schema], &mut found);
        found
    }

    fn visit(&self, value: &Value, at: &str, schemas: Vec<&Value>, found: &mut Vec<Violation>) {
        let tops = schemas.clone();
        let schemas = self.applied(schemas);
        match value {
            Value::Number(number)
                if is_wide(number) && self.is_refused(number, &tops, &schemas) =>
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

    /// Whether a wide number may not stand where `tops` apply, and through them `schemas`.
    fn is_refused(&self, number: &Number, tops: &[&Value], schemas: &[&Value]) -> bool {
        if schemas.iter().any(|schema| is_opt_in(schema)) {
            return false;
        }
        let says = |name: &str| schemas.iter().any(|schema| has_type(schema, name));
        let wants = if says("number") {
            // Both types together want an integer; on alternative ways to the place they do not.
            let (mut whole, mut open) = (false, false);
            for top in tops {
                let parts = self.together(top);
                if parts
                    .iter()
                    .any(|part| has_type(part, "integer") && !has_type(part, "number"))
                {
                    whole = true;
                } else {
                    let all = self.applied(vec![top]);
                    open |= all.iter().any(|schema| has_type(schema, "number"));
                }
            }
            whole && !open
        } else {
            says("integer")
        };
        wants || !is_double(number)
    }

    /// `schema` and what holds whenever it does: its references and the parts of its `allOf`.
    fn together<'s>(&'s self, schema: &'s Value) -> Vec<&'s Value> {
        let mut all: Vec<&Value> = Vec::new();
        let mut seen: BTreeSet<*const Value> = BTreeSet::new();
        let mut open = vec![schema];
        while let Some(schema) = open.pop() {
            if !seen.insert(std::ptr::from_ref(schema)) {
                continue;
            }
            all.push(schema);
            let reference = schema.get("$ref").and_then(Value::as_str);
            open.extend(reference.and_then(|reference| self.target(reference)));
            open.extend(
                schema
                    .get("allOf")
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten(),
            );
        }
        all
    }

    fn target(&self, reference: &str) -> Option<&Value> {
        match definition_name(reference)? {
            name if name.is_empty() => Some(&self.schema),
            name => self.schema.get("$defs")?.get(name),
        }
    }
}

fn is_opt_in(schema: &Value) -> bool {
    schema
        .get(TS)
        .and_then(Value::as_str)
        .is_some_and(|text| TS_VALUES.contains(&text))
}

fn has_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

/// Whether a double is equal to the number.
fn is_double(number: &Number) -> bool {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "whether the way there and back changes the integer is the question"
    )]
    let survives = |integer: i128| integer as f64 as i128 == integer;
    match (number.as_i64(), number.as_u64()) {
        (Some(signed), _) => survives(i128::from(signed)),
        (None, Some(unsigned)) => survives(i128::from(unsigned)),
        (None, None) => true,
    }
}

/// Whether `value` holds a number that has to be judged. Iterative.
#[must_use]
pub fn has_wide(value: &Value) -> bool {
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
