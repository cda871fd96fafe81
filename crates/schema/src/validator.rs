//! Validation against a compiled schema: the one place where a value meets `jsonschema`.

use std::borrow::Cow;

use serde_json::Value;

use crate::{
    pointer::to_uri_reference,
    violation::{Violation, Violations, type_name},
    walk::{walk, walk_mut},
};

/// Whether `format` asserts or only annotates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Formats {
    /// Standard formats are checked: authored contracts.
    Assert,
    /// Formats say nothing: declared contracts.
    Annotate,
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
            .offline()
            .should_validate_formats(formats == Formats::Assert)
            .build(&with_uri_references(schema))
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

    /// Everything that is wrong with `value`, up to `cap` faults.
    ///
    /// # Errors
    /// The faults, in the order of their pointers.
    pub fn validate(&self, value: &Value, cap: usize) -> Result<(), Violations> {
        if self.is_valid(value) {
            return Ok(());
        }
        let mut violations: Vec<Violation> = self
            .inner
            .iter_errors(value)
            .map(|e| Violation {
                pointer: e.instance_path().to_string(),
                keyword: e.kind().keyword().to_owned(),
                expected: e.masked().to_string(),
                got: type_name(e.instance()).to_owned(),
            })
            .collect();
        violations.sort_by(|a, b| (&a.pointer, &a.keyword).cmp(&(&b.pointer, &b.keyword)));
        let truncated = violations.len() > cap;
        violations.truncate(cap);
        Err(Violations {
            violations,
            truncated,
        })
    }
}

/// Schemas in the wild write references that are no URIs, and mean what everybody reads.
fn with_uri_references(schema: &Value) -> Cow<'_, Value> {
    let mut raw = false;
    walk(schema, &mut |_, node| {
        if let Some(Value::String(reference)) = node.get("$ref") {
            raw |= matches!(to_uri_reference(reference), Cow::Owned(_));
        }
    });
    if !raw {
        return Cow::Borrowed(schema);
    }
    let mut schema = schema.clone();
    walk_mut(&mut schema, &mut |node| {
        if let Some(Value::String(reference)) = node.get_mut("$ref") {
            *reference = to_uri_reference(reference).into_owned();
        }
    });
    Cow::Owned(schema)
}
