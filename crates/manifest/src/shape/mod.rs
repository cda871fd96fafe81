//! The shape check: the value of a file against the JSON Schema of its kind, every violation at
//! its place. Validation itself is `toolcontract-schema`'s; this is the way back from a pointer
//! to a line.

mod explain;
mod integers;
mod locate;

use std::{
    ops::Range,
    sync::{Arc, LazyLock},
};

use schemars::JsonSchema;
use serde_json::{Value, json};
use toolcontract_protocol::{EventManifest, Manifest};
use toolcontract_schema::{Formats, Validator};

use crate::{
    diagnostic::{Diagnostic, sort},
    document::{Document, Node},
    project::Project,
    schemas,
};

pub(crate) use explain::name;

/// The manifest of a tool.
pub(crate) static TOOL: LazyLock<Shape> = LazyLock::new(Shape::of::<Manifest>);
/// The manifest of an event.
pub(crate) static EVENT: LazyLock<Shape> = LazyLock::new(Shape::of::<EventManifest>);
/// The project file.
pub(crate) static PROJECT: LazyLock<Shape> = LazyLock::new(Shape::of::<Project>);
/// A shared schema: an object; what it says is not a question of shape.
pub(crate) static TYPE: LazyLock<Shape> = LazyLock::new(|| Shape::new(json!({ "type": "object" })));

/// A kind of file.
#[derive(Debug)]
pub(crate) struct Shape {
    schema: Value,
    /// None would leave everything to the decoder, which reports one fault a file; a test holds
    /// that every shape compiles.
    validator: Option<Validator>,
}

impl Shape {
    pub(crate) fn of<T: JsonSchema>() -> Self {
        Self::new(schemas::shape::<T>())
    }

    fn new(schema: Value) -> Self {
        let validator = Validator::compile(&schema, Formats::Annotate).ok();
        Self { schema, validator }
    }

    /// What a key of the root states, in one sentence; empty for a key that it does not have.
    pub(crate) fn about(&self, key: &str) -> &str {
        locate::about(&self.schema, key)
    }

    /// Everything that is wrong with the shape of `value`, which is the document's.
    pub(crate) fn check(&self, document: &Arc<Document>, value: &Value) -> Vec<Diagnostic> {
        let mut findings = integers::check(&self.schema, document);
        let Some(validator) = &self.validator else {
            return findings;
        };
        if let Err(found) = validator.validate(value, usize::MAX) {
            let file = explain::File::new(&self.schema, document);
            findings.extend(file.explain(&found.violations));
        }
        // One mistake can break two keywords that are explained alike.
        sort(&mut findings);
        findings.dedup_by(|a, b| a.order(b).is_eq());
        findings
    }
}

/// Where something that is missing from an object is reported: its header or opening brace, and
/// the very start of a file for the root.
pub(crate) fn start_of(node: &Node) -> Range<usize> {
    let start = node.span.start;
    if start == 0 { 0..0 } else { node.span.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_compiles() {
        for shape in [&TOOL, &EVENT, &PROJECT, &TYPE] {
            assert!(shape.validator.is_some(), "{}", shape.schema);
        }
    }
}
