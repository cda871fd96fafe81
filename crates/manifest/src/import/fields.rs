//! Takes the fields of a definition out of it, one by one: what is left at the end has no place.
//!
//! Refuses a value of another type than the protocol has. A null where a key could be left out
//! counts as absent, and is told.

use serde_json::{Map, Value};
use toolcontract_schema::pointer::join;

use super::{Fault, Oddity};

/// Takes a text out of `map`.
pub(super) fn string(
    map: &mut Map<String, Value>,
    key: &str,
    pointer: &'static str,
    oddities: &mut Vec<Oddity>,
) -> Result<Option<String>, Fault> {
    match present(map, key, pointer, oddities) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(wrong_type(pointer, "a string", &other)),
    }
}

/// Takes a boolean out of `map`.
pub(super) fn flag(
    map: &mut Map<String, Value>,
    key: &str,
    pointer: &'static str,
    oddities: &mut Vec<Oddity>,
) -> Result<Option<bool>, Fault> {
    match present(map, key, pointer, oddities) {
        None => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(flag)),
        Some(other) => Err(wrong_type(pointer, "a boolean", &other)),
    }
}

/// Takes an object out of `map`.
pub(super) fn object(
    map: &mut Map<String, Value>,
    key: &str,
    pointer: &'static str,
    oddities: &mut Vec<Oddity>,
) -> Result<Option<Value>, Fault> {
    match present(map, key, pointer, oddities) {
        None => Ok(None),
        Some(object @ Value::Object(_)) => Ok(Some(object)),
        Some(other) => Err(wrong_type(pointer, "an object", &other)),
    }
}

pub(super) fn wrong_type(pointer: &'static str, expected: &'static str, got: &Value) -> Fault {
    Fault::WrongType {
        pointer,
        expected,
        got: a(got),
    }
}

/// Takes what is under `key` out of `map`; a null counts as absent and is told.
fn present(
    map: &mut Map<String, Value>,
    key: &str,
    pointer: &str,
    oddities: &mut Vec<Oddity>,
) -> Option<Value> {
    let value = map.shift_remove(key)?;
    if value.is_null() {
        oddities.push(Oddity::NullIsAbsent {
            pointer: pointer.to_owned(),
        });
        return None;
    }
    Some(value)
}

/// Tells of keys that nothing took.
pub(super) fn leftovers(map: &Map<String, Value>, at: &str, oddities: &mut Vec<Oddity>) {
    oddities.extend(map.iter().map(|(key, value)| {
        let pointer = join(at, key);
        if value.is_null() {
            Oddity::NullIsAbsent { pointer }
        } else {
            Oddity::NotKept { pointer }
        }
    }));
}

/// What a value is, with its article.
pub(super) fn a(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
