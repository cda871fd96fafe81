//! The vectors of a tool: of its input and its output, its examples among them.

use toolcontract_protocol::manifest::Posture;
use toolcontract_schema::Formats;

use super::{Vectors, vectors};
use crate::model::Tool;

/// How many vectors of one schema the generated packages carry.
const MOST: usize = 32;

/// The vectors of a tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolVectors {
    /// Of its input.
    pub input: Vectors,
    /// Of its output, where that has a schema.
    pub output: Option<Vectors>,
}

impl ToolVectors {
    /// Makes them.
    #[must_use]
    pub(in crate::model) fn of(tool: &Tool) -> Self {
        let formats = match tool.manifest.posture() {
            Posture::Authored => Formats::Assert,
            Posture::Declared => Formats::Annotate,
        };
        let examples = &tool.manifest.examples;
        let inputs = examples.iter().map(|e| (e.summary.as_str(), &e.input));
        let outputs = examples
            .iter()
            .filter_map(|e| Some((e.summary.as_str(), e.output.as_ref()?)));
        Self {
            input: vectors(&tool.input, formats, inputs, MOST),
            output: tool
                .output
                .as_ref()
                .map(|schema| vectors(schema, formats, outputs, MOST)),
        }
    }
}
