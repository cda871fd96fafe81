//! Validation against a compiled schema: the one place where a value meets `jsonschema`.
//!
//! Refuses at compile time what is no valid schema of its dialect and every reference that leaves
//! the document. Nothing is ever read from the disk or the network.

use std::borrow::Cow;

use jsonschema::{PatternOptions, ValidationOptions};
use serde_json::Value;

use crate::{
    bounds::nesting,
    effort::Effort,
    explain::{UNDECIDED, explain},
    host,
    normal::MAX_NESTING,
    pointer::{join, to_uri_reference},
    resource::Index,
    violation::{Violation, Violations, type_name, without_noise},
    vocabulary::Dialect,
    walk::{each, references, walk, walk_mut},
};

/// Whether `format` asserts or only annotates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Formats {
    /// Standard formats are checked: authored contracts.
    Assert,
    /// Formats say nothing: declared contracts.
    Annotate,
}

/// How often a pattern with look-around may go back on one text before it counts as undecided.
const BACKTRACK_LIMIT: usize = 10_000;

/// A compiled schema.
#[derive(Debug)]
pub struct Validator {
    inner: jsonschema::Validator,
    effort: Effort,
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
    /// Compiles `schema`, in the dialect that its `$schema` names, else 2020-12.
    ///
    /// Give it what leaves the manifests: keywords of ours mean nothing here. Unknown formats
    /// assert nothing; `contentEncoding` and its kin never do. Patterns run in linear time, all
    /// of the schema; only where one has look-around do they run with a limit, and a value whose
    /// verdict hangs on a text that hits it is refused, whatever stands around the pattern (`not`,
    /// `oneOf`). So is one in which such patterns would meet more than 1,000 texts.
    ///
    /// # Errors
    /// When the schema is invalid or a reference does not resolve inside it.
    pub fn compile(schema: &Value, formats: Formats) -> Result<Self, CompileError> {
        if let Some(dialect) = schema.get("$schema")
            && dialect.as_str().and_then(Dialect::from_uri).is_none()
        {
            return Err(CompileError {
                pointer: "/$schema".to_owned(),
                message: format!("{dialect} is not a dialect that is known here"),
            });
        }
        if nesting(schema) > MAX_NESTING {
            return Err(CompileError {
                pointer: String::new(),
                message: format!("the schema nests deeper than {MAX_NESTING} levels"),
            });
        }
        let schema = with_uri_references(schema);
        let linear = options(formats).with_pattern_options(PatternOptions::regex());
        let (inner, backtracks) = match linear.build(&schema) {
            Ok(inner) => (inner, false),
            Err(_) => {
                let backtracking = PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT);
                let options = options(formats).with_pattern_options(backtracking);
                let built = options.build(&schema);
                (built.map_err(|error| compile_error(&schema, &error))?, true)
            }
        };
        Ok(Self {
            inner,
            effort: Effort::of(&schema, backtracks),
        })
    }

    /// Whether `value` is what the schema says.
    ///
    /// Recurses as deep as `value` nests; check [`crate::bounds`] first where it may be hostile.
    #[must_use]
    pub fn is_valid(&self, value: &Value) -> bool {
        !self.effort.is_too_much_to_match(value) && self.inner.is_valid(value)
    }

    /// Everything that is wrong with `value`, up to `cap` faults (at least one is told).
    ///
    /// Of a union (`anyOf`, `oneOf`) the faults of the closest alternative are told. Where it would
    /// take too long to find them all, because there are too many or the schema looks at each part of
    /// the value in many ways, one fault stands for all and names no place.
    ///
    /// # Errors
    /// The faults, in the order of their pointers.
    pub fn validate(&self, value: &Value, cap: usize) -> Result<(), Violations> {
        if self.effort.is_too_much_to_match(value) {
            return Err(Violations::new(vec![undecided(value)], cap));
        }
        if self.inner.is_valid(value) {
            return Ok(());
        }
        if self.effort.is_too_much_to_explain(value) {
            return Err(Violations::new(vec![unexplained(value)], cap));
        }
        let errors = self.inner.iter_errors(value);
        let found = errors.flat_map(|error| explain(&error)).collect();
        Err(Violations::new(without_noise(found), cap))
    }
}

/// What is told of a value in which patterns with look-around meet too many texts.
fn undecided(value: &Value) -> Violation {
    Violation {
        pointer: String::new(),
        keyword: "pattern".to_owned(),
        expected: UNDECIDED.to_owned(),
        got: type_name(value).to_owned(),
    }
}

/// What is told where it would take too long to say more.
fn unexplained(value: &Value) -> Violation {
    Violation {
        pointer: String::new(),
        keyword: "$ref".to_owned(),
        expected:
            "what the schema says; schema and value are too entangled to say where they differ"
                .to_owned(),
        got: type_name(value).to_owned(),
    }
}

/// The options that do not depend on patterns.
fn options<'i>(formats: Formats) -> ValidationOptions<'i> {
    let mut options = jsonschema::options().offline();
    for (format, check) in host::FORMATS {
        options = options.with_format(format, check);
    }
    options
        .should_validate_formats(formats == Formats::Assert)
        .should_ignore_unknown_formats(true)
        .without_content_encoding_support("base64")
        .without_content_media_type_support("application/json")
}

fn compile_error(schema: &Value, error: &jsonschema::ValidationError<'_>) -> CompileError {
    use jsonschema::error::ValidationErrorKind as Kind;
    let pointer = error.instance_path().to_string();
    match error.kind() {
        Kind::Referencing(reason) => unresolved(schema).unwrap_or_else(|| CompileError {
            pointer,
            message: format!("a reference does not resolve: {reason}"),
        }),
        Kind::Format { format } if format == "regex" => CompileError {
            pointer,
            message: "the pattern is no regular expression that is understood here".to_owned(),
        },
        _ => match explain(error).into_iter().next() {
            Some(v) => CompileError {
                message: format!("expected {}, got {}", v.expected, v.got),
                pointer: v.pointer,
            },
            None => CompileError {
                pointer,
                message: error.masked().to_string(),
            },
        },
    }
}

/// The first reference that does not resolve; `jsonschema` does not tell its place.
fn unresolved(schema: &Value) -> Option<CompileError> {
    let dialect = schema.get("$schema").and_then(Value::as_str);
    let dialect = dialect.and_then(Dialect::from_uri);
    let index = Index::new(schema, dialect.unwrap_or(Dialect::Draft202012));
    let mut first = None;
    walk(schema, &mut |place, node| {
        for (keyword, reference) in references(node) {
            if let Err(fault) = index.resolve(place, reference) {
                first.get_or_insert_with(|| CompileError {
                    pointer: join(place, keyword),
                    message: format!("`{reference}`: {}", fault.reason()),
                });
            }
        }
    });
    first
}

/// Schemas in the wild write references that are no URIs, and mean what everybody reads.
fn with_uri_references(schema: &Value) -> Cow<'_, Value> {
    let mut raw = false;
    each(schema, &mut |node| {
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
