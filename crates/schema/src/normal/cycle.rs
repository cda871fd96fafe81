//! Finds references that go round without stepping into a part of the value: no validator can
//! give them a meaning.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::definition_name;

/// How many definitions of one schema are told.
const MAX_TOLD: usize = 8;

/// The definitions (empty name: the root) that lead back to themselves on the same value.
pub(super) fn endless(root: &Value, defs: &Map<String, Value>) -> Vec<String> {
    let mut edges: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    edges.insert("", same_value(root));
    for (name, schema) in defs {
        edges.insert(name, same_value(schema));
    }
    let on_a_way = without_ends(&edges);
    on_a_way
        .iter()
        .filter(|name| returns(name, &edges, &on_a_way))
        .take(MAX_TOLD)
        .map(|name| (*name).to_owned())
        .collect()
}

/// What is left when every definition without a way on is taken away, again and again.
fn without_ends<'e>(edges: &'e BTreeMap<&'e str, Vec<String>>) -> BTreeSet<&'e str> {
    let mut ways: BTreeMap<&str, usize> = BTreeMap::new();
    let mut back: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, targets) in edges {
        ways.insert(from, targets.len());
        for target in targets {
            back.entry(target).or_default().push(from);
        }
    }
    let mut ends: Vec<&str> = edges
        .iter()
        .filter(|(_, targets)| targets.is_empty())
        .map(|(name, _)| *name)
        .collect();
    let mut left: BTreeSet<&str> = edges.keys().copied().collect();
    while let Some(end) = ends.pop() {
        left.remove(end);
        for from in back.get(end).into_iter().flatten() {
            if let Some(count) = ways.get_mut(from) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    ends.push(from);
                }
            }
        }
    }
    left
}

/// The definitions that `schema` applies to the very value that it is applied to.
fn same_value(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![schema];
    while let Some(Value::Object(map)) = open.pop() {
        for (key, value) in map {
            match (key.as_str(), value) {
                ("$ref", Value::String(reference)) => found.extend(definition_name(reference)),
                ("allOf" | "anyOf" | "oneOf", Value::Array(items)) => open.extend(items),
                ("not" | "if" | "then" | "else", schema) => open.push(schema),
                ("dependentSchemas", Value::Object(members)) => open.extend(members.values()),
                _ => {}
            }
        }
    }
    found
}

fn returns(start: &str, edges: &BTreeMap<&str, Vec<String>>, on_a_way: &BTreeSet<&str>) -> bool {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = vec![start];
    while let Some(at) = open.pop() {
        for next in edges.get(at).into_iter().flatten() {
            if next == start {
                return true;
            }
            if on_a_way.contains(next.as_str()) && seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}
