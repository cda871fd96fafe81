//! What is wrong with a value, in a form that a model can correct itself by.
//!
//! Never holds the value: `got` is a JSON type, a length or how it differs, so that a secret in a
//! call does not travel on in an error.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One thing that is wrong with a value. Never holds the value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Violation {
    /// JSON pointer into the value; empty for the value itself, cut off with `…` where it is long.
    pub pointer: String,
    /// The schema keyword that refused it.
    pub keyword: String,
    /// What was expected, in words; cut off with `…` where it is long.
    pub expected: String,
    /// What was there: a JSON type, a length such as `3 characters`, or how it differs, such as
    /// `a smaller integer`; `absent` where nothing was.
    pub got: String,
}

/// What was there where nothing was.
const ABSENT: &str = "absent";

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str("the value: ")?,
            pointer => write!(f, "`{pointer}`: ")?,
        }
        match self.got.as_str() {
            ABSENT => write!(f, "{} is missing", self.expected),
            got => write!(f, "expected {}, got {got}", self.expected),
        }
    }
}

/// Everything that is wrong with a value, up to a cap. `data` of an `invalid_input` or
/// `invalid_output` error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Violations {
    /// What is wrong, in the order of the pointers.
    pub violations: Vec<Violation>,
    /// How many more there are beyond the cap; absent where there is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub truncated: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Violations {
    /// Sorted, without duplicates, at most `cap` and at least one: what is refused has a reason.
    #[must_use]
    pub fn new(mut found: Vec<Violation>, cap: usize) -> Self {
        found.sort();
        found.dedup();
        if found.is_empty() {
            found.push(Violation {
                pointer: String::new(),
                keyword: "schema".to_owned(),
                expected: "a value that the schema accepts".to_owned(),
                got: "another one".to_owned(),
            });
        }
        let truncated = found.len().saturating_sub(cap.max(1));
        found.truncate(cap.max(1));
        Self {
            violations: found,
            truncated,
        }
    }
}

impl std::error::Error for Violations {}

/// All of them on one line.
impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.violations.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            violation.fmt(f)?;
        }
        match self.truncated {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}
