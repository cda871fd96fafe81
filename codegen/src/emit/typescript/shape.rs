//! What a schema means to TypeScript: a kind that both a type and a zod schema can express, and
//! the checks that only run.
//!
//! A type and a zod schema are printed from the same shape, so they cannot disagree.

use serde_json::{Number, Value};

use super::types::TypeSet;

/// A schema as both languages of this surface express it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) checks: Vec<Check>,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// Anything.
    Unknown,
    /// Nothing.
    Never,
    /// Nothing, for a reason that a caller should hear.
    Refused(String),
    Null,
    Boolean,
    Number(Numeric),
    String(Text),
    /// One of these primitives; never empty.
    Literals(Vec<Value>),
    /// One of these texts, or any other.
    OpenEnum(Vec<String>),
    /// An array or object equal to this one.
    Equal(Value),
    Array(Box<Items>),
    Tuple(Box<Tuple>),
    Object(Box<Object>),
    /// A schema with a name.
    Ref(Target),
    /// At least one of these.
    Union(Vec<Shape>),
    /// Exactly one of these, where more could match.
    OneOf(Vec<Shape>),
    /// Objects told apart by a member.
    Tagged(String, Vec<Shape>),
    /// All of these.
    AllOf(Vec<Shape>),
}

/// A number.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Numeric {
    pub(super) integer: bool,
    /// Method of zod and its argument: `min`, `max`, `gt`, `lt`, `multipleOf`.
    pub(super) bounds: Vec<(&'static str, Number)>,
    /// How the value is carried when it may pass 2^53 - 1.
    pub(super) wide: Option<Wide>,
}

/// How an integer is carried that a JavaScript number cannot hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wide {
    /// As a `bigint`.
    BigInt,
    /// As its decimal text.
    String,
}

/// A string.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Text {
    pub(super) not_empty: bool,
    /// A pattern that every JavaScript compiles.
    pub(super) regex: Option<String>,
}

/// An array.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Items {
    pub(super) items: Shape,
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
}

/// An array whose first items have shapes of their own.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tuple {
    pub(super) prefix: Vec<Shape>,
    /// What follows; none when nothing may.
    pub(super) rest: Option<Shape>,
    /// How many items must be there.
    pub(super) required: usize,
}

/// An object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Object {
    pub(super) members: Vec<Member>,
    pub(super) rest: Rest,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub(super) key: String,
    pub(super) shape: Shape,
    pub(super) required: bool,
    pub(super) description: Option<String>,
    pub(super) deprecated: bool,
    /// What its absence means, as written.
    pub(super) default: Option<Value>,
    /// Whether the schema accepts that.
    pub(super) default_holds: bool,
}

/// Members beyond those that are named.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Rest {
    /// There are none.
    Closed,
    /// There may be some, because nothing says otherwise.
    Unsaid,
    /// There may be some, and the schema says so.
    Open,
    /// They are of this shape.
    Typed(Shape),
}

/// Where a name leads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Target {
    /// The schema itself.
    Root,
    /// A key of its `$defs`.
    Local(String),
    /// A shared type, by reference: `types/page.toml`.
    Shared(String),
}

/// What the type does not say. Named after the keyword; speaks only of values of its type.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Check {
    MinLength(u64),
    MaxLength(u64),
    Pattern(String),
    Format(String),
    MultipleOf(Number),
    MinItems(u64),
    MaxItems(u64),
    UniqueItems,
    Contains {
        shape: Shape,
        min: u64,
        max: Option<u64>,
    },
    Required(Vec<String>),
    MinProperties(u64),
    MaxProperties(u64),
    PropertyNames(Shape),
    PatternProperties {
        patterns: Vec<(String, Shape)>,
        known: Vec<String>,
        rest: Option<Shape>,
    },
    DependentRequired(String, Vec<String>),
    DependentSchema(String, Shape),
    Also(Shape),
    AnyOf(Vec<Shape>),
    ExactlyOne(Vec<Shape>),
    Not(Shape),
    When {
        condition: Shape,
        then: Option<Shape>,
        otherwise: Option<Shape>,
    },
    WhenType(&'static str, Shape),
    UnevaluatedProperties(Evaluated, Shape),
    UnevaluatedItems(Evaluated, Shape),
}

/// What a schema speaks of, for `unevaluatedProperties` and `unevaluatedItems`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Evaluated {
    pub(super) all: bool,
    pub(super) keys: Vec<String>,
    pub(super) patterns: Vec<String>,
    pub(super) items: u64,
    pub(super) containing: Vec<Shape>,
    pub(super) when: Vec<Condition>,
}

/// What is spoken of only where a condition holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    /// Where the shape accepts the value, and where it does not.
    If(Shape, Evaluated, Evaluated),
    /// Where the member is present.
    Key(String, Evaluated),
}

impl Shape {
    /// A shape without checks.
    pub(super) fn of(kind: Kind) -> Self {
        Self {
            kind,
            checks: Vec::new(),
        }
    }

    /// Accepts anything.
    pub(super) fn unknown() -> Self {
        Self::of(Kind::Unknown)
    }

    /// Whether it accepts anything.
    pub(super) fn is_unknown(&self) -> bool {
        self.kind == Kind::Unknown && self.checks.is_empty()
    }
}

impl Evaluated {
    /// Whether it speaks of nothing.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what `other` speaks of.
    pub(super) fn merge(&mut self, other: Self) {
        self.all |= other.all;
        self.items = self.items.max(other.items);
        self.containing.extend(other.containing);
        self.when.extend(other.when);
        for key in other.keys {
            if !self.keys.contains(&key) {
                self.keys.push(key);
            }
        }
        for pattern in other.patterns {
            if !self.patterns.contains(&pattern) {
                self.patterns.push(pattern);
            }
        }
    }
}

impl Object {
    /// Whether zod's own objects do: none of the members is inherited by every object, and none
    /// that must be present may be of any type.
    pub(super) fn is_plain(&self) -> bool {
        self.members.iter().all(|member| {
            !INHERITED.contains(&member.key.as_str())
                && !(member.required && member.shape.may_be_undefined())
        })
    }
}

/// The members of `Object.prototype`.
const INHERITED: [&str; 12] = [
    "__proto__",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

impl Shape {
    /// Whether its zod schema accepts `undefined`, which a required member must not be. True where
    /// it cannot be told from here.
    pub(super) fn may_be_undefined(&self) -> bool {
        match &self.kind {
            Kind::Unknown | Kind::Ref(_) => true,
            Kind::Union(options) | Kind::OneOf(options) => {
                options.iter().any(Self::may_be_undefined)
            }
            Kind::AllOf(parts) => parts.iter().all(Self::may_be_undefined),
            Kind::Never
            | Kind::Refused(_)
            | Kind::Null
            | Kind::Boolean
            | Kind::Number(_)
            | Kind::String(_)
            | Kind::Literals(_)
            | Kind::OpenEnum(_)
            | Kind::Equal(_)
            | Kind::Array(_)
            | Kind::Tuple(_)
            | Kind::Object(_)
            | Kind::Tagged(..) => false,
        }
    }
}

/// Every type of the shape's values, as far as it can be told without following names.
pub(super) fn types(shape: &Shape) -> TypeSet {
    match &shape.kind {
        Kind::Unknown | Kind::Ref(_) => TypeSet::ALL,
        Kind::Never | Kind::Refused(_) => TypeSet::NONE,
        Kind::Null => TypeSet::NULL,
        Kind::Boolean => TypeSet::BOOLEAN,
        Kind::Number(number) if number.integer => TypeSet::INTEGER,
        Kind::Number(_) => TypeSet::NUMBER,
        Kind::String(_) | Kind::OpenEnum(_) => TypeSet::STRING,
        Kind::Literals(values) => values.iter().map(TypeSet::of).collect(),
        Kind::Equal(value) => TypeSet::of(value),
        Kind::Array(_) | Kind::Tuple(_) => TypeSet::ARRAY,
        Kind::Object(_) | Kind::Tagged(..) => TypeSet::OBJECT,
        Kind::Union(options) | Kind::OneOf(options) => options.iter().map(types).collect(),
        Kind::AllOf(parts) => parts.iter().map(types).fold(TypeSet::ALL, TypeSet::and),
    }
}
