//! Strings, numbers, and values that are listed one by one.

use serde_json::{Map, Number, Value};
use toolcontract_schema::{
    integral::{MAX_SAFE, is_wide},
    keyword::{count, is_integer},
    pattern,
    vocabulary::{OPEN, TS},
};

use super::Lowering;
use crate::{
    emit::typescript::{
        form::{Check, Form, Kind, Numeric, Text, Wide},
        text,
    },
    model::shape::{TypeSet, json_type},
};

/// Any string.
pub(super) fn any_string() -> Form {
    Form::of(Kind::String(Text::default()))
}

/// Any number.
pub(super) fn any_number() -> Form {
    Form::of(Kind::Number(Numeric::default()))
}

impl<'a> Lowering<'a> {
    pub(super) fn string(&self, map: &'a Map<String, Value>) -> Form {
        let mut form = Text::default();
        let mut checks = Vec::new();
        match count(map.get("minLength")) {
            None | Some(0) => {}
            Some(1) => form.not_empty = true,
            Some(more) => checks.push(Check::MinLength(more)),
        }
        checks.extend(count(map.get("maxLength")).map(Check::MaxLength));
        if let Some(pattern) = map.get("pattern").and_then(Value::as_str) {
            // A literal must compile; whether any other pattern does is seen when it is used.
            if pattern::check(pattern).is_ok() {
                form.regex = Some(pattern.to_owned());
            } else {
                checks.push(Check::Pattern(pattern.to_owned()));
            }
        }
        checks.extend(self.asserts_format(map).map(Check::Format));
        Form {
            kind: Kind::String(form),
            checks,
        }
    }

    pub(super) fn number(&self, map: &'a Map<String, Value>) -> Form {
        let integer = is_integer(map.get("type"));
        let wide = match map.get(TS).and_then(Value::as_str) {
            Some("bigint") if integer => Some(Wide::BigInt),
            Some("string") if integer => Some(Wide::String),
            _ => None,
        };
        let mut form = Numeric {
            integer,
            bounds: Vec::new(),
            wide,
        };
        for (keyword, method) in [
            ("minimum", "min"),
            ("exclusiveMinimum", "gt"),
            ("maximum", "max"),
            ("exclusiveMaximum", "lt"),
        ] {
            if let Some(Value::Number(bound)) = map.get(keyword) {
                form.bounds.push((method, bound.clone()));
            }
        }
        let mut checks = Vec::new();
        if let Some(Value::Number(step)) = map.get("multipleOf") {
            match step.as_u64() {
                Some(1) if integer => {}
                whole => {
                    // zod 4 takes any integer beyond 2^52 for a multiple; of a `bigint` it is right.
                    if wide.is_some() && whole.is_some_and(|whole| integer && whole <= MAX_SAFE) {
                        form.bounds.push(("multipleOf", step.clone()));
                    }
                    checks.push(Check::MultipleOf(step.clone()));
                }
            }
        }
        Form {
            kind: Kind::Number(form),
            checks,
        }
    }

    /// The values of `enum` and `const`.
    pub(super) fn listed(&self, map: &'a Map<String, Value>, types: TypeSet) -> Form {
        let values = values(map, types);
        let is_open = map.get(OPEN) == Some(&Value::Bool(true));
        let texts: Option<Vec<String>> = values
            .iter()
            .map(|v| v.as_str().map(str::to_owned))
            .collect();
        let mut form = match texts {
            Some(texts) if is_open => Form::of(Kind::OpenEnum(texts)),
            _ if is_open => super::plain(types),
            _ => options(&values),
        };
        let present = values
            .iter()
            .fold(TypeSet::NONE, |all, value| all | json_type(value));
        let spoken = self.spoken_of(map) & present;
        form.checks.extend(self.by_type(map, spoken));
        form
    }
}

/// The listed values that are of the right types, each once.
fn values(map: &Map<String, Value>, types: TypeSet) -> Vec<&Value> {
    let listed = map.get("enum").and_then(Value::as_array);
    let stated = map.get("const");
    let candidates: Vec<&Value> = match (stated, listed) {
        (Some(stated), Some(listed)) if !listed.iter().any(|v| same(v, stated)) => Vec::new(),
        (Some(stated), _) => vec![stated],
        (None, listed) => listed.into_iter().flatten().collect(),
    };
    let mut kept: Vec<&Value> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for value in candidates {
        let whole = value.as_number().is_none_or(is_whole);
        let fits = types.contains(json_type(value)) && (whole || !is_integer(map.get("type")));
        if fits && seen.insert(text::canonical(value)) {
            kept.push(value);
        }
    }
    kept
}

fn same(a: &Value, b: &Value) -> bool {
    text::canonical(a) == text::canonical(b)
}

/// One of these values.
fn options(values: &[&Value]) -> Form {
    let mut primitives = Vec::new();
    let mut forms = Vec::new();
    let mut unsafe_integer = None;
    for value in values {
        match value {
            Value::Number(number) if is_wide(number) => unsafe_integer = Some(number),
            Value::Array(_) | Value::Object(_) => {
                forms.push(Form::of(Kind::Equal((*value).clone())))
            }
            _ => primitives.push((*value).clone()),
        }
    }
    if !primitives.is_empty() {
        forms.insert(0, Form::of(Kind::Literals(primitives)));
    }
    match (forms.len(), unsafe_integer) {
        (0, Some(number)) => Form::of(Kind::Refused(format!(
            "{number} is beyond the integers that JavaScript carries"
        ))),
        (0, None) => Form::of(Kind::Never),
        (1, _) => forms.remove(0),
        _ => Form::of(Kind::Union(forms)),
    }
}

/// Whether a number is an integer to JSON Schema: `1.0` is.
fn is_whole(number: &Number) -> bool {
    !number.is_f64() || number.as_f64().is_some_and(|f| f.fract() == 0.0)
}
