//! A value that fits no alternative of a union: says what keeps it from the closest one.

use jsonschema::{ValidationError, error::ValidationErrorKind as Kind};
use serde_json::Value;

use crate::{
    explain::{self, explain_to, keyword},
    violation::{Violation, bounded, type_name},
};

/// How far a value is from one alternative; the least is the closest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Distance {
    /// The value itself is of the wrong kind.
    kind: bool,
    /// A member that names the alternative names another one.
    tag: bool,
    faults: usize,
}

/// What is wrong, told for the closest alternative.
///
/// When the value is of the wrong kind for all, or its tag is known to none, that is the fault,
/// and it is told once for all alternatives.
pub(crate) fn explain(
    union: &ValidationError<'_>,
    branches: &[Vec<ValidationError<'static>>],
    unions: usize,
) -> Vec<Violation> {
    let at = union.instance_path().as_str();
    let closest = branches
        .iter()
        .filter(|faults| !faults.is_empty())
        .map(|faults| (distance(at, faults), faults))
        .min_by_key(|(distance, _)| *distance);
    let Some((distance, faults)) = closest else {
        return vec![told(
            union,
            at,
            union.instance(),
            &explain::expected(union.kind()),
        )];
    };
    if distance.kind {
        return vec![for_all(union, branches, |fault| is_kind(at, fault))];
    }
    if distance.tag {
        return vec![for_all(union, branches, |fault| is_tag(at, fault))];
    }
    faults
        .iter()
        .flat_map(|fault| explain_to(fault, unions))
        .collect()
}

fn distance(at: &str, faults: &[ValidationError<'static>]) -> Distance {
    Distance {
        kind: faults.iter().any(|fault| is_kind(at, fault)),
        tag: faults.iter().any(|fault| is_tag(at, fault)),
        faults: faults.len(),
    }
}

/// Whether `fault` says that the value itself is of another kind.
fn is_kind(at: &str, fault: &ValidationError<'_>) -> bool {
    fault.instance_path().as_str() == at
        && matches!(
            fault.kind(),
            Kind::Type { .. } | Kind::Constant { .. } | Kind::Enum { .. } | Kind::FalseSchema
        )
}

/// Whether `fault` says that a direct member has another fixed value.
fn is_tag(at: &str, fault: &ValidationError<'_>) -> bool {
    let inside = fault.instance_path().as_str().strip_prefix(at);
    inside.is_some_and(|token| token.rfind('/') == Some(0))
        && fault.instance().is_string()
        && matches!(fault.kind(), Kind::Constant { .. } | Kind::Enum { .. })
}

/// One violation that lists what every alternative expects at the place of the fault.
fn for_all(
    union: &ValidationError<'_>,
    branches: &[Vec<ValidationError<'static>>],
    is_fault: impl Fn(&ValidationError<'_>) -> bool,
) -> Violation {
    let mut place: Option<(&str, &Value)> = None;
    let mut expected: Vec<String> = Vec::new();
    for fault in branches.iter().flatten().filter(|fault| is_fault(fault)) {
        let (at, _) = *place.get_or_insert((fault.instance_path().as_str(), fault.instance()));
        let words = explain::expected(fault.kind());
        if fault.instance_path().as_str() == at
            && !matches!(fault.kind(), Kind::FalseSchema)
            && !expected.contains(&words)
        {
            expected.push(words);
        }
    }
    let (at, value) = place.unwrap_or((union.instance_path().as_str(), union.instance()));
    told(union, at, value, &explain::or(expected))
}

fn told(union: &ValidationError<'_>, at: &str, value: &Value, expected: &str) -> Violation {
    Violation {
        pointer: bounded(at),
        keyword: keyword(union),
        expected: bounded(expected),
        got: type_name(value).to_owned(),
    }
}
