//! One test of one argument.

use std::cmp::Ordering;

use serde_json::{Number, Value};
use toolcontract_schema::violation::type_name;

use super::answer::Answer;
use crate::policy::path::PathGlob;

/// What an argument is tested for.
#[derive(Debug, Clone)]
pub(crate) enum Test {
    /// It is one of these, which are scalars of one type.
    OneOf(Vec<Value>),
    /// It is a path that fits.
    Glob(PathGlob),
    /// It begins with this.
    Prefix(String),
    /// It is below this.
    Less(Number),
    /// It is above this.
    Greater(Number),
    /// It is there, or it is not.
    Exists(bool),
}

/// Why an argument cannot be tested. Never the argument itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Untestable {
    /// It is of another type.
    Type {
        expected: &'static str,
        got: &'static str,
    },
    /// It is of the right type and nobody can say.
    Unjudged(&'static str),
    /// The schema of the tool has no such argument.
    NoSuchField,
}

impl Test {
    /// The JSON type of what it tests; none where every type will do.
    pub(crate) fn expects(&self) -> Option<&'static str> {
        match self {
            Self::OneOf(values) => values.first().map(scalar_type),
            Self::Glob(_) | Self::Prefix(_) => Some("string"),
            Self::Less(_) | Self::Greater(_) => Some("number"),
            Self::Exists(_) => None,
        }
    }

    /// Tests a value that is there.
    pub(crate) fn answer(&self, value: &Value) -> Answer<Untestable> {
        match (self, value) {
            (Self::Exists(wanted), _) => Answer::of(*wanted),
            (Self::Glob(glob), Value::String(path)) => match glob.matches(path) {
                Ok(fits) => Answer::of(fits),
                Err(unjudged) => Answer::Error(Untestable::Unjudged(unjudged.about())),
            },
            (Self::Prefix(prefix), Value::String(text)) => Answer::of(text.starts_with(prefix)),
            (Self::Less(bound), Value::Number(number)) => {
                Answer::of(compare(number, bound) == Some(Ordering::Less))
            }
            (Self::Greater(bound), Value::Number(number)) => {
                Answer::of(compare(number, bound) == Some(Ordering::Greater))
            }
            (Self::OneOf(values), value) if self.expects() == Some(scalar_type(value)) => {
                Answer::of(values.iter().any(|wanted| is_same(wanted, value)))
            }
            _ => Answer::Error(Untestable::Type {
                expected: self.expects().unwrap_or("value"),
                got: type_name(value),
            }),
        }
    }

    /// The answer where the argument is not there.
    pub(crate) fn answer_absent(&self) -> Answer<Untestable> {
        match self {
            Self::Exists(wanted) => Answer::of(!wanted),
            Self::OneOf(_) | Self::Glob(_) | Self::Prefix(_) | Self::Less(_) | Self::Greater(_) => {
                Answer::NoMatch
            }
        }
    }
}

/// The type of a value as far as comparing goes: integers are numbers.
pub(crate) fn scalar_type(value: &Value) -> &'static str {
    match value {
        Value::Number(_) => "number",
        other => type_name(other),
    }
}

/// Whether two values are equal in JSON Schema.
pub(crate) fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare(a, b) == Some(Ordering::Equal),
        _ => a == b,
    }
}

/// By value: `1.0` is `1`. Exact for integers.
pub(crate) fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    if let (Some(a), Some(b)) = (a.as_i64(), b.as_i64()) {
        return Some(a.cmp(&b));
    }
    if let (Some(a), Some(b)) = (a.as_u64(), b.as_u64()) {
        return Some(a.cmp(&b));
    }
    a.as_f64()?.partial_cmp(&b.as_f64()?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn another_type_is_an_error_and_no_miss() {
        let test = Test::OneOf(vec![json!("destructive")]);
        assert_eq!(test.answer(&json!("destructive")), Answer::Match);
        assert_eq!(test.answer(&json!("Destructive")), Answer::NoMatch);
        for other in [json!(["destructive"]), json!(1), json!(null), json!({})] {
            assert!(matches!(test.answer(&other), Answer::Error(_)), "{other}");
        }
    }

    #[test]
    fn numbers_compare_by_value() {
        let less = |n: Value| Test::Less(serde_json::from_value(n).unwrap());
        assert_eq!(less(json!(10)).answer(&json!(9.5)), Answer::Match);
        assert_eq!(less(json!(10)).answer(&json!(10.0)), Answer::NoMatch);
        assert_eq!(less(json!(-1)).answer(&json!(u64::MAX)), Answer::NoMatch);
        let same = Test::OneOf(vec![json!(1)]);
        assert_eq!(same.answer(&json!(1.0)), Answer::Match);
        assert_eq!(
            same.answer(&json!("1")),
            Answer::Error(Untestable::Type {
                expected: "number",
                got: "string"
            })
        );
    }

    #[test]
    fn what_is_absent_is_no_match() {
        assert_eq!(Test::Prefix(String::new()).answer_absent(), Answer::NoMatch);
        assert_eq!(Test::Exists(true).answer_absent(), Answer::NoMatch);
        assert_eq!(Test::Exists(false).answer_absent(), Answer::Match);
    }
}
