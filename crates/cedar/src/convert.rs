//! From JSON to Cedar values, by the shape that the schema has. What has no place in the shape is
//! an error and never left out.

use cedar_policy::RestrictedExpression as Expression;
use serde_json::{Number, Value};
use toolcontract_schema::pointer::join;

use crate::shape::{Field, Shape};

/// Why an argument has no Cedar value: where, and what. Never the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the argument `{pointer}` {what}")]
pub(crate) struct ConvertError {
    pointer: String,
    what: &'static str,
}

/// The value of an input.
pub(crate) fn input(shape: &Shape, value: &Value) -> Result<Expression, ConvertError> {
    convert(shape, value, "")
}

/// As deep as the shape, which is bounded.
fn convert(shape: &Shape, value: &Value, pointer: &str) -> Result<Expression, ConvertError> {
    let fail = |what| {
        Err(ConvertError {
            pointer: pointer.to_owned(),
            what,
        })
    };
    match (shape, value) {
        (Shape::String, Value::String(text)) => Ok(Expression::new_string(text.clone())),
        (Shape::Boolean, Value::Bool(bool)) => Ok(Expression::new_bool(*bool)),
        (Shape::Long, Value::Number(number)) => match long(number) {
            Some(long) => Ok(Expression::new_long(long)),
            None => fail("is no integer of 64 bits"),
        },
        (Shape::Decimal, Value::Number(number)) => match decimal(number) {
            Some(text) => Ok(Expression::new_decimal(text)),
            None => {
                fail("has more than four places behind the point, or is too large for a decimal")
            }
        },
        (Shape::Set(items), Value::Array(values)) => {
            let all = values
                .iter()
                .enumerate()
                .map(|(index, value)| convert(items, value, &format!("{pointer}/{index}")));
            Ok(Expression::new_set(all.collect::<Result<Vec<_>, _>>()?))
        }
        (Shape::Record(fields), Value::Object(members)) => {
            let mut record = Vec::new();
            for (name, value) in members {
                match fields.iter().find(|field| field.name == *name) {
                    Some(Field {
                        shape: Some(shape), ..
                    }) => {
                        record.push((name.clone(), convert(shape, value, &join(pointer, name))?));
                    }
                    // No policy that mentions it was accepted.
                    Some(Field { shape: None, .. }) => {}
                    None => return fail("has a member that is not in the schema of the tool"),
                }
            }
            match Expression::new_record(record) {
                Ok(record) => Ok(record),
                Err(_) => fail("has a member twice"),
            }
        }
        (_, Value::Null) => fail("is null, for which Cedar has no value"),
        _ => fail("is of another type than the schema says"),
    }
}

/// `1.0` is the integer 1.
fn long(number: &Number) -> Option<i64> {
    if let Some(long) = number.as_i64() {
        return Some(long);
    }
    let mut whole = Value::Number(number.clone());
    toolcontract_schema::integral::normalize(&mut whole);
    whole.as_i64()
}

/// The text of a Cedar decimal: digits on both sides of a point, at most four behind it.
fn decimal(number: &Number) -> Option<String> {
    let text = number.to_string();
    if text.contains(['e', 'E']) {
        return None;
    }
    match text.split_once('.') {
        None => Some(format!("{text}.0")),
        Some((_, behind)) if behind.len() <= 4 => Some(text),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn number(value: Value) -> Number {
        serde_json::from_value(value).expect("a number")
    }

    #[test]
    fn numbers_convert_exactly_or_not_at_all() {
        assert_eq!(long(&number(json!(7))), Some(7));
        assert_eq!(long(&number(json!(7.0))), Some(7));
        assert_eq!(long(&number(json!(i64::MAX))), Some(i64::MAX));
        assert_eq!(long(&number(json!(u64::MAX))), None);
        assert_eq!(long(&number(json!(7.5))), None);
        assert_eq!(decimal(&number(json!(0.25))).as_deref(), Some("0.25"));
        assert_eq!(decimal(&number(json!(-3))).as_deref(), Some("-3.0"));
        assert_eq!(decimal(&number(json!(0.00001))), None);
        assert_eq!(decimal(&number(json!(1e30))), None);
    }

    #[test]
    fn nothing_is_left_out() {
        let field = |name: &str, shape| Field {
            name: name.to_owned(),
            required: false,
            shape,
        };
        let shape = Shape::Record(vec![field("a", Some(Shape::String)), field("any", None)]);
        assert!(input(&shape, &json!({ "a": "x", "any": null })).is_ok());
        for refused in [
            json!({ "a": null }),
            json!({ "a": 1 }),
            json!({ "b": 1 }),
            json!([]),
        ] {
            assert!(input(&shape, &refused).is_err(), "{refused}");
        }
        // A text that spells an entity stays a text.
        let entity = json!({ "a": { "__entity": { "type": "User", "id": "user" } } });
        assert!(input(&shape, &entity).is_err());
    }
}
