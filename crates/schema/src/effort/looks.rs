//! Where schemas look at a value: which of them at which of its parts, and how often. What may apply
//! counts as if it did.

use std::{collections::HashMap, ptr};

use serde_json::Value;

use crate::{
    pointer::resolve,
    walk::{Token, children, references},
};

/// How many pairs of a schema and a part of a value are counted.
const MAX_PAIRS: usize = 200_000;
/// How many schemas may stand inside each other on the way to a part of a value.
const MAX_CHAIN: usize = 1_000;

/// Stands for the names of members, into which no schema goes deeper.
static NAME: Value = Value::String(String::new());

/// What one look of a schema at a part of a value costs, without what is below.
pub(super) type Cost = fn(&Value, &Value) -> u64;

/// Adds up what looks cost.
pub(super) struct Looks<'v> {
    root: &'v Value,
    cost: Cost,
    max: u64,
    /// By places in memory; none while it is being counted, so also what goes round on the spot.
    known: HashMap<(*const Value, *const Value), Option<u64>>,
}

/// A schema, a part of the value that it looks at, and at how many that count as this one.
struct Look<'v> {
    schema: &'v Value,
    part: &'v Value,
    times: u64,
}

/// What all looks of the schema `root` at `value` cost; none where that is more than `max`, or not
/// found out.
pub(super) fn cost(root: &Value, value: &Value, cost: Cost, max: u64) -> Option<u64> {
    let mut looks = Looks {
        root,
        cost,
        max,
        known: HashMap::new(),
    };
    looks.of(root, value, 0)
}

impl<'v> Looks<'v> {
    fn of(&mut self, schema: &'v Value, part: &'v Value, chain: usize) -> Option<u64> {
        let pair = (ptr::from_ref(schema), ptr::from_ref(part));
        if let Some(known) = self.known.get(&pair) {
            return *known;
        }
        if chain > MAX_CHAIN || self.known.len() >= MAX_PAIRS {
            return None;
        }
        self.known.insert(pair, None);
        let mut sum = (self.cost)(schema, part);
        for look in self.next(schema, part) {
            let below = self.of(look.schema, look.part, chain + 1)?;
            sum = sum.saturating_add(below.saturating_mul(look.times));
            if sum > self.max {
                return None;
            }
        }
        self.known.insert(pair, Some(sum));
        Some(sum)
    }

    /// Where `schema` looks next.
    fn next(&self, schema: &'v Value, part: &'v Value) -> Vec<Look<'v>> {
        let mut next = Vec::new();
        next.extend(references(schema).map(|(_, reference)| Look {
            schema: self.target(reference),
            part,
            times: 1,
        }));
        children(schema, &mut |keyword, token, schema| {
            parts(keyword, token, part, &mut |part, times| {
                next.push(Look {
                    schema,
                    part,
                    times,
                });
            });
        });
        next
    }

    /// Where a reference leads; what is no pointer, to the beginning, as most of those do.
    fn target(&self, reference: &str) -> &'v Value {
        let pointer = reference.strip_prefix('#');
        pointer
            .and_then(|pointer| resolve(self.root, pointer))
            .unwrap_or(self.root)
    }
}

/// The parts of `value` that a schema under `keyword` looks at.
fn parts<'v>(
    keyword: &str,
    token: Option<Token<'_>>,
    value: &'v Value,
    look: &mut dyn FnMut(&'v Value, u64),
) {
    match (keyword, token, value) {
        ("properties", Some(Token::Name(name)), Value::Object(members)) => {
            members.get(name).into_iter().for_each(|part| look(part, 1));
        }
        (
            "patternProperties" | "additionalProperties" | "unevaluatedProperties",
            _,
            Value::Object(members),
        ) => members.values().for_each(|part| look(part, 1)),
        ("propertyNames", None, Value::Object(members)) => look(&NAME, members.len() as u64),
        ("prefixItems" | "items", Some(Token::Index(index)), Value::Array(items)) => {
            items.get(index).into_iter().for_each(|part| look(part, 1));
        }
        (
            "items" | "additionalItems" | "unevaluatedItems" | "contains",
            None,
            Value::Array(items),
        ) => items.iter().for_each(|part| look(part, 1)),
        (
            "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" | "dependentSchemas"
            | "dependencies",
            ..,
        ) => look(value, 1),
        _ => {}
    }
}
