//! What a value may weigh before a schema, a policy or a person looks at it.
//!
//! Refuses too many bytes, values, levels; a member that is there twice (only visible in bytes);
//! and integers that I-JSON (RFC 7493) does not promise to keep exact.

mod read;

use serde_json::{Number, Value};

use crate::{
    integral::{MAX_SAFE, is_wide},
    pointer::join,
    violation::{Violation, bounded},
};

pub use read::read;

/// What a value may weigh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text; only [`read`] knows them. 1 MiB unless said otherwise.
    pub bytes: usize,
    /// Levels of arrays and objects inside each other, at most [`MAX_DEPTH`]. 64.
    pub depth: usize,
    /// Values, counting each array, object, text, number, boolean and null. 100,000.
    pub nodes: usize,
    /// Which numbers are let through.
    pub numbers: Numbers,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 1 << 20,
            depth: 64,
            nodes: 100_000,
            numbers: Numbers::Safe,
        }
    }
}

/// The deepest that any limit goes, just below the limit of the parser itself; a `depth` beyond it
/// means it.
pub const MAX_DEPTH: usize = 126;

/// Which numbers are let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numbers {
    /// Integers lie within ±(2^53 - 1): JavaScript, and canonical JSON, cannot tell larger ones
    /// apart. What is written with a fraction or an exponent is a double, and passes: the nearest
    /// one, as JavaScript reads it, so `1e-400` is 0 and `1e400`, which has none, is refused.
    Safe,
    /// All that JSON has. For declared contracts, and where somebody looks at each place with its
    /// schema in hand ([`crate::wide::Wide`]), since a schema may opt in with `x-ts`.
    Any,
}

/// Why a value is refused unread.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoundsError {
    /// More text than the limit.
    #[error("{got} bytes are more than the {limit} that are read")]
    TooManyBytes {
        /// [`Limits::bytes`].
        limit: usize,
        /// How many there were.
        got: usize,
    },
    /// The text is no JSON.
    #[error("line {line}, column {column}: not JSON: {reason}")]
    NotJson {
        /// From 1.
        line: usize,
        /// From 1, in bytes.
        column: usize,
        /// What the parser says.
        reason: String,
    },
    /// Deeper than the limit.
    #[error("`{pointer}`: deeper than {limit} levels")]
    TooDeep {
        /// The first place that is too deep.
        pointer: String,
        /// [`Limits::depth`].
        limit: usize,
    },
    /// More values than the limit.
    #[error("more than {limit} values")]
    TooManyNodes {
        /// [`Limits::nodes`].
        limit: usize,
    },
    /// A member is there twice.
    #[error("`{pointer}`: this member is there twice")]
    DuplicateKey {
        /// The member.
        pointer: String,
    },
    /// An integer that is not exact everywhere.
    #[error(
        "`{pointer}`: integers go up to 9007199254740991 here; larger ones are not exact everywhere"
    )]
    WideInteger {
        /// The number.
        pointer: String,
    },
}

impl BoundsError {
    /// The same fact as a violation, for the data of `invalid_input`.
    #[must_use]
    pub fn violation(&self) -> Violation {
        let (pointer, expected, got) = match self {
            Self::TooManyBytes { limit, got } => {
                ("", format!("at most {limit} bytes"), format!("{got} bytes"))
            }
            Self::NotJson { .. } => ("", "JSON".to_owned(), "other text".to_owned()),
            Self::TooDeep { pointer, limit } => (
                pointer.as_str(),
                format!("at most {limit} levels"),
                "a deeper one".to_owned(),
            ),
            Self::TooManyNodes { limit } => (
                "",
                format!("at most {limit} values"),
                "more values".to_owned(),
            ),
            Self::DuplicateKey { pointer } => (
                pointer.as_str(),
                "each member once".to_owned(),
                "twice".to_owned(),
            ),
            Self::WideInteger { pointer } => (
                pointer.as_str(),
                format!("an integer within ±{MAX_SAFE}"),
                "integer".to_owned(),
            ),
        };
        Violation {
            pointer: bounded(pointer),
            keyword: "bounds".to_owned(),
            expected,
            got,
        }
    }
}

/// Checks a value that is read already; bytes and duplicate members are not seen any more.
///
/// # Errors
/// The first fault in the order of the value.
pub fn check(value: &Value, limits: &Limits) -> Result<(), BoundsError> {
    let mut count = Count::new(limits);
    descend(value, Path::ROOT, &mut count)
}

/// Recursion is bounded by `Limits::depth`: `enter` refuses before the next level.
fn descend(value: &Value, path: Path<'_>, count: &mut Count<'_>) -> Result<(), BoundsError> {
    count.node()?;
    match value {
        Value::Number(number) => count.number(number, path),
        Value::Array(items) => {
            count.enter(path)?;
            for (index, item) in items.iter().enumerate() {
                descend(item, path.child(Step::Index(index), &path), count)?;
            }
            Ok(())
        }
        Value::Object(members) => {
            count.enter(path)?;
            for (name, member) in members {
                descend(member, path.child(Step::Name(name), &path), count)?;
            }
            Ok(())
        }
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

/// What was counted so far.
struct Count<'l> {
    limits: &'l Limits,
    nodes: usize,
}

impl<'l> Count<'l> {
    fn new(limits: &'l Limits) -> Self {
        Self { limits, nodes: 0 }
    }

    fn node(&mut self) -> Result<(), BoundsError> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            return Err(BoundsError::TooManyNodes {
                limit: self.limits.nodes,
            });
        }
        Ok(())
    }

    /// Steps into the array or object at `path`.
    fn enter(&self, path: Path<'_>) -> Result<(), BoundsError> {
        let limit = self.limits.depth.min(MAX_DEPTH);
        if path.depth >= limit {
            return Err(BoundsError::TooDeep {
                pointer: path.pointer(),
                limit,
            });
        }
        Ok(())
    }

    fn number(&self, number: &Number, path: Path<'_>) -> Result<(), BoundsError> {
        if self.limits.numbers == Numbers::Safe && !number.is_f64() && is_wide(number) {
            return Err(BoundsError::WideInteger {
                pointer: path.pointer(),
            });
        }
        Ok(())
    }
}

/// The way from the root to a value, without a copy of any name.
#[derive(Clone, Copy)]
struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: Step<'p>,
    depth: usize,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Index(usize),
    Name(&'p str),
}

impl<'p> Path<'p> {
    const ROOT: Path<'static> = Path {
        parent: None,
        step: Step::Index(0),
        depth: 0,
    };

    fn child(&self, step: Step<'p>, parent: &'p Path<'p>) -> Path<'p> {
        Path {
            parent: Some(parent),
            step,
            depth: self.depth + 1,
        }
    }

    fn pointer(&self) -> String {
        let Some(parent) = self.parent else {
            return String::new();
        };
        match self.step {
            Step::Index(index) => join(&parent.pointer(), &index.to_string()),
            Step::Name(name) => join(&parent.pointer(), name),
        }
    }
}

/// How deep values nest in `value`: 0 for a value that is no array or object. Iterative.
#[must_use]
pub fn nesting(value: &Value) -> usize {
    let mut deepest = 0;
    let mut open = vec![(value, 0_usize)];
    while let Some((value, depth)) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => open.extend(members.values().map(|m| (m, depth + 1))),
            _ => continue,
        }
        deepest = deepest.max(depth + 1);
    }
    deepest
}
