//! The vectors of a tool as the generated packages carry them: one JSON file, a vector on a line.

use std::fmt::Write as _;

use rayon::prelude::*;

use crate::model::{
    Tool,
    vectors::{ToolVectors, Vector, Vectors},
};

/// The files of all tools: path and text.
pub(super) fn files(tools: &[Tool]) -> Vec<(String, String)> {
    let file = |tool: &Tool| {
        let path = format!("tests/vectors/{}.json", tool.names.module);
        (path, tool.printed_vectors(text).to_owned())
    };
    tools.par_iter().map(file).collect()
}

/// A list for each side that has a schema.
fn text(vectors: &ToolVectors) -> String {
    let output = vectors.output.as_ref().map(|output| ("output", output));
    let sides: Vec<String> = std::iter::once(("input", &vectors.input))
        .chain(output)
        .map(|(side, Vectors { list })| format!("  \"{side}\": [{}\n  ]", lines(list)))
        .collect();
    format!("{{\n{}\n}}\n", sides.join(",\n"))
}

fn lines(list: &[Vector]) -> String {
    let mut text = String::new();
    for (at, vector) in list.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let vector = serde_json::to_string(vector).unwrap_or_default();
        let _ = write!(text, "{comma}\n    {vector}");
    }
    text
}
