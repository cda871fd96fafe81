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
    }
}
