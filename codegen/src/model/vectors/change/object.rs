//! Changes of objects: each required member missing, a member that nobody named, counts met and
//! passed, what a member needs missing.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{
    super::{
        question::Choices,
        sample::{Sampler, Size},
    },
    Changes,
};

/// The most members that are added to pass a count.
const MAX_ADDED: usize = 16;
/// What a member is called that no schema knows.
const UNKNOWN: &str = "unknown_member";

pub(super) fn members(changes: &mut Changes<'_, '_>) {
    let Some(Value::Object(members)) = changes.site.value().cloned() else {
        return;
    };
    required(changes, &members);
    unknown(changes, &members);
    counts(changes, &members);
    if let Value::Object(full) = &changes.site.full {
        dependents(changes, full);
    }
    refused(changes);
}

fn required(changes: &mut Changes<'_, '_>, members: &Map<String, Value>) {
    let names: BTreeSet<&str> = changes
        .site
        .place
        .each("required")
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for name in names {
        if let Some(fewer) = without(members, name) {
            changes.put("required", &format!("without `{name}`"), fewer);
        }
    }
}

fn without(members: &Map<String, Value>, name: &str) -> Option<Value> {
    let mut fewer = members.clone();
    fewer.shift_remove(name)?;
    Some(Value::Object(fewer))
}

fn with(members: &Map<String, Value>, name: &str, value: Value) -> Value {
    let mut more = members.clone();
    more.insert(name.to_owned(), value);
    Value::Object(more)
}

/// Members that the schema does not name: with a value that fits and with ones that may not.
fn unknown(changes: &mut Changes<'_, '_>, members: &Map<String, Value>) {
    let schemas = changes.site.place.member(changes.schemas, UNKNOWN);
    let choices = Choices::default();
    let at = format!("{}/{UNKNOWN}", changes.site.name());
    let fitting = Sampler::new(changes.schemas, &choices, Size::Minimal).value(&schemas, &at, 0);
    let fitting = fitting.filter(|_| !schemas.is_empty());
    if let Some(value) = fitting {
        changes.put(
            "unknown, typed",
            "with a member that nobody named",
            with(members, UNKNOWN, value),
        );
    }
    let values = [
        (
            "unknown",
            "with a member that nobody knows",
            json!("anything"),
        ),
        (
            "unknown, nested",
            "with a member that nobody knows, an object",
            json!({ "a": [1.5, null] }),
        ),
    ];
    for (kind, what, value) in values {
        changes.put(kind, what, with(members, UNKNOWN, value));
    }
    if changes.site.place.each("propertyNames").next().is_some() {
        let value = json!("anything");
        changes.put(
            "name",
            "with a member of an odd name",
            with(members, "Odd name!", value),
        );
    }
}

fn counts(changes: &mut Changes<'_, '_>, members: &Map<String, Value>) {
    let place = &changes.site.place;
    if let Some(least) = place.at_least("minProperties")
        && least > 0
    {
        let few: Map<_, _> = members.clone().into_iter().take(least - 1).collect();
        changes.put("too few members", "one member too few", Value::Object(few));
    }
    if let Some(most) = changes.site.place.at_most("maxProperties")
        && most <= members.len().saturating_add(MAX_ADDED)
    {
        let mut many = members.clone();
        let mut nth = 0;
        while many.len() <= most {
            nth += 1;
            many.insert(format!("more_{nth}"), json!("anything"));
        }
        changes.put(
            "too many members",
            "one member too many",
            Value::Object(many),
        );
    }
}

/// A member without what it needs beside it.
fn dependents(changes: &mut Changes<'_, '_>, members: &Map<String, Value>) {
    let mut found: Vec<(String, Value)> = Vec::new();
    for keywords in &changes.site.place.all {
        let names = keywords.get("dependentRequired").and_then(Value::as_object);
        for (name, needs) in names.into_iter().flatten() {
            for need in needs
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
            {
                if members.contains_key(name)
                    && let Some(fewer) = without(members, need)
                {
                    found.push((format!("`{name}` without `{need}`"), fewer));
                }
            }
        }
        let schemas = keywords.get("dependentSchemas").and_then(Value::as_object);
        for name in schemas.into_iter().flat_map(Map::keys) {
            let alone: Map<String, Value> = members
                .iter()
                .filter(|(member, _)| *member == name)
                .map(|(member, value)| (member.clone(), value.clone()))
                .collect();
            if !alone.is_empty() {
                found.push((format!("`{name}` alone"), Value::Object(alone)));
            }
        }
    }
    for (what, value) in found {
        changes.put("dependent", &what, value);
    }
}

/// What `not` describes.
fn refused(changes: &mut Changes<'_, '_>) {
    let schemas: Vec<&Value> = changes.site.place.each("not").collect();
    let choices = Choices::default();
    let at = changes.site.name();
    for schema in schemas {
        let mut sampler = Sampler::new(changes.schemas, &choices, Size::Minimal);
        if let Some(value) = sampler.value(&[schema], &at, 0) {
            changes.put("not", "what `not` describes", value);
        }
    }
}
