//! What a schema and the schemas it is made of speak of, for the `unevaluated` keywords.

use std::cell::Cell;

use serde_json::{Map, Value};

use super::{Lowering, reach::is_true};
use crate::{
    emit::typescript::form::{Condition, Evaluated, Form, Kind},
    model::shape::TypeSet,
};

/// How many schemas are followed that speak of the same value; those that go round in circles
/// accept nothing anyway.
const STEPS: u32 = 2000;

/// Reads what one schema says itself.
type Own<'a> = fn(&Lowering<'a>, &'a Map<String, Value>, bool) -> Evaluated;

impl<'a> Lowering<'a> {
    /// The members that the schema speaks of, its own `unevaluatedProperties` apart.
    pub(super) fn evaluated_properties(&self, map: &'a Map<String, Value>) -> Evaluated {
        self.evaluated(
            map,
            own_properties,
            TypeSet::OBJECT,
            true,
            &Cell::new(STEPS),
        )
    }

    /// The items that the schema speaks of, its own `unevaluatedItems` apart.
    pub(super) fn evaluated_items(&self, map: &'a Map<String, Value>) -> Evaluated {
        self.evaluated(map, own_items, TypeSet::ARRAY, true, &Cell::new(STEPS))
    }

    fn evaluated(
        &self,
        map: &'a Map<String, Value>,
        own: Own<'a>,
        types: TypeSet,
        outermost: bool,
        steps: &Cell<u32>,
    ) -> Evaluated {
        let mut all = own(self, map, outermost);
        let Some(left) = steps.get().checked_sub(1) else {
            return all;
        };
        steps.set(left);
        let below = |schema: &'a Value| match schema {
            Value::Object(map) => self.evaluated(map, own, types, false, steps),
            _ => Evaluated::default(),
        };
        let reference = map.get("$ref").and_then(Value::as_str);
        if let Some((_, found)) = reference.and_then(|r| self.resolve(r)) {
            all.merge(below(found));
        }
        for part in schemas(map, "allOf") {
            all.merge(below(part));
        }
        for option in schemas(map, "anyOf").chain(schemas(map, "oneOf")) {
            let then = below(option);
            self.add(&mut all, option, types, then, Evaluated::default());
        }
        if let Some(condition) = map.get("if") {
            let mut then = below(condition);
            then.merge(map.get("then").map(below).unwrap_or_default());
            let otherwise = map.get("else").map(below).unwrap_or_default();
            self.add(&mut all, condition, types, then, otherwise);
        }
        let dependent = map.get("dependentSchemas").and_then(Value::as_object);
        for (key, schema) in dependent.into_iter().flatten() {
            let then = below(schema);
            if !then.is_empty() {
                all.when.push(Condition::Key(key.clone(), then));
            }
        }
        all
    }

    /// Adds what depends on whether `schema` accepts the value.
    fn add(
        &self,
        all: &mut Evaluated,
        schema: &'a Value,
        types: TypeSet,
        then: Evaluated,
        otherwise: Evaluated,
    ) {
        if then.is_empty() && otherwise.is_empty() {
            return;
        }
        let form = self.lower(schema, types);
        match (is_true(schema), form.kind == Kind::Never) {
            (true, _) => all.merge(then),
            (false, true) => all.merge(otherwise),
            (false, false) => all.when.push(Condition::If(form, then, otherwise)),
        }
    }
}

fn own_properties<'a>(_: &Lowering<'a>, map: &'a Map<String, Value>, outermost: bool) -> Evaluated {
    let keys = |keyword| {
        map.get(keyword)
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(key, _)| key.clone())
            .collect()
    };
    Evaluated {
        all: map.contains_key("additionalProperties")
            || (!outermost && map.contains_key("unevaluatedProperties")),
        keys: keys("properties"),
        patterns: keys("patternProperties"),
        ..Evaluated::default()
    }
}

fn own_items<'a>(
    lowering: &Lowering<'a>,
    map: &'a Map<String, Value>,
    outermost: bool,
) -> Evaluated {
    let prefix = map.get("prefixItems").and_then(Value::as_array);
    let containing: Vec<Form> = map
        .get("contains")
        .map(|schema| lowering.lower(schema, TypeSet::ALL))
        .into_iter()
        .collect();
    Evaluated {
        all: map.contains_key("items") || (!outermost && map.contains_key("unevaluatedItems")),
        items: prefix.map_or(0, |prefix| prefix.len() as u64),
        containing,
        ..Evaluated::default()
    }
}

fn schemas<'a>(map: &'a Map<String, Value>, keyword: &str) -> impl Iterator<Item = &'a Value> {
    map.get(keyword)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}
