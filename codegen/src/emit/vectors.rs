//! The vectors of a tool as the generated packages carry them: one JSON file, a vector on a line.

use std::{fmt::Write as _, sync::Arc};

use rayon::prelude::*;

use super::FileSet;
use crate::model::{
    Tool,
    vectors::{ToolVectors, Vector, Vectors},
};

/// Adds the files of all tools. The packages share their bytes.
pub(super) fn add(tools: &[Tool], out: &mut FileSet) {
    let file = |tool: &Tool| -> Arc<[u8]> {
        let text = || text(&tool.vectors()).into_bytes().into();
        Arc::clone(tool.kept.vectors.get_or_init(text))
    };
    let files: Vec<Arc<[u8]>> = tools.par_iter().map(file).collect();
    for (tool, bytes) in tools.iter().zip(files) {
        out.share(format!("tests/vectors/{}.json", tool.names.module), bytes);
    }
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
