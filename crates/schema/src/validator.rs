//! Validation against a compiled schema: the one place where a value meets `jsonschema`.

use serde::Serialize;
use serde_json::Value;

/// Whether `format` asserts or only annotates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Formats {
    /// Standard formats are checked: authored contracts.
    Assert,
    /// Formats say nothing: declared contracts.
    Annotate,
}

/// One thing that is wrong with a value. Never holds the value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// JSON pointer into the value.
    pub pointer: String,
    /// The keyword that refused it.
    pub keyword: String,
    /// What was expected, in words.
    pub expected: String,
    /// What was there: a JSON type or a length.
    pub got: String,
}

/// A compiled schema.
#[derive(Debug)]
pub struct Validator {
    inner: jsonschema::Validator,
}

/// A schema that does not compile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CompileError {
    /// JSON pointer into the schema.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
}

impl Validator {
    /// Compiles `schema`.
    ///
    /// # Errors
    /// When the schema is invalid or a reference does not resolve inside it.
    pub fn compile(schema: &Value, formats: Formats) -> Result<Self, CompileError> {
        jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            .should_validate_formats(formats == Formats::Assert)
            .build(schema)
            .map(|inner| Self { inner })
            .map_err(|e| CompileError {
                pointer: e.instance_path().to_string(),
                message: e.to_string(),
            })
    }

    /// Whether `value` is what the schema says.
    #[must_use]
    pub fn is_valid(&self, value: &Value) -> bool {
        self.inner.is_valid(value)
    }
}
