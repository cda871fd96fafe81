//! One shape that takes what two take: where it can be said without a union, none is made.

use toolcontract_schema::integral;

use super::{Enum, Range, Shape, TypeSet, Variant, join::hint, json_type};

/// Adds `variant` to `merged`, or widens one of them so that it takes the values of `variant` too.
pub(super) fn absorb(merged: &mut Vec<Variant>, mut variant: Variant) {
    if let Shape::Enum(listed) = &mut variant.shape
        && let [only] = listed.values.as_mut_slice()
        && only.description.is_none()
    {
        only.description = listed.description.take();
    }
    for other in merged.iter_mut() {
        if let Some(shape) = widen(&other.shape, &variant.shape) {
            other.name = hint(&shape);
            other.shape = shape;
            other.description = None;
            return;
        }
    }
    merged.push(variant);
}

/// The shape of what fits either, where one that is not a union says it.
fn widen(a: &Shape, b: &Shape) -> Option<Shape> {
    if a == b {
        return Some(a.clone());
    }
    match (a, b) {
        (Shape::Enum(a), Shape::Enum(b)) if kind(a)? == kind(b)? => {
            let mut both = a.clone();
            both.open |= b.open;
            for value in &b.values {
                if !both.values.iter().any(|v| v.value == value.value) {
                    both.values.push(value.clone());
                }
            }
            Some(Shape::Enum(both))
        }
        (Shape::Enum(listed), Shape::String) | (Shape::String, Shape::Enum(listed))
            if kind(listed)? == TypeSet::STRING =>
        {
            Some(Shape::Enum(Enum {
                open: true,
                ..listed.clone()
            }))
        }
        (Shape::Enum(listed), Shape::Bool) | (Shape::Bool, Shape::Enum(listed))
            if kind(listed)? == TypeSet::BOOL =>
        {
            Some(Shape::Bool)
        }
        _ => match (number(a)?, number(b)?) {
            (Shape::Integer(a), Shape::Integer(b)) => Some(Shape::Integer(Range {
                min: a.min.zip(b.min).map(|(a, b)| a.min(b)),
                max: a.max.zip(b.max).map(|(a, b)| a.max(b)),
            })),
            (Shape::Number { wide }, Shape::Integer(range))
            | (Shape::Integer(range), Shape::Number { wide }) => Some(Shape::Number {
                wide: wide || !range.is_safe(),
            }),
            (Shape::Number { wide: a }, Shape::Number { wide: b }) => {
                Some(Shape::Number { wide: a || b })
            }
            _ => None,
        },
    }
}

/// The JSON type of the listed values, when it is one.
fn kind(listed: &Enum) -> Option<TypeSet> {
    let types = listed
        .values
        .iter()
        .fold(TypeSet::NONE, |all, v| all | json_type(&v.value));
    types.is_single().then_some(types)
}

/// The plain number that takes the values of `shape`, when those are numbers.
fn number(shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Integer(_) | Shape::Number { .. } => Some(shape.clone()),
        Shape::Enum(listed) if kind(listed)? == TypeSet::NUMBER => Some(listed.base()),
        _ => None,
    }
}

impl Enum {
    /// The shape of the values without the list: what a target says that has no literal types.
    #[must_use]
    pub fn base(&self) -> Shape {
        match kind(self) {
            Some(TypeSet::STRING) => Shape::String,
            Some(TypeSet::BOOL) => Shape::Bool,
            Some(TypeSet::NUMBER) => {
                let numbers = self
                    .values
                    .iter()
                    .map(|v| integral::whole(v.value.as_number()?));
                let whole: Vec<i128> = numbers.clone().flatten().collect();
                let range = Range {
                    min: whole.iter().min().copied(),
                    max: whole.iter().max().copied(),
                };
                if whole.len() == self.values.len() {
                    Shape::Integer(range)
                } else {
                    Shape::Number {
                        wide: !whole.is_empty() && !range.is_safe(),
                    }
                }
            }
            _ => Shape::Any,
        }
    }
}
