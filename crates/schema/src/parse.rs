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
//! Embed the *wire* schema (self-contained, stripped). Where the schema uses `x-ts`, give the
//! bundled one with our `x-` keywords too ([`Schema::with_extensions`]), so that the bounds step
//! knows which integers may be wide.
//! No input and no embedded text makes `parse` panic: a schema that does not compile is an error
//! of every call.

use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    bounds::{self, Limits, Numbers},
    integral,
    normal::NormalError,
    strip,
    validator::{CompileError, Formats, Validator},
    violation::{Violation, Violations},
    wide::{Wide, has_wide},
};

/// How many faults of one value are told.
const CAP: usize = 32;

/// A schema embedded in generated code, compiled at its first use.
#[derive(Debug)]
pub struct Schema {
    text: &'static str,
    pointer: &'static str,
    formats: Formats,
    /// The same schema with our `x-` keywords, where it opts in to wide integers.
    extended: Option<&'static str>,
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
            extended: None,
            compiled: OnceLock::new(),
        }
    }

    /// The same with `extended`: the bundled schema as the author wrote it, `x-` keywords and
    /// all. Needed where the schema uses `x-ts`: it says which integers may pass 2^53 - 1.
    #[must_use]
    pub const fn with_extensions(mut self, extended: &'static str) -> Self {
        self.extended = Some(extended);
        self
    }

    /// The text that holds the schema.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// The compiled schema.
    ///
    /// # Errors
    /// [`ParseError::Schema`] when the text is no JSON or no schema.
    pub fn validator(&self) -> Result<&Validator, ParseError> {
        self.compiled
            .get_or_init(|| {
                let schema = self.schema()?;
                match self.formats {
                    Formats::Assert => Validator::compile(&strip(&schema), self.formats),
                    // In a declared schema `x-` keywords are somebody else's.
                    Formats::Annotate => Validator::compile(&schema, self.formats),
                }
            })
            .as_ref()
            .map_err(|e| ParseError::Schema(e.clone()))
    }

    fn schema(&self) -> Result<Value, CompileError> {
        let mut text = json(self.text)?;
        text.pointer_mut(self.pointer)
            .map(Value::take)
            .ok_or_else(|| CompileError {
                pointer: self.pointer.to_owned(),
                message: "there is no schema".to_owned(),
            })
    }

    /// Integers that are not exact everywhere, at places that do not opt in.
    ///
    /// They are rare, so what is needed to judge them is made when one is there.
    fn wide(&self, value: &Value) -> Result<Vec<Violation>, ParseError> {
        if self.formats == Formats::Annotate || !has_wide(value) {
            return Ok(Vec::new());
        }
        let extended = match self.extended {
            Some(extended) => json(extended),
            None => self.schema(),
        };
        let wide = extended.and_then(|schema| Wide::new(&schema).map_err(no_normal_form));
        Ok(wide.map_err(ParseError::Schema)?.violations(value))
    }

    /// Whether `value` is what the schema says: the bounds step, then the schema.
    ///
    /// # Errors
    /// [`ParseError::Invalid`] with every fault up to a cap of 32; [`ParseError::Schema`].
    pub fn check(&self, value: &Value) -> Result<(), ParseError> {
        let validator = self.validator()?;
        // Each place is asked below whether it takes wide integers.
        let limits = Limits {
            numbers: Numbers::Any,
            ..Limits::default()
        };
        bounds::check(value, &limits).map_err(|e| invalid(vec![e.violation()]))?;
        let wide = self.wide(value)?;
        if !wide.is_empty() {
            return Err(invalid(wide));
        }
        validator.validate(value, CAP).map_err(ParseError::Invalid)
    }

    /// Checks `value`, then makes it a `T`. An integer that is spelled `1.0` becomes `1`.
    ///
    /// The value is read already, so a member that was there twice is not seen; where bytes come
    /// in, [`bounds::read`] refuses it.
    ///
    /// # Errors
    /// As [`Self::check`]; [`ParseError::Type`] when `T` and the schema disagree.
    pub fn parse<T: DeserializeOwned>(&self, mut value: Value) -> Result<T, ParseError> {
        self.check(&value)?;
        integral::normalize(&mut value);
        serde_json::from_value(value).map_err(|e| ParseError::Type {
            reason: without_value(&e.to_string()),
        })
    }
}

fn json(text: &str) -> Result<Value, CompileError> {
    serde_json::from_str(text).map_err(|e| CompileError {
        pointer: String::new(),
        message: e.to_string(),
    })
}

fn no_normal_form(errors: Vec<NormalError>) -> CompileError {
    let first = errors.into_iter().next();
    CompileError {
        pointer: first
            .as_ref()
            .map(|e| e.pointer.clone())
            .unwrap_or_default(),
        message: first.map(|e| e.reason).unwrap_or_default(),
    }
}

fn invalid(found: Vec<Violation>) -> ParseError {
    ParseError::Invalid(Violations::new(found, CAP))
}

/// What serde says up to where it may quote the value: `invalid type`, `missing field`.
fn without_value(text: &str) -> String {
    let end = text.find([':', '`', '"']).unwrap_or(text.len());
    text.get(..end).unwrap_or_default().trim_end().to_owned()
}
