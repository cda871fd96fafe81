//! Texts of a definition that a model reads otherwise than a person sees them.

use serde_json::{Map, Value};
use toolcontract_schema::pointer::join;

use super::Oddity;
use crate::text::all_hidden;

/// The first hidden character of each text and each key in the definition.
pub(super) fn hidden(map: &Map<String, Value>) -> Vec<Oddity> {
    let mut found = Vec::new();
    let mut open: Vec<(String, &Value)> = members(map, "").collect();
    open.reverse();
    for key in map.keys() {
        found.extend(hidden_in(key, &join("", key)));
    }
    while let Some((pointer, value)) = open.pop() {
        let from = open.len();
        match value {
            Value::String(text) => found.extend(hidden_in(text, &pointer)),
            Value::Array(items) => open.extend(
                items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| (join(&pointer, &index.to_string()), item)),
            ),
            Value::Object(map) => {
                for key in map.keys() {
                    found.extend(hidden_in(key, &join(&pointer, key)));
                }
                open.extend(members(map, &pointer));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        open.get_mut(from..).unwrap_or_default().reverse();
    }
    found
}

fn members<'m>(
    map: &'m Map<String, Value>,
    pointer: &str,
) -> impl Iterator<Item = (String, &'m Value)> {
    map.iter()
        .map(move |(key, value)| (join(pointer, key), value))
}

fn hidden_in(text: &str, pointer: &str) -> Option<Oddity> {
    let (_, character) = all_hidden(text).next()?;
    Some(Oddity::HiddenCharacter {
        pointer: pointer.to_owned(),
        character,
    })
}
