//! What values of a schema look like, without any target's syntax.
//!
//! A shape says what a type can say: members, variants, nesting. What it cannot say (lengths,
//! patterns, bounds, `not`, `if`) is the validator's business, which runs first. Two laws hold for
//! each shape of a schema:
//!
//! - complete: a value that the schema accepts fits the shape;
//! - lossless: a value that fits can be given back as it came, so nothing in it is nameless.
//!
//! Both survive dropping a conjunct: what `A and B` accepts, `A` accepts. So the shape of a
//! conjunction may be that of any part, and `meet` only ever picks or merges. What cannot be
//! proved is [`Shape::Any`].

mod array;
mod join;
mod meet;
mod object;
mod read;
mod scalar;
mod types;
mod widen;

use std::collections::BTreeMap;

use serde_json::Value;
use toolcontract_schema::Normal;

pub use read::opts_in;
pub use types::{TypeSet, json_type};

/// Which numbers reach a value that was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Those of I-JSON: integers beyond ±(2^53 - 1) are refused before. Authored contracts, as long
    /// as no `x-ts` stands in the schema: where one opts in somewhere, every integer without bounds
    /// is taken for a wide one, since the places that it speaks of are not known from the shape.
    Interoperable,
    /// Any. Declared contracts.
    Arbitrary,
}

/// The shapes of one schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Shapes {
    /// The schema itself.
    pub root: Shape,
    /// Its `$defs`, by key; shared types are among them. Not every one need be reached from the root.
    pub defs: BTreeMap<String, Shape>,
    /// What the schema itself says it is; shapes that have a place for it hold it too.
    pub description: Option<String>,
    /// The same of its `$defs`, by key.
    pub descriptions: BTreeMap<String, String>,
}

/// What a value looks like.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Anything.
    Any,
    /// `null` alone.
    Null,
    /// `true` or `false`.
    Bool,
    /// A whole number; `1.0` is one.
    Integer(Range),
    /// A number.
    Number {
        /// Integers beyond ±(2^53 - 1) occur, which a double cannot hold.
        wide: bool,
    },
    /// Text.
    String,
    /// One of listed values.
    Enum(Enum),
    /// Items of one shape, any number of them.
    Array(Box<Shape>),
    /// Items by position.
    Tuple(Tuple),
    /// Named members, other members, or both. A map is an object without named members.
    Object(Object),
    /// One of several shapes.
    Union(Union),
    /// The shape, or `null`. Never directly around another one; a named shape inside may take `null` itself.
    Nullable(Box<Shape>),
    /// A named shape; the only way in which shapes can be recursive.
    Ref(Ref),
}

/// The whole numbers that occur; no bound where none is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Range {
    /// The least.
    pub min: Option<i128>,
    /// The greatest.
    pub max: Option<i128>,
}

/// Listed values, none of them `null`, no two equal, in the author's order.
#[derive(Debug, Clone, PartialEq)]
pub struct Enum {
    /// The values; at least one.
    pub values: Vec<EnumValue>,
    /// Every other string is accepted too. Only where all values are strings.
    pub open: bool,
    /// What the values say together.
    pub description: Option<String>,
}

/// One listed value.
#[derive(Debug, Clone, PartialEq)]
pub struct EnumValue {
    /// The value.
    pub value: Value,
    /// What it means.
    pub description: Option<String>,
}

/// Items by position.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuple {
    /// The items of the first positions; at least one.
    pub items: Vec<Shape>,
    /// How many of them are always there.
    pub required: usize,
    /// The items behind them; none when there can be none.
    pub rest: Option<Box<Shape>>,
}

/// Named members, other members, or both.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object {
    /// The named members in the author's order. A member that must be absent is not listed.
    pub properties: Vec<Property>,
    /// The shape of all other members; none when there can be none.
    pub rest: Option<Box<Shape>>,
    /// What the object is.
    pub description: Option<String>,
}

/// A named member.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its value.
    pub shape: Shape,
    /// It is always there. Says nothing about `null`: that is [`Shape::Nullable`].
    pub required: bool,
    /// What it is.
    pub description: Option<String>,
    /// What stands for it when it is absent. An annotation: it may not even fit the shape.
    pub default: Option<Value>,
    /// It is on its way out.
    pub deprecated: bool,
}

/// One of several shapes; at least two variants, none of them `null` or anything.
#[derive(Debug, Clone, PartialEq)]
pub struct Union {
    /// How a value tells which variant it is.
    pub kind: UnionKind,
    /// The variants in the author's order.
    pub variants: Vec<Variant>,
    /// What the variants are together.
    pub description: Option<String>,
}

/// How a value tells which variant it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnionKind {
    /// All variants are objects; the member of this name holds the variant's name. It is required, and not listed in the variants.
    Tagged(String),
    /// Each variant has one JSON type, no two the same.
    ByType,
    /// Only by trying. Variants may overlap.
    Untagged,
}

/// One variant of a union.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// What to call it: the tag's value in a tagged union, else a hint that depends on this variant alone and need not be unique.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// What it is.
    pub description: Option<String>,
}

/// A named shape.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ref {
    /// The schema itself.
    Root,
    /// The key in `$defs`.
    Def(String),
    /// A shared type: its key in `$defs` and the reference that names it everywhere (`types/page.toml`).
    Shared {
        /// The key in `$defs` of this schema.
        key: String,
        /// The same in every schema.
        reference: String,
    },
}

impl Ref {
    /// The key in `$defs`; none for the root.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Root => None,
            Self::Def(key) | Self::Shared { key, .. } => Some(key),
        }
    }
}

impl Object {
    /// The shape of the values when no member is named; none when some are, or when it is closed and empty.
    #[must_use]
    pub fn as_map(&self) -> Option<&Shape> {
        match &self.rest {
            Some(rest) if self.properties.is_empty() => Some(rest),
            _ => None,
        }
    }

    /// An object of which nothing is known.
    #[must_use]
    pub fn open() -> Self {
        Self {
            properties: Vec::new(),
            rest: Some(Box::new(Shape::Any)),
            description: None,
        }
    }
}

impl Shape {
    /// The shape, or `null`.
    #[must_use]
    pub fn or_null(self) -> Self {
        match self {
            Self::Any | Self::Null | Self::Nullable(_) => self,
            shape => Self::Nullable(Box::new(shape)),
        }
    }
}

impl Shapes {
    /// The shape that `reference` names. A key that is not there names anything.
    #[must_use]
    pub fn get(&self, reference: &Ref) -> &Shape {
        match reference.key() {
            None => &self.root,
            Some(key) => self.defs.get(key).unwrap_or(&Shape::Any),
        }
    }

    /// What the shape that `reference` names is said to be.
    #[must_use]
    pub fn description(&self, reference: &Ref) -> Option<&str> {
        match reference.key() {
            None => self.description.as_deref(),
            Some(key) => self.descriptions.get(key).map(String::as_str),
        }
    }

    /// The shape behind any number of references; [`Shape::Any`] when they go round in a circle.
    #[must_use]
    pub fn resolve<'a>(&'a self, shape: &'a Shape) -> &'a Shape {
        let mut at = shape;
        for _ in 0..=self.defs.len() + 1 {
            match at {
                Shape::Ref(reference) => at = self.get(reference),
                other => return other,
            }
        }
        &Shape::Any
    }

    /// Whether `null` fits `shape`.
    #[must_use]
    pub fn accepts_null(&self, shape: &Shape) -> bool {
        self.types(shape).contains(TypeSet::NULL)
    }

    /// The JSON types of the values that fit `shape`.
    #[must_use]
    pub fn types(&self, shape: &Shape) -> TypeSet {
        let mut steps = types::MAX_STEPS;
        types::of_shape(shape, &|reference| self.get(reference), &mut steps)
    }
}

/// The shapes of a schema and of its `$defs`.
///
/// Never fails: what has no better shape is [`Shape::Any`].
#[must_use]
pub fn shape(normal: &Normal, numbers: Numbers) -> Shapes {
    read::Reader::new(normal, numbers).read()
}

#[cfg(test)]
mod tests;
