//! Whether a schema is small enough for OpenAI's strict mode.

use serde_json::{Map, Value};

use super::rules::STRICT;

#[derive(Default)]
struct Counted {
    properties: usize,
    depth: usize,
    enum_values: usize,
    characters: usize,
}

/// The limit of strict mode that `schema` exceeds, in words.
pub(super) fn exceeded(schema: &Map<String, Value>) -> Option<String> {
    let counted = count(schema);
    let over = |what: &str, found: usize, most: usize| {
        (found > most).then(|| format!("{found} {what}, at most {most}"))
    };
    over("properties", counted.properties, STRICT.properties)
        .or_else(|| over("levels of nesting", counted.depth, STRICT.depth))
        .or_else(|| over("enum values", counted.enum_values, STRICT.enum_values))
        .or_else(|| over("characters of names", counted.characters, STRICT.characters))
}

fn count(schema: &Map<String, Value>) -> Counted {
    let mut counted = Counted::default();
    let mut open = vec![(schema, 1)];
    while let Some((node, depth)) = open.pop() {
        counted.depth = counted.depth.max(depth);
        if let Some(values) = node.get("enum").and_then(Value::as_array) {
            counted.enum_values += values.len();
            counted.characters += values
                .iter()
                .filter_map(Value::as_str)
                .map(length)
                .sum::<usize>();
        }
        for keyword in ["properties", "$defs"] {
            if let Some(named) = node.get(keyword).and_then(Value::as_object) {
                counted.characters += named.keys().map(|name| length(name)).sum::<usize>();
                counted.properties += if keyword == "properties" {
                    named.len()
                } else {
                    0
                };
                let deeper = depth + usize::from(keyword == "properties");
                open.extend(
                    named
                        .values()
                        .filter_map(Value::as_object)
                        .map(|n| (n, deeper)),
                );
            }
        }
        if let Some(items) = node.get("items").and_then(Value::as_object) {
            open.push((items, depth + 1));
        }
        if let Some(branches) = node.get("anyOf").and_then(Value::as_array) {
            open.extend(
                branches
                    .iter()
                    .filter_map(Value::as_object)
                    .map(|n| (n, depth)),
            );
        }
    }
    counted
}

fn length(text: &str) -> usize {
    text.chars().count()
}
