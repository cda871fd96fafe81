//! Says what a value is: the bounds step, then the schema, as `parse` of generated code does.

use std::sync::OnceLock;

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
pub(super) struct Judge<'s> {
    schema: &'s SchemaDoc,
    validator: Validator,
    formats: Formats,
    /// Which integers may be wide; made when the first wide one comes.
    wide: OnceLock<Wide>,
}

impl<'s> Judge<'s> {
    /// None when the schema does not compile.
    pub(super) fn new(schema: &'s SchemaDoc, formats: Formats) -> Option<Self> {
        Some(Self {
            schema,
            validator: Validator::compile(&schema.wire, formats).ok()?,
            formats,
            wide: OnceLock::new(),
        })
    }

    /// Only in the authored posture.
    fn wide(&self) -> Option<&Wide> {
        let make = || Wide::of_normal(&self.schema.normal);
        match self.formats {
            Formats::Assert => Some(self.wide.get_or_init(make)),
            Formats::Annotate => None,
        }
    }

    pub(super) fn accepts(&self, value: &Value) -> bool {
        let limits = Limits {
            numbers: Numbers::Any,
            ..Limits::default()
        };
        bounds::check(value, &limits).is_ok()
            && self.validator.is_valid(value)
            && !self.is_too_wide(value)
    }

    /// Whether every reader agrees on what the value is: declared contracts carry integers that
    /// JavaScript cannot, and zod knows an authored integer by its bounds alone.
    pub(super) fn is_portable(&self, value: &Value) -> bool {
        if !has_wide(value) {
            return true;
        }
        let wide = self.wide();
        wide.is_some_and(|wide| !wide.is_taken_with_bounds_alone(value))
    }

    /// Asked of values that the schema takes.
    fn is_too_wide(&self, value: &Value) -> bool {
        if !has_wide(value) {
            return false;
        }
        let wide = self.wide();
        wide.is_some_and(|wide| !wide.violations_of_taken(value).is_empty())
    }

    /// The places where the schema refuses the value.
    pub(super) fn faults(&self, value: &Value) -> Vec<String> {
        match self.validator.validate(value, MAX_FAULTS) {
            Ok(()) => Vec::new(),
            Err(found) => found.violations.into_iter().map(|v| v.pointer).collect(),
        }
    }
}
