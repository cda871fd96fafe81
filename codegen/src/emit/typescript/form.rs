//! What a schema means to TypeScript: a kind that both a type and a zod schema can express, and
//! the checks that only run.
//!
//! A type and a zod schema are printed from the same form, so they cannot disagree.

use serde_json::{Number, Value};
use toolcontract_schema::integral::MAX_SAFE;

/// A schema as both languages of this surface express it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Form {
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
    Union(Vec<Form>),
    /// Exactly one of these, where more could match.
    OneOf(Vec<Form>),
    /// Objects told apart by a member.
    Tagged(String, Vec<Form>),
    /// All of these.
    AllOf(Vec<Form>),
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

impl Numeric {
    /// The bounds that a JavaScript number does not keep anyway.
    pub(super) fn own_bounds(&self) -> impl Iterator<Item = &(&'static str, Number)> {
        self.bounds
            .iter()
            .filter(|(method, bound)| !(self.integer && is_implied(method, bound)))
    }
}

/// Whether an integer that JavaScript carries keeps the bound anyway.
fn is_implied(method: &str, bound: &Number) -> bool {
    #[expect(
        clippy::cast_precision_loss,
        reason = "the limit and its neighbours are exact"
    )]
    let limit = MAX_SAFE as f64;
    bound.as_f64().is_some_and(|bound| match method {
        "min" => bound <= -limit,
        "gt" => bound < -limit,
        "max" => bound >= limit,
        "lt" => bound > limit,
        _ => false,
    })
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
    pub(super) items: Form,
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
}

/// An array whose first items have forms of their own.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tuple {
    pub(super) prefix: Vec<Form>,
    /// What follows; none when nothing may.
    pub(super) rest: Option<Form>,
    /// How many items must be there.
    pub(super) required: usize,
    /// Whether `z.tuple` does: every item must be there, and nothing may follow.
    pub(super) plain: bool,
}

/// An object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Object {
    pub(super) members: Vec<Member>,
    pub(super) rest: Rest,
    /// Whether `z.strictObject` does: no member is inherited by every object, and none that must
    /// be present may be of any type.
    pub(super) plain: bool,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub(super) key: String,
    pub(super) form: Form,
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
    /// They are of this form.
    Typed(Form),
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
    /// A part of another schema that nests too deep to stay there; where it stood.
    Part(String),
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
        form: Form,
        min: u64,
        max: Option<u64>,
    },
    Required(Vec<String>),
    MinProperties(u64),
    MaxProperties(u64),
    PropertyNames(Form),
    PatternProperties {
        patterns: Vec<(String, Form)>,
        known: Vec<String>,
        rest: Option<Form>,
    },
    DependentRequired(String, Vec<String>),
    DependentSchema(String, Form),
    Also(Form),
    AnyOf(Vec<Form>),
    ExactlyOne(Vec<Form>),
    Not(Form),
    When {
        condition: Form,
        then: Option<Form>,
        otherwise: Option<Form>,
    },
    WhenType(&'static str, Form),
    UnevaluatedProperties(Evaluated, Form),
    UnevaluatedItems(Evaluated, Form),
}

/// What a schema speaks of, for `unevaluatedProperties` and `unevaluatedItems`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Evaluated {
    pub(super) all: bool,
    pub(super) keys: Vec<String>,
    pub(super) patterns: Vec<String>,
    pub(super) items: u64,
    pub(super) containing: Vec<Form>,
    pub(super) when: Vec<Condition>,
}

/// What is spoken of only where a condition holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    /// Where the form accepts the value, and where it does not.
    If(Form, Evaluated, Evaluated),
    /// Where the member is present.
    Key(String, Evaluated),
}

impl Form {
    /// A form without checks.
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
