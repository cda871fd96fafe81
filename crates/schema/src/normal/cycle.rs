//! Finds references that go round without stepping into a part of the value: no validator can
//! give them a meaning.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::Target;

/// How many definitions of one schema are told.
const MAX_TOLD: usize = 8;

/// What each target applies to the very value that it is applied to.
type Edges = BTreeMap<Target, Vec<Target>>;

/// The targets that lead back to themselves on the same value.
pub(super) fn endless(root: &Value, defs: &Map<String, Value>) -> Vec<Target> {
    let mut edges = Edges::from([(Target::Root, same_value(root))]);
    for (name, schema) in defs {
        edges.insert(Target::Definition(name.clone()), same_value(schema));
    }
    let on_a_way = without_ends(&edges);
    on_a_way
        .iter()
        .filter(|target| returns(target, &edges, &on_a_way))
        .take(MAX_TOLD)
        .map(|target| (*target).clone())
        .collect()
}

/// What is left when every target without a way on is taken away, again and again.
fn without_ends(edges: &Edges) -> BTreeSet<&Target> {
    let mut ways: BTreeMap<&Target, usize> = BTreeMap::new();
    let mut back: BTreeMap<&Target, Vec<&Target>> = BTreeMap::new();
    for (from, targets) in edges {
        ways.insert(from, targets.len());
        for target in targets {
            back.entry(target).or_default().push(from);
        }
    }
    let mut ends: Vec<&Target> = edges
        .iter()
        .filter(|(_, targets)| targets.is_empty())
        .map(|(target, _)| target)
        .collect();
    let mut left: BTreeSet<&Target> = edges.keys().collect();
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

/// The targets that `schema` applies to the very value that it is applied to.
fn same_value(schema: &Value) -> Vec<Target> {
    let mut found = Vec::new();
    let mut open = vec![schema];
    while let Some(Value::Object(map)) = open.pop() {
        for (key, value) in map {
            match (key.as_str(), value) {
                ("$ref", Value::String(reference)) => found.extend(Target::of(reference)),
                ("allOf" | "anyOf" | "oneOf", Value::Array(items)) => open.extend(items),
                ("not" | "if" | "then" | "else", schema) => open.push(schema),
                ("dependentSchemas", Value::Object(members)) => open.extend(members.values()),
                _ => {}
            }
        }
    }
    found
}

fn returns(start: &Target, edges: &Edges, on_a_way: &BTreeSet<&Target>) -> bool {
    let mut seen: BTreeSet<&Target> = BTreeSet::new();
    let mut open: Vec<&Target> = vec![start];
    while let Some(at) = open.pop() {
        for next in edges.get(at).into_iter().flatten() {
            if next == start {
                return true;
            }
            if on_a_way.contains(next) && seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_definition_without_a_name_hides_no_circle() {
        let root = json!({ "$ref": "#", "properties": { "a": { "$ref": "#/$defs/" } } });
        let defs = json!({ "": { "type": "string" } });
        let defs = defs.as_object().unwrap();
        assert_eq!(endless(&root, defs), [Target::Root]);
        // Control: without the circle there is none.
        let root = json!({ "properties": { "a": { "$ref": "#/$defs/" } } });
        assert!(endless(&root, defs).is_empty());
    }
}
