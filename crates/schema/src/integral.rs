//! Integers as JSON has them: how far all readers agree on them, and their spelling as floats.
//! `1.0` is the integer 1 in JSON Schema, but not for serde.

use serde_json::{Number, Value};

/// 2^53 - 1: the largest integer that I-JSON promises to keep exact.
pub const MAX_SAFE: u64 = (1 << 53) - 1;

/// Whether a number has no fraction and lies beyond ±[`MAX_SAFE`].
#[must_use]
pub fn is_wide(number: &Number) -> bool {
    // The first float beyond: from here on no float has a fraction.
    const BEYOND: f64 = 9_007_199_254_740_992.0;
    match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(signed), ..) => signed.unsigned_abs() > MAX_SAFE,
        (None, Some(_), _) => true,
        (None, None, Some(float)) => float.abs() >= BEYOND,
        (None, None, None) => true,
    }
}

/// The whole number that `number` is, exactly; `2.0` is one. None beyond ±10^30, as no type holds it.
#[must_use]
pub fn whole(number: &Number) -> Option<i128> {
    let exact = number.as_i64().map(i128::from);
    exact
        .or_else(|| number.as_u64().map(i128::from))
        .or_else(|| {
            let float = number.as_f64()?;
            #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
            (float.fract() == 0.0 && float.abs() < 1e30).then_some(float as i128)
        })
}

/// Respells every number of `value` that has no fraction as an integer, as far as 64 bits reach.
///
/// A value before and after are equal in JSON Schema: a float without a fraction is exactly that
/// integer. Iterative: nesting costs no stack.
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

/// The integer that a float without a fraction is.
fn as_integer(number: &Number) -> Option<Number> {
    // 2^63 and 2^64: the first floats that are too large.
    const I64: f64 = 9_223_372_036_854_775_808.0;
    const U64: f64 = 18_446_744_073_709_551_616.0;
    if !number.is_f64() {
        return None;
    }
    let float = number.as_f64()?;
    if float.fract() != 0.0 {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "without a fraction and in range, the cast is exact"
    )]
    match float {
        _ if (-I64..I64).contains(&float) => Some(Number::from(float as i64)),
        _ if (I64..U64).contains(&float) => Some(Number::from(float as u64)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn wide_is_what_javascript_rounds() {
        let wide = |value: Value| is_wide(value.as_number().expect("a number"));
        for number in [
            json!(MAX_SAFE),
            json!(-9_007_199_254_740_991_i64),
            json!(0.5),
            json!(1e15),
        ] {
            assert!(!wide(number.clone()), "{number}");
        }
        for number in [
            json!(MAX_SAFE + 1),
            json!(-9_007_199_254_740_992_i64),
            json!(u64::MAX),
            json!(1e300),
        ] {
            assert!(wide(number.clone()), "{number}");
        }
    }

    #[test]
    fn respells_only_what_stays_exact() {
        let mut value = json!([1.0, -0.0, 1.5, 1e16, -9_223_372_036_854_775_808.0, 1e19, 1e20, { "a": [2.0] }, 7]);
        normalize(&mut value);
        assert_eq!(
            serde_json::to_string(&value).unwrap(),
            r#"[1,0,1.5,10000000000000000,-9223372036854775808,10000000000000000000,1e+20,{"a":[2]},7]"#
        );
    }
}
