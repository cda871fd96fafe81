//! Reads what a keyword lists. Judges nothing: what is of another form reads as an empty list.

use serde_json::Value;

/// The names in a list such as that of `required`.
pub fn names(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// The names that the value of `type` gives, one or several.
pub fn types(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value
        .and_then(Value::as_str)
        .into_iter()
        .chain(names(value))
}

/// Whether the value of `type` gives `name`. Absent, it gives none.
#[must_use]
pub fn has_type(value: Option<&Value>, name: &str) -> bool {
    types(value).any(|given| given == name)
}

/// Whether the value of `type` takes no number but whole ones.
#[must_use]
pub fn is_integer(value: Option<&Value>) -> bool {
    has_type(value, "integer") && !has_type(value, "number")
}

/// A count such as that of `minLength`, also where it is spelled `2.0`. One beyond 64 bits is the
/// largest.
#[must_use]
pub fn count(value: Option<&Value>) -> Option<u64> {
    let value = value?;
    value.as_u64().or_else(|| {
        let float = value.as_f64()?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "without a fraction and not negative, the cast is exact or saturates"
        )]
        (float.fract() == 0.0 && float >= 0.0).then_some(float as u64)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_are_read_as_far_as_they_hold_names() {
        let read = |value: Value| names(Some(&value)).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(read(json!(["a", 1, "b"])), ["a", "b"]);
        assert!(read(json!("a")).is_empty());
        assert_eq!(names(None).count(), 0);
    }

    #[test]
    fn a_type_is_one_name_or_several() {
        assert!(has_type(Some(&json!("string")), "string"));
        assert!(has_type(Some(&json!(["null", "string"])), "string"));
        assert!(!has_type(Some(&json!(["null"])), "string"));
        assert!(!has_type(None, "string"));
        assert!(is_integer(Some(&json!(["null", "integer"]))));
        assert!(!is_integer(Some(&json!(["integer", "number"]))));
    }

    #[test]
    fn a_count_has_more_than_one_spelling() {
        let read = |value: Value| count(Some(&value));
        assert_eq!((read(json!(2)), read(json!(2.0))), (Some(2), Some(2)));
        assert_eq!(read(json!(1e300)), Some(u64::MAX));
        assert_eq!((read(json!(-1)), read(json!(1.5))), (None, None));
    }
}
