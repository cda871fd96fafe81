//! Holds each `parse` to the vectors of its contract: what they call valid is taken and given back
//! equal, everything else is refused.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolcontract_schema::ParseError;

#[derive(Deserialize)]
struct Vector {
    about: String,
    valid: bool,
    value: Value,
}

/// The vectors of one tool, by side: `input` and, where that has a schema, `output`.
fn read(text: &str) -> BTreeMap<String, Vec<Vector>> {
    serde_json::from_str(text).unwrap()
}

fn check<T: Serialize>(vectors: &[Vector], parse: fn(Value) -> Result<T, ParseError>) {
    assert!(!vectors.is_empty());
    let faults: Vec<String> = vectors
        .iter()
        .filter_map(|vector| {
            let (about, value) = (&vector.about, &vector.value);
            let fault = match parse(value.clone()) {
                Ok(parsed) if vector.valid => {
                    let back = serde_json::to_value(parsed).unwrap();
                    (!equal(value, &back)).then(|| format!("gives back {back}"))
                }
                Err(ParseError::Invalid(_)) if !vector.valid => None,
                Ok(_) => Some("is taken and is not valid".to_owned()),
                Err(why) => Some(format!("is refused: {why}")),
            };
            fault.map(|fault| format!("{about}: {value} {fault}"))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Equality of JSON Schema: neither the order of members nor the spelling of a number matters.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || (a.is_f64() || b.is_f64()) && a.as_f64() == b.as_f64()
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(name, a): (&String, &Value)| b.get(name).is_some_and(|b| equal(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        (a, b) => a == b,
    }
}

#[rustfmt::skip]
mod tools {
{{tools}}}
