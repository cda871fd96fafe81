//! Taking a variant of a union only when it keeps all of the value.

use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned, de::Error as _};
use serde_json::{Number, Value};

/// For `#[serde(deserialize_with)]` on a variant of an untagged enum whose variants overlap: the
/// variant is taken only when it gives back the value that it was made from, so that the first
/// variant that fits is never one that loses a member.
///
/// # Errors
/// When the value is no `T`, or `T` would lose something of it.
pub fn exact<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: DeserializeOwned + Serialize,
    D: Deserializer<'de>,
{
    let value = Value::deserialize(deserializer)?;
    let typed = T::deserialize(&value).map_err(D::Error::custom)?;
    let back = serde_json::to_value(&typed).map_err(D::Error::custom)?;
    if equal(&value, &back) {
        Ok(typed)
    } else {
        Err(D::Error::custom(
            "the variant does not hold all of the value",
        ))
    }
}

/// Equality of JSON Schema: the order of members and the spelling of numbers do not matter.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => equal_numbers(a, b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        (a, b) => a == b,
    }
}

fn equal_numbers(a: &Number, b: &Number) -> bool {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a.as_f64() == b.as_f64(),
        _ => false,
    }
}

/// The whole number that `number` is, exactly.
fn whole(number: &Number) -> Option<i128> {
    if let Some(integer) = number.as_i128() {
        return Some(integer);
    }
    let float = number.as_f64()?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "without a fraction and far inside the range of i128"
    )]
    (float.fract() == 0.0 && float.abs() < 1e38).then_some(float as i128)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Point {
        x: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        y: Option<f64>,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Place {
        #[serde(deserialize_with = "exact")]
        Point(Point),
        #[serde(deserialize_with = "exact")]
        Other(serde_json::Map<String, Value>),
    }

    fn place(value: Value) -> Option<Place> {
        serde_json::from_value(value).ok()
    }

    #[test]
    fn a_variant_that_keeps_everything_is_taken() {
        assert!(matches!(place(json!({ "x": 1 })), Some(Place::Point(_))));
        assert!(matches!(
            place(json!({ "y": 2.5, "x": 1.0 })),
            Some(Place::Point(_))
        ));
    }

    #[test]
    fn a_variant_that_would_lose_something_is_not() {
        for lossy in [
            json!({ "x": 1, "z": 1 }),
            json!({ "x": 1, "y": null }),
            json!({ "x": 9_007_199_254_740_993_u64 }),
        ] {
            assert!(matches!(place(lossy), Some(Place::Other(_))));
        }
        assert_eq!(
            place(json!([1, 2])),
            None,
            "serde reads a sequence as a struct"
        );
    }
}
