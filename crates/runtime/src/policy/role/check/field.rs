//! What a schema says about the argument at a pointer.
//!
//! Errs on one side: it may miss a place that does not exist after all, and never claims that
//! something cannot be where it can.

use serde_json::{Number, Value};
use toolcontract_schema::pointer::{from_fragment, resolve};

use super::super::{
    pointer::{Part, Pointer, index},
    test::{compare, scalar_type},
};

/// How many schemas are looked at for one place. Real ones need a handful.
const MOST: usize = 512;
/// How many references and unions may stand inside each other.
const DEEPEST: usize = 32;

/// The schemas of the values that `pointer` leads to; none when the schema names no such place.
pub(super) fn places<'s>(root: &'s Value, pointer: &Pointer) -> Vec<&'s Value> {
    let mut places = vec![root];
    for part in &pointer.parts {
        let around = spread(root, places);
        places = around
            .into_iter()
            .flat_map(|schema| children(schema, part))
            .collect();
    }
    places
}

/// The names that the schema has for members of the root.
pub(super) fn names(root: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = spread(root, vec![root])
        .into_iter()
        .filter_map(|schema| schema.get("properties")?.as_object())
        .flat_map(|properties| properties.keys().map(String::as_str))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The schemas, and all that apply to the same place.
fn spread<'s>(root: &'s Value, mut open: Vec<&'s Value>) -> Vec<&'s Value> {
    let mut all: Vec<&Value> = Vec::new();
    while let Some(schema) = open.pop() {
        if all.len() >= MOST || all.iter().any(|seen| std::ptr::eq(*seen, schema)) {
            continue;
        }
        all.push(schema);
        open.extend(target(root, schema));
        for keyword in ["allOf", "anyOf", "oneOf"] {
            open.extend(list(schema, keyword));
        }
        for keyword in ["if", "then", "else"] {
            open.extend(schema.get(keyword));
        }
        let dependent = schema.get("dependentSchemas").and_then(Value::as_object);
        open.extend(dependent.into_iter().flat_map(|all| all.values()));
    }
    all
}

fn list<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = &'s Value> {
    schema
        .get(keyword)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

fn target<'s>(root: &'s Value, schema: &'s Value) -> Option<&'s Value> {
    let fragment = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
    resolve(root, &from_fragment(fragment)?)
}

fn children<'s>(schema: &'s Value, part: &Part) -> Vec<&'s Value> {
    let member = |key: &str| schema.get("properties")?.get(key);
    let item = |at: usize| {
        let first = schema.get("prefixItems").and_then(Value::as_array);
        first
            .and_then(|first| first.get(at))
            .or(schema.get("items"))
    };
    let mut found: Vec<&Value> = match part {
        Part::Items => list(schema, "prefixItems")
            .chain(schema.get("items"))
            .collect(),
        Part::Key(key) => {
            let named = member(key).or_else(|| index(key).and_then(item));
            let others = || {
                let patterns = schema.get("patternProperties").and_then(Value::as_object);
                let rest = schema
                    .get("additionalProperties")
                    .filter(|rest| rest.is_object());
                patterns
                    .into_iter()
                    .flat_map(|all| all.values())
                    .chain(rest)
            };
            match named {
                Some(named) => vec![named],
                None => others().collect(),
            }
        }
    };
    found.retain(|schema| **schema != Value::Bool(false));
    found
}

/// Whether every input has the place: each member on the way is required.
pub(super) fn is_required(root: &Value, pointer: &Pointer) -> bool {
    let [Part::Key(key)] = pointer.parts.as_slice() else {
        return false;
    };
    let needs = |schema: &Value| list(schema, "required").any(|name| name == key);
    needs(root) || list(root, "allOf").any(needs) || target(root, root).is_some_and(needs)
}

/// The types, integers as numbers, that a value which meets `schema` may have; none: any.
pub(super) fn types(root: &Value, schema: &Value, depth: usize) -> Option<Vec<String>> {
    if depth > DEEPEST || !schema.is_object() {
        return None;
    }
    let own = match schema.get("type") {
        Some(Value::String(one)) => Some(vec![one.clone()]),
        Some(Value::Array(all)) => Some(
            all.iter()
                .filter_map(|t| t.as_str().map(str::to_owned))
                .collect(),
        ),
        _ => None,
    };
    let own = own.map(|all: Vec<String>| all.iter().map(|t| plain(t)).collect());
    let listed = values(root, schema, depth)
        .map(|all| all.into_iter().map(|v| scalar_type(v).to_owned()).collect());
    let mut joined = both(own, listed);
    for part in target(root, schema)
        .into_iter()
        .chain(list(schema, "allOf"))
    {
        joined = both(joined, types(root, part, depth + 1));
    }
    for keyword in ["anyOf", "oneOf"] {
        let branches: Option<Vec<Vec<String>>> = list(schema, keyword)
            .map(|branch| types(root, branch, depth + 1))
            .collect();
        let union = branches
            .map(|all| all.concat())
            .filter(|all| !all.is_empty());
        joined = both(joined, union);
    }
    joined
}

fn plain(name: &str) -> String {
    match name {
        "integer" => "number".to_owned(),
        other => other.to_owned(),
    }
}

fn both(a: Option<Vec<String>>, b: Option<Vec<String>>) -> Option<Vec<String>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.into_iter().filter(|t| b.contains(t)).collect()),
        (a, b) => a.or(b),
    }
}

/// The only values that meet `schema`; none: too many to list.
pub(super) fn values<'s>(
    root: &'s Value,
    schema: &'s Value,
    depth: usize,
) -> Option<Vec<&'s Value>> {
    if depth > DEEPEST {
        return None;
    }
    if let Some(only) = schema.get("const") {
        return Some(vec![only]);
    }
    if let Some(Value::Array(all)) = schema.get("enum") {
        return Some(all.iter().collect());
    }
    let mut parts = target(root, schema)
        .into_iter()
        .chain(list(schema, "allOf"));
    if let Some(found) = parts.find_map(|part| values(root, part, depth + 1)) {
        return Some(found);
    }
    ["anyOf", "oneOf"].into_iter().find_map(|keyword| {
        let branches: Option<Vec<Vec<&Value>>> = list(schema, keyword)
            .map(|branch| values(root, branch, depth + 1))
            .collect();
        branches
            .map(|all| all.concat())
            .filter(|all| !all.is_empty())
    })
}

/// The least and the greatest number that meets `schema`, as far as it says so itself.
pub(super) fn bounds<'s>(
    root: &'s Value,
    schema: &'s Value,
) -> (Option<&'s Number>, Option<&'s Number>) {
    let number = |schema: &'s Value, keyword: &str| match schema.get(keyword) {
        Some(Value::Number(bound)) => Some(bound),
        _ => None,
    };
    let of = |schema: &'s Value| (number(schema, "minimum"), number(schema, "maximum"));
    let (low, high) = of(schema);
    let (other_low, other_high) = target(root, schema).map_or((None, None), of);
    let stricter = |a: Option<&'s Number>, b: Option<&'s Number>, wanted| match (a, b) {
        (Some(a), Some(b)) if compare(b, a) == Some(wanted) => Some(b),
        (a, b) => a.or(b),
    };
    (
        stricter(low, other_low, std::cmp::Ordering::Greater),
        stricter(high, other_high, std::cmp::Ordering::Less),
    )
}
