//! Turns what `jsonschema` says about a value into [`Violation`]s.
//!
//! Texts of the schema are quoted, cut off where they are long; of the value only types, lengths
//! and, in pointers, the names of its properties are told.

use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;

use crate::{
    branch,
    pointer::join,
    violation::{Violation, bounded, type_name},
    vocabulary::{self, Dialect},
};

/// What is expected of a text on which a pattern took too long.
pub(crate) const UNDECIDED: &str = "text on which the pattern can be decided within its limit";

/// How deep unions inside unions are explained.
const MAX_UNIONS: usize = 16;

/// The violations that `error` stands for: usually one.
pub(crate) fn explain(error: &ValidationError<'_>) -> Vec<Violation> {
    explain_to(error, MAX_UNIONS)
}

pub(crate) fn explain_to(error: &ValidationError<'_>, unions: usize) -> Vec<Violation> {
    let at = error.instance_path().as_str();
    let value: &Value = error.instance();
    let one = |expected: &str| vec![violation(at, error, expected, size_or_type(error, value))];
    match error.kind() {
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } if unions > 0 => {
            branch::explain(error, context, unions - 1)
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected
                .iter()
                .map(|name| {
                    let got = value.get(name).map_or("absent", type_name);
                    violation(&join(at, name), error, "no such property", got.to_owned())
                })
                .collect()
        }
        Kind::PropertyNames { error: inner } => {
            let name = inner.instance().as_str().unwrap_or_default();
            explain_to(inner, unions.saturating_sub(1))
                .into_iter()
                .map(|v| Violation {
                    pointer: bounded(&join(at, name)),
                    keyword: "propertyNames".to_owned(),
                    expected: bounded(&format!("a property name that is {}", v.expected)),
                    got: v.got,
                })
                .collect()
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![violation(
                at,
                error,
                &format!("property `{name}`"),
                "absent".to_owned(),
            )]
        }
        kind => one(&expected(kind)),
    }
}

fn violation(at: &str, error: &ValidationError<'_>, expected: &str, got: String) -> Violation {
    Violation {
        pointer: bounded(at),
        keyword: keyword(error),
        expected: bounded(expected),
        got,
    }
}

/// The keyword as the schema has it; the crate has one kind for several.
pub(crate) fn keyword(error: &ValidationError<'_>) -> String {
    let known = |name: &&str| vocabulary::keyword(name, Dialect::Draft202012).is_some();
    let said = error.kind().keyword();
    let in_schema = match error.kind() {
        Kind::FalseSchema | Kind::Required { .. } => {
            error.schema_path().as_str().rsplit('/').find(known)
        }
        _ => None,
    };
    in_schema.unwrap_or(said).to_owned()
}

/// What was there: a length where a length or a text is at fault, how a number differs from its
/// bound, that another value was expected of the same type, else the type.
fn size_or_type(error: &ValidationError<'_>, value: &Value) -> String {
    match (error.kind(), value) {
        (
            Kind::MinLength { .. }
            | Kind::MaxLength { .. }
            | Kind::Pattern { .. }
            | Kind::Format { .. }
            | Kind::BacktrackLimitExceeded { .. }
            | Kind::RegexEngineFailure { .. },
            Value::String(text),
        ) => plural(text.chars().count(), "character", "characters"),
        (
            Kind::MinItems { .. }
            | Kind::MaxItems { .. }
            | Kind::AdditionalItems { .. }
            | Kind::UnevaluatedItems { .. }
            | Kind::UniqueItems
            | Kind::Contains,
            Value::Array(items),
        ) => plural(items.len(), "item", "items"),
        (Kind::MinProperties { .. } | Kind::MaxProperties { .. }, Value::Object(members)) => {
            plural(members.len(), "property", "properties")
        }
        (Kind::Minimum { .. }, Value::Number(_)) => format!("a smaller {}", type_name(value)),
        (Kind::Maximum { .. }, Value::Number(_)) => format!("a larger {}", type_name(value)),
        (
            Kind::ExclusiveMinimum { .. } | Kind::ExclusiveMaximum { .. } | Kind::MultipleOf { .. },
            Value::Number(_),
        ) => match type_name(value) {
            "integer" => "an integer that is not".to_owned(),
            other => format!("a {other} that is not"),
        },
        (Kind::Enum { options }, _) if has_type_of(options.as_array(), value) => another(value),
        (Kind::Constant { expected_value }, _) if type_name(expected_value) == type_name(value) => {
            another(value)
        }
        _ => type_name(value).to_owned(),
    }
}

/// Whether one of `options` has the type of `value`.
fn has_type_of(options: Option<&Vec<Value>>, value: &Value) -> bool {
    let own = type_name(value);
    options.is_some_and(|options| options.iter().any(|option| type_name(option) == own))
}

fn another(value: &Value) -> String {
    format!("another {}", type_name(value))
}

/// `1 item`, `2 items`.
fn plural(count: impl TryInto<u64>, one: &str, many: &str) -> String {
    match count.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// What a kind expects, in words that continue "expected ...".
pub(crate) fn expected(kind: &Kind) -> String {
    match kind {
        Kind::Type { kind } => types(kind),
        Kind::Constant { expected_value } => short(expected_value),
        Kind::Enum { options } => one_of(options.as_array().map_or(&[][..], Vec::as_slice)),
        Kind::Minimum { limit } => format!("at least {limit}"),
        Kind::Maximum { limit } => format!("at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        Kind::MinLength { limit } => {
            format!("at least {}", plural(*limit, "character", "characters"))
        }
        Kind::MaxLength { limit } => {
            format!("at most {}", plural(*limit, "character", "characters"))
        }
        Kind::MinItems { limit } => format!("at least {}", plural(*limit, "item", "items")),
        Kind::MaxItems { limit } => format!("at most {}", plural(*limit, "item", "items")),
        Kind::AdditionalItems { limit } => format!("at most {}", plural(*limit, "item", "items")),
        Kind::MinProperties { limit } => {
            format!("at least {}", plural(*limit, "property", "properties"))
        }
        Kind::MaxProperties { limit } => {
            format!("at most {}", plural(*limit, "property", "properties"))
        }
        Kind::Pattern { pattern } => format!("text that matches `{pattern}`"),
        Kind::Format { format } => format!("text of the format `{format}`"),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            UNDECIDED.to_owned()
        }
        Kind::UniqueItems => "items that all differ".to_owned(),
        Kind::UnevaluatedItems { .. } => "no items beyond those that are described".to_owned(),
        Kind::Contains => "the described number of items that `contains` fits".to_owned(),
        Kind::Not { .. } => "a value that does not fit the schema under `not`".to_owned(),
        Kind::FalseSchema => "nothing here".to_owned(),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            format!("one of {} alternatives", context.len())
        }
        Kind::OneOfMultipleValid { context } => {
            format!(
                "a value that fits exactly one of {} alternatives",
                context.len()
            )
        }
        Kind::Required { property } => format!("property {property}"),
        Kind::AdditionalProperties { .. } | Kind::UnevaluatedProperties { .. } => {
            "no other properties".to_owned()
        }
        Kind::PropertyNames { error } => {
            format!("property names that are {}", expected(error.kind()))
        }
        Kind::ContentEncoding { content_encoding } => format!("text in `{content_encoding}`"),
        Kind::ContentMediaType { content_media_type } => format!("`{content_media_type}`"),
        Kind::FromUtf8 { .. } => "text that decodes to UTF-8".to_owned(),
        Kind::Referencing(error) => format!("a reference that resolves: {error}"),
        Kind::Custom { message, .. } => message.clone(),
    }
}

/// `string, number or null`.
pub(crate) fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => one.to_string(),
        TypeKind::Multiple(set) => or(set.iter().map(|t| t.to_string()).collect()),
    }
}

/// `"a", "b" or "c"`; long lists end in the number of the rest.
pub(crate) fn one_of(values: &[Value]) -> String {
    const TOLD: usize = 12;
    let mut told: Vec<String> = values.iter().take(TOLD).map(short).collect();
    if values.len() > TOLD {
        told.push(format!("{} more values", values.len() - TOLD));
    }
    or(told)
}

pub(crate) fn or(mut words: Vec<String>) -> String {
    words.dedup();
    match (words.pop(), words.is_empty()) {
        (None, _) => "nothing".to_owned(),
        (Some(only), true) => only,
        (Some(last), false) => format!("{} or {last}", words.join(", ")),
    }
}

/// A value of the schema as JSON, cut off where it is long.
fn short(value: &Value) -> String {
    const LONG: usize = 40;
    let text = value.to_string();
    match text.char_indices().nth(LONG) {
        None => text,
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
