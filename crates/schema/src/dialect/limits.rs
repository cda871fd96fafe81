//! Whether a schema is small enough for OpenAI's strict mode.

use serde_json::{Map, Value};

use super::{
    position::{Position, position},
    rules::STRICT,
};

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
    let mut queue = vec![(schema, 1)];
    while let Some((node, depth)) = queue.pop() {
        counted.depth = counted.depth.max(depth);
        if let Some(values) = node.get("enum").and_then(Value::as_array) {
            counted.enum_values += values.len();
            counted.characters += values
                .iter()
                .filter_map(Value::as_str)
                .map(|s| s.chars().count())
                .sum::<usize>();
        }
        for (keyword, value) in node {
            let deeper = match keyword.as_str() {
                "properties" | "items" => depth + 1,
                _ => depth,
            };
            match (position(keyword), value) {
                (Position::Schema, Value::Object(below)) => queue.push((below, deeper)),
                (Position::List, Value::Array(items)) => {
                    queue.extend(
                        items
                            .iter()
                            .filter_map(Value::as_object)
                            .map(|n| (n, deeper)),
                    );
                }
                (Position::Map, Value::Object(map)) => {
                    counted.characters += map.keys().map(|k| k.chars().count()).sum::<usize>();
                    if keyword == "properties" {
                        counted.properties += map.len();
                    }
                    queue.extend(
                        map.values()
                            .filter_map(Value::as_object)
                            .map(|n| (n, deeper)),
                    );
                }
                _ => {}
            }
        }
    }
    counted
}
