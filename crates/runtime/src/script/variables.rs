//! The input of a call as variables, for scripts that read no JSON. Standard input has all of it.

use std::collections::BTreeMap;

use serde_json::Value;

/// How the name of each begins.
pub(super) const PREFIX: &str = "STELLA_INPUT_";

/// Bytes of a value that is passed; the system takes little more.
const MAX_VALUE: usize = 64 << 10;

/// Each text, number and truth value at the top of `input`. Two members whose names would be one
/// variable give none, and neither does a text that no variable can hold.
pub(super) fn of_input(input: &Value) -> BTreeMap<String, String> {
    let mut variables: BTreeMap<String, Option<String>> = BTreeMap::new();
    for (key, value) in input.as_object().into_iter().flatten() {
        let value = match value {
            Value::String(text) => Some(text.clone()),
            Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        };
        let fits = |text: &String| text.len() <= MAX_VALUE && !text.contains('\0');
        variables
            .entry(name(key))
            .and_modify(|both| *both = None)
            .or_insert(value.filter(fits));
    }
    let set = variables.into_iter();
    set.filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

fn name(key: &str) -> String {
    let upper = key.chars().map(|c| match c.to_ascii_uppercase() {
        c @ ('A'..='Z' | '0'..='9') => c,
        _ => '_',
    });
    PREFIX.chars().chain(upper).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scalars_are_passed_and_nothing_is_guessed() {
        let input = json!({
            "path": "a b; $(rm)", "dry-run": true, "n": 1.5, "list": [1], "none": null,
            "a.b": "first", "a-b": "second", "nul": "x\0y", "long": "x".repeat(MAX_VALUE + 1),
        });
        let variables = of_input(&input);
        let expected = [
            ("STELLA_INPUT_DRY_RUN", "true"),
            ("STELLA_INPUT_N", "1.5"),
            ("STELLA_INPUT_PATH", "a b; $(rm)"),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(variables, BTreeMap::from(expected));
    }
}
