//! Sets of JSON types: which types a schema can accept at all.

use std::iter::FromIterator;

use serde_json::{Map, Number, Value};

/// A set of JSON types. Whole numbers and other numbers are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TypeSet(u8);

impl TypeSet {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const OBJECT: Self = Self(4);
    pub(super) const ARRAY: Self = Self(8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const INTEGER: Self = Self(32);
    pub(super) const NUMBER: Self = Self(32 | 64);
    pub(super) const ALL: Self = Self(127);

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether every type of `other` is in the set.
    pub(super) fn covers(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether no type is in both.
    pub(super) fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// The type of a value.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Object(_) => Self::OBJECT,
            Value::Array(_) => Self::ARRAY,
            Value::String(_) => Self::STRING,
            Value::Number(number) if is_whole(number) => Self::INTEGER,
            Value::Number(_) => Self(64),
        }
    }

    /// What the `type` keyword says; everything where it is absent.
    pub(super) fn stated(schema: &Map<String, Value>) -> Self {
        match schema.get("type") {
            Some(Value::String(name)) => Self::named(name),
            Some(Value::Array(names)) => names
                .iter()
                .filter_map(Value::as_str)
                .map(Self::named)
                .collect(),
            _ => Self::ALL,
        }
    }

    fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "object" => Self::OBJECT,
            "array" => Self::ARRAY,
            "string" => Self::STRING,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            _ => Self::NONE,
        }
    }
}

impl FromIterator<TypeSet> for TypeSet {
    fn from_iter<I: IntoIterator<Item = TypeSet>>(sets: I) -> Self {
        sets.into_iter().fold(Self::NONE, Self::or)
    }
}

/// Whether a number is an integer to JSON Schema: `1.0` is.
pub(super) fn is_whole(number: &Number) -> bool {
    number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|f| f.fract() == 0.0)
}
