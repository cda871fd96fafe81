//! Whether a schema of others can be used at all: it is valid in its dialect, every reference
//! stays inside it, it has a normal form, and judging a value takes no endless work. All else is
//! kept and told by lint.

use std::collections::BTreeMap;

use serde_json::Value;
use toolcontract_schema::{
    Formats, Validator, bundle::bundle, meta, normal::normalize, pointer::resolve, strip, weight,
};

use crate::fault::quote;

/// What is wrong with a schema: JSON pointer into it, and why.
pub(super) type Broken = (String, String);

/// Checks `schema` as generation will use it, where no file of a project can be named.
pub(super) fn check(schema: &Value) -> Result<(), Broken> {
    let no_files: BTreeMap<String, Value> = BTreeMap::new();
    let bundled = bundle(schema, &no_files).map_err(|errors| {
        first(
            errors
                .into_iter()
                .map(|e| (e.pointer.clone(), e.to_string())),
        )
    })?;
    Validator::compile(&strip(&bundled.schema), Formats::Annotate).map_err(|error| {
        // The meta-schema says it better where it is what refuses.
        let refused = meta::check(schema, 1).err();
        let fault = refused.and_then(|found| found.violations.into_iter().next());
        match fault {
            Some(v) if is_type(schema, &v.pointer) => {
                let word = resolve(schema, &v.pointer).and_then(Value::as_str);
                let word = quote(word.unwrap_or_default());
                (v.pointer, format!("{word} is no type"))
            }
            Some(v) => {
                let got = resolve(schema, &v.pointer).filter(|value| is_short(value));
                let got = got.map_or(v.got, Value::to_string);
                (v.pointer, format!("expected {}, got {got}", v.expected))
            }
            None => (error.pointer, error.message),
        }
    })?;
    let normal = normalize(&bundled)
        .map_err(|errors| first(errors.into_iter().map(|e| (e.pointer, e.reason))))?;
    weight::check_normal(&normal.schema).map_err(|heavy| (String::new(), heavy.reason().to_owned()))
}

/// Whether the value at `pointer` is a word that should name a type.
fn is_type(schema: &Value, pointer: &str) -> bool {
    pointer.ends_with("/type") && resolve(schema, pointer).is_some_and(Value::is_string)
}

/// Whether a message may repeat the value.
fn is_short(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => text.len() <= 40,
        Value::Array(_) | Value::Object(_) => false,
    }
}

fn first(mut errors: impl Iterator<Item = Broken>) -> Broken {
    errors
        .next()
        .unwrap_or_else(|| (String::new(), "it cannot be used".to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_endless_work_is_not_let_in() {
        let nested = |depth: usize| {
            (0..depth).fold(json!({ "type": "object" }), |inner, _| {
                json!({ "type": "object", "allOf": [inner], "unevaluatedProperties": false })
            })
        };
        assert!(check(&nested(4)).is_ok());
        let (pointer, reason) = check(&nested(20)).unwrap_err();
        assert_eq!(pointer, "");
        assert!(reason.contains("more than 10000 schemas"), "{reason}");
    }
}
