//! The shapes of numbers, and of values that are listed one by one.

use std::collections::HashSet;

use serde_json::{Map, Value};
use toolcontract_schema::{integral::MAX_SAFE, vocabulary::OPEN};

use super::{Enum, EnumValue, Range, Shape, TypeSet, json_type, read::Reader};

const SAFE: i128 = MAX_SAFE as i128;

impl Reader<'_> {
    pub(super) fn number(&self, keywords: &Map<String, Value>) -> Shape {
        let whole = match keywords.get("type") {
            Some(Value::String(word)) => word == "integer",
            Some(Value::Array(words)) => !words.iter().any(|w| w == "number"),
            _ => false,
        };
        let bound = |words: [&str; 2], pick: fn(i128, i128) -> i128, safe: i128| {
            words
                .iter()
                .filter_map(|word| whole_bound(keywords.get(*word)?))
                .chain(self.narrow.then_some(safe))
                .reduce(pick)
        };
        let range = Range {
            min: bound(["minimum", "exclusiveMinimum"], i128::max, -SAFE),
            max: bound(["maximum", "exclusiveMaximum"], i128::min, SAFE),
        };
        if whole {
            Shape::Integer(range)
        } else {
            Shape::Number {
                wide: !range.is_safe(),
            }
        }
    }
}

impl Range {
    /// Whether a double holds every whole number in it exactly.
    #[must_use]
    pub fn is_safe(self) -> bool {
        self.min.is_some_and(|min| min >= -SAFE) && self.max.is_some_and(|max| max <= SAFE)
    }
}

/// The shape of `const` and `enum`, as far as their values are of `types`; none when there is neither,
/// when their values are all arrays or all objects, or when other values than strings are left open.
pub(super) fn listed(keywords: &Map<String, Value>, types: TypeSet) -> Option<Shape> {
    let all = match (keywords.get("const"), keywords.get("enum")) {
        (Some(one), _) => std::slice::from_ref(one),
        (None, Some(Value::Array(many))) => many.as_slice(),
        _ => return None,
    };
    let mut values: Vec<EnumValue> = Vec::new();
    let mut seen = HashSet::new();
    let mut null = false;
    let mut nested = TypeSet::NONE;
    let open = is_open(keywords);
    if open && (types | TypeSet::NULL) != (TypeSet::STRING | TypeSet::NULL) {
        return None;
    }
    for value in all.iter().filter(|v| types.contains(json_type(v))) {
        match value {
            Value::Null => null = true,
            Value::Array(_) | Value::Object(_) => nested = nested | json_type(value),
            Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                if seen.insert(identity(value)) {
                    values.push(EnumValue {
                        value: value.clone(),
                        description: None,
                    });
                }
            }
        }
    }
    null |= open && types.contains(TypeSet::NULL);
    let shape = match (values.as_slice(), nested) {
        (_, nested) if nested != TypeSet::NONE => {
            return (!values.is_empty() || null || !nested.is_single()).then_some(Shape::Any);
        }
        ([], _) if null => return Some(Shape::Null),
        ([], _) => Shape::Any,
        (
            [
                EnumValue {
                    value: Value::Bool(_),
                    ..
                },
                EnumValue {
                    value: Value::Bool(_),
                    ..
                },
            ],
            _,
        ) => Shape::Bool,
        _ => Shape::Enum(Enum {
            values,
            open,
            description: None,
        }),
    };
    Some(if null { shape.or_null() } else { shape })
}

/// What two values have in common when JSON Schema calls them equal; scalars only.
fn identity(value: &Value) -> String {
    match value.as_f64() {
        Some(number) if value.is_f64() && number.fract() == 0.0 => format!("{number:.0}"),
        _ => value.to_string(),
    }
}

/// Whether the listed values are not all: every value of the same type is accepted.
pub(super) fn is_open(keywords: &Map<String, Value>) -> bool {
    keywords.get(OPEN) == Some(&Value::Bool(true))
}

/// The whole number that a bound lets through, at worst one too far out.
fn whole_bound(value: &Value) -> Option<i128> {
    if let Some(number) = value.as_i64() {
        return Some(number.into());
    }
    if let Some(number) = value.as_u64() {
        return Some(number.into());
    }
    let number = value.as_f64()?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the cast saturates, and a bound that far out is as good as none"
    )]
    let whole = if number < 0.0 {
        number.floor()
    } else {
        number.ceil()
    } as i128;
    Some(whole)
}
