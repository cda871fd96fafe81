//! Says what a value is: the bounds step, then the schema, as `parse` of generated code does.

use serde_json::Value;
use toolcontract_schema::{
    Formats, Validator,
    bounds::{self, Limits, Numbers},
    wide::{Wide, has_wide},
};

use crate::model::SchemaDoc;

/// How many faults of a value are looked at.
const MAX_FAULTS: usize = 4;

/// A schema that values are held against.
pub(super) struct Judge {
    validator: Validator,
    /// Only in the authored posture: which integers may be wide.
    wide: Option<Wide>,
}

impl Judge {
    /// None when the schema does not compile.
    pub(super) fn new(schema: &SchemaDoc, formats: Formats) -> Option<Self> {
        let wide = match formats {
            Formats::Assert => Some(Wide::new(&schema.normal.schema).ok()?),
            Formats::Annotate => None,
        };
        Some(Self {
            validator: Validator::compile(&schema.wire, formats).ok()?,
            wide,
        })
    }

    pub(super) fn accepts(&self, value: &Value) -> bool {
        let limits = Limits {
            numbers: Numbers::Any,
            ..Limits::default()
        };
        bounds::check(value, &limits).is_ok()
            && !self.is_too_wide(value)
            && self.validator.is_valid(value)
    }

    /// Whether every reader agrees on what the value is: declared contracts carry integers that
    /// JavaScript cannot, and zod knows an authored integer by its bounds alone.
    pub(super) fn is_portable(&self, value: &Value) -> bool {
        match &self.wide {
            None => !has_wide(value),
            Some(wide) => !has_wide(value) || !wide.is_taken_with_bounds_alone(value),
        }
    }

    fn is_too_wide(&self, value: &Value) -> bool {
        let wide = self.wide.as_ref().filter(|_| has_wide(value));
        wide.is_some_and(|wide| !wide.violations(value).is_empty())
    }

    /// The places where the schema refuses the value.
    pub(super) fn faults(&self, value: &Value) -> Vec<String> {
        match self.validator.validate(value, MAX_FAULTS) {
            Ok(()) => Vec::new(),
            Err(found) => found.violations.into_iter().map(|v| v.pointer).collect(),
        }
    }
}
