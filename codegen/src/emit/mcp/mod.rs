//! Definitions for the `tools/list` of an MCP server, one file for each protocol revision.
//!
//! Clients reject a whole list for one null or one hint of the wrong type, so what is not there is
//! left out, and all four hints are always stated: their defaults are the worst case.

mod tool;

pub use tool::lowering_notes;

use std::sync::Arc;

use serde::{Serialize, Serializer};
use toolcontract_manifest::project::McpRevision;

use super::{Emitter, FileSet, folder, text};
use crate::{lint::CheckedModel, model::Tool};

/// Definitions for the `tools/list` of an MCP server.
#[derive(Debug)]
pub struct Mcp;

#[derive(Serialize)]
struct List<'a> {
    tools: Tools<'a>,
}

/// The definitions; each is made when it is written.
struct Tools<'a> {
    tools: &'a [Tool],
    meta_key: &'a str,
    revision: McpRevision,
}

impl Serialize for Tools<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let definition = |tool| tool::definition(tool, self.meta_key, self.revision);
        serializer.collect_seq(self.tools.iter().map(definition))
    }
}

impl Emitter for Mcp {
    fn id(&self) -> &'static str {
        "mcp"
    }

    fn about(&self) -> &'static str {
        "Tool definitions for MCP servers, one file for each protocol revision."
    }

    fn out(&self, model: &CheckedModel) -> Option<String> {
        let surface = model.project.surfaces.mcp.as_ref()?;
        Some(folder(model, surface.out.as_ref(), self.id()))
    }

    fn emit(&self, model: &CheckedModel, out: &mut FileSet) {
        let Some(surface) = model.project.surfaces.mcp.as_ref() else {
            return;
        };
        let mut revisions = surface.revisions.clone();
        revisions.sort_unstable();
        revisions.dedup();
        // Most catalogs are the same in all revisions.
        let mut made: Vec<(Vec<bool>, Arc<[u8]>)> = Vec::new();
        for revision in revisions {
            let left_out = |tool| tool::leaves_out(tool, revision);
            let left_out: Vec<bool> = model.tools.iter().map(left_out).collect();
            let known = made.iter().find(|(same, _)| *same == left_out);
            let bytes = known.map_or_else(
                || {
                    let list = List {
                        tools: Tools {
                            tools: &model.tools,
                            meta_key: &surface.meta_key,
                            revision,
                        },
                    };
                    text::pretty(&list).into_bytes().into()
                },
                |(_, bytes)| Arc::clone(bytes),
            );
            let path = format!("tools.{}.json", tool::token(revision));
            out.share(path, Arc::clone(&bytes));
            made.push((left_out, bytes));
        }
    }
}
