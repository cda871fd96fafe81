//! Integers that are spelled as floats: `1.0` is the integer 1 in JSON Schema, but not for serde.

use serde_json::{Number, Value};

/// 2^53 - 1: the largest integer that I-JSON promises to keep exact.
pub const MAX_SAFE: u64 = (1 << 53) - 1;

/// Respells every number of `value` that has no fraction as an integer, up to 2^53.
///
/// A value before and after are equal in JSON Schema. Iterative: nesting costs no stack.
pub fn normalize(value: &mut Value) {
    let mut open = vec![value];
    while let Some(node) = open.pop() {
        match node {
            Value::Number(number) => {
                if let Some(integer) = as_integer(number) {
                    *number = integer;
                }
            }
            Value::Array(items) => open.extend(items.iter_mut()),
            Value::Object(members) => open.extend(members.values_mut()),
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
}

/// The integer that a float without a fraction spells, where both are exact.
fn as_integer(number: &Number) -> Option<Number> {
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    if !number.is_f64() {
        return None;
    }
    let float = number.as_f64()?;
    if float.fract() != 0.0 || float.abs() > LIMIT {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float without a fraction within 2^53 is an i64"
    )]
    let integer = float as i64;
    Some(Number::from(integer))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn respells_only_what_stays_exact() {
        let mut value = json!([1.0, -0.0, 1.5, 9_007_199_254_740_992.0, 1e16, { "a": [2.0] }, 7]);
        normalize(&mut value);
        assert_eq!(
            serde_json::to_string(&value).unwrap(),
            r#"[1,0,1.5,9007199254740992,1e+16,{"a":[2]},7]"#
        );
    }
}
