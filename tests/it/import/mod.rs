//! Import: what becomes of the definitions of others, and that the pipeline takes it.

mod attacks;
mod command;
pub(crate) mod corpus;
mod issue_cases;
mod pipeline;
mod properties;

use std::path::PathBuf;

use toolcontract_manifest::import::{Imported, Origin, mcp};

/// The fixtures of this area.
fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/import")
}

/// What becomes of a text that can be read.
#[track_caller]
fn import(text: &str, server: Option<&str>) -> Imported {
    let origin = Origin {
        file: "tools.json",
        server,
    };
    mcp(text.as_bytes(), &origin).unwrap_or_else(|error| panic!("{error}"))
}

/// The names of what was imported.
fn names(imported: &Imported) -> Vec<&str> {
    let tools = imported.tools.iter();
    tools.map(|tool| tool.manifest.name.as_str()).collect()
}
