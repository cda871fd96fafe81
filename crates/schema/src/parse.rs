//! What generated code calls to turn a value into a typed input, output or event.
//!
//! A generated module holds one static per schema and one line per `parse`:
//!
//! ```
//! use serde::Deserialize;
//! use serde_json::{Value, json};
//! use toolcontract_schema::{Formats, parse::{ParseError, Schema}};
//!
//! static INPUT: Schema = Schema::new(
//!     r#"{"type":"object","properties":{"limit":{"type":"integer","maximum":20}},"required":["limit"]}"#,
//!     Formats::Assert,
//! );
//!
//! #[derive(Debug, Deserialize)]
//! struct Input { limit: i64 }
//!
//! fn parse(value: Value) -> Result<Input, ParseError> {
//!     INPUT.parse(value)
//! }
//!
//! assert_eq!(parse(json!({ "limit": 20.0 })).unwrap().limit, 20);
//! let refused = parse(json!({ "limit": 21 })).unwrap_err();
//! assert_eq!(refused.violations()[0].pointer, "/limit");
//! ```
//!
//! Embed the *wire* schema (self-contained, stripped); where the schema uses `x-ts`, embed the
//! bundled one with our `x-` keywords, so that the bounds step knows which integers may be wide.
//! No input and no embedded text makes `parse` panic: a schema that does not compile is an error
//! of every call.

use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    integral,
    validator::{CompileError, Formats, Validator},
    violation::{Violation, Violations},
};

/// How many faults of one value are told.
const CAP: usize = 32;

/// A schema embedded in generated code, compiled at its first use.
#[derive(Debug)]
pub struct Schema {
    text: &'static str,
    pointer: &'static str,
    formats: Formats,
    compiled: OnceLock<Result<Validator, CompileError>>,
}

/// Why a value did not become a typed one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The value is not what the contract says: `invalid_input`, or `invalid_output` of a tool.
    #[error("{0}")]
    Invalid(Violations),
    /// The embedded schema does not compile: a defect of what was generated.
    #[error("the embedded schema does not compile: {0}")]
    Schema(CompileError),
    /// The schema accepts the value but the type does not take it: a defect of what was generated.
    #[error("the generated type does not take a value that its schema accepts: {reason}")]
    Type {
        /// What serde said, without the value.
        reason: String,
    },
}

impl ParseError {
    /// What is wrong with the value; empty when the value is not to blame.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) => &violations.violations,
            Self::Schema(_) | Self::Type { .. } => &[],
        }
    }
}

impl Schema {
    /// The schema that `text` spells as JSON. Nothing is compiled yet.
    ///
    /// [`Formats::Assert`] is the authored posture: formats assert and values are I-JSON.
    #[must_use]
    pub const fn new(text: &'static str, formats: Formats) -> Self {
        Self::within(text, "", formats)
    }

    /// The schema that stands at the JSON pointer `pointer` in the JSON `text`, such as
    /// `/schema/input_schema` in the wire form of a contract.
    #[must_use]
    pub const fn within(text: &'static str, pointer: &'static str, formats: Formats) -> Self {
        Self {
            text,
            pointer,
            formats,
            compiled: OnceLock::new(),
        }
    }

    /// The text that holds the schema.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// The compiled schema.
    ///
    /// # Errors
    /// When the text is no JSON or no schema.
    pub fn validator(&self) -> Result<&Validator, ParseError> {
        self.compiled
            .get_or_init(|| {
                let fault = |message: String| CompileError {
                    pointer: self.pointer.to_owned(),
                    message,
                };
                let text: Value =
                    serde_json::from_str(self.text).map_err(|e| fault(e.to_string()))?;
                let schema = text
                    .pointer(self.pointer)
                    .ok_or_else(|| fault("there is no schema".to_owned()))?;
                Validator::compile(schema, self.formats)
            })
            .as_ref()
            .map_err(|e| ParseError::Schema(e.clone()))
    }

    /// Whether `value` is what the schema says, and what is wrong with it.
    ///
    /// # Errors
    /// [`ParseError::Invalid`] with every fault up to a cap of 32; [`ParseError::Schema`].
    pub fn check(&self, value: &Value) -> Result<(), ParseError> {
        self.validator()?
            .validate(value, CAP)
            .map_err(ParseError::Invalid)
    }

    /// Checks `value`, then makes it a `T`. An integer that is spelled `1.0` becomes `1`.
    ///
    /// # Errors
    /// As [`Self::check`]; [`ParseError::Type`] when `T` and the schema disagree.
    pub fn parse<T: DeserializeOwned>(&self, mut value: Value) -> Result<T, ParseError> {
        self.check(&value)?;
        integral::normalize(&mut value);
        serde_json::from_value(value).map_err(|e| ParseError::Type {
            reason: e.to_string(),
        })
    }
}
