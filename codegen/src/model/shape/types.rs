//! Sets of JSON types. `integer` counts as `number` here: they overlap.

use std::ops::{BitAnd, BitOr};

use serde_json::Value;

use super::{Ref, Shape};

/// How many shapes or schemas are looked at before the answer is "any type".
pub(super) const MAX_STEPS: usize = 500;

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeSet(u8);

impl TypeSet {
    /// No type.
    pub const NONE: Self = Self(0);
    /// `null`.
    pub const NULL: Self = Self(1);
    /// `boolean`.
    pub const BOOL: Self = Self(2);
    /// `number`, `integer` among it.
    pub const NUMBER: Self = Self(4);
    /// `string`.
    pub const STRING: Self = Self(8);
    /// `array`.
    pub const ARRAY: Self = Self(16);
    /// `object`.
    pub const OBJECT: Self = Self(32);
    /// Every type.
    pub const ALL: Self = Self(63);

    /// Each type alone, in the order in which variants of a union are best tried.
    pub const EACH: [Self; 6] = [
        Self::NULL,
        Self::BOOL,
        Self::NUMBER,
        Self::STRING,
        Self::ARRAY,
        Self::OBJECT,
    ];

    /// The set that a value of the keyword `type` names. An unknown word names every type.
    #[must_use]
    pub fn from_keyword(value: &Value) -> Self {
        match value {
            Value::String(word) => Self::from_word(word),
            Value::Array(words) => words
                .iter()
                .map(|w| w.as_str().map_or(Self::ALL, Self::from_word))
                .fold(Self::NONE, |all, one| all | one),
            _ => Self::ALL,
        }
    }

    fn from_word(word: &str) -> Self {
        match word {
            "null" => Self::NULL,
            "boolean" => Self::BOOL,
            "number" | "integer" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::ALL,
        }
    }

    /// Whether all of `other` is in the set.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self & other == other
    }

    /// Whether the two have a type in common.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self & other != Self::NONE
    }

    /// Whether it is exactly one type.
    #[must_use]
    pub fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }
}

impl BitOr for TypeSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for TypeSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// The JSON type of a value.
#[must_use]
pub fn json_type(value: &Value) -> TypeSet {
    match value {
        Value::Null => TypeSet::NULL,
        Value::Bool(_) => TypeSet::BOOL,
        Value::Number(_) => TypeSet::NUMBER,
        Value::String(_) => TypeSet::STRING,
        Value::Array(_) => TypeSet::ARRAY,
        Value::Object(_) => TypeSet::OBJECT,
    }
}

/// The JSON types of the values that fit `shape`; every type when `steps` run out.
pub(super) fn of_shape<'a>(
    shape: &'a Shape,
    get: &dyn Fn(&Ref) -> &'a Shape,
    steps: &mut usize,
) -> TypeSet {
    let Some(left) = steps.checked_sub(1) else {
        return TypeSet::ALL;
    };
    *steps = left;
    match shape {
        Shape::Any => TypeSet::ALL,
        Shape::Null => TypeSet::NULL,
        Shape::Bool => TypeSet::BOOL,
        Shape::Integer(_) | Shape::Number { .. } => TypeSet::NUMBER,
        Shape::String => TypeSet::STRING,
        Shape::Enum(listed) => {
            let open = if listed.open {
                TypeSet::STRING
            } else {
                TypeSet::NONE
            };
            listed
                .values
                .iter()
                .fold(open, |all, v| all | json_type(&v.value))
        }
        Shape::Array(_) | Shape::Tuple(_) => TypeSet::ARRAY,
        Shape::Object(_) => TypeSet::OBJECT,
        Shape::Union(union) => union
            .variants
            .iter()
            .fold(TypeSet::NONE, |all, v| all | of_shape(&v.shape, get, steps)),
        Shape::Nullable(inner) => TypeSet::NULL | of_shape(inner, get, steps),
        Shape::Ref(reference) => of_shape(get(reference), get, steps),
    }
}
