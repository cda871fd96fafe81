//! What is wrong with a value, in a form that a model can correct itself by.
//!
//! Never holds the value: `got` is a JSON type or a length, so that a secret in a call does not
//! travel on in an error.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One thing that is wrong with a value. Never holds the value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Violation {
    /// JSON pointer into the value; empty for the value itself.
    pub pointer: String,
    /// The schema keyword that refused it.
    pub keyword: String,
    /// What was expected, in words.
    pub expected: String,
    /// What was there: a JSON type or a length.
    pub got: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer.is_empty() {
            write!(f, "at `{}`: ", self.pointer)?;
        }
        write!(f, "expected {}, got {}", self.expected, self.got)
    }
}

/// `data` of an `invalid_input` or `invalid_output` error: everything that is wrong, up to a cap.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Violations {
    /// What is wrong, in the order of the value.
    pub violations: Vec<Violation>,
    /// How many more there are beyond the cap.
    #[serde(default)]
    pub truncated: usize,
}

/// The first violation and how many follow it.
impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.violations.split_first() else {
            return f.write_str("nothing is wrong");
        };
        write!(f, "{first}")?;
        match rest.len().saturating_add(self.truncated) {
            0 => Ok(()),
            more => write!(f, " (and {more} more)"),
        }
    }
}
