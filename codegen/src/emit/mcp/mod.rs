//! Definitions for the `tools/list` of an MCP server, one file for each protocol revision.
//!
//! Clients reject a whole list for one null or one hint of the wrong type, so what is not there is
//! left out, and all four hints are always stated: their defaults are the worst case.

mod tool;

pub use tool::lowering_notes;

use serde::Serialize;

use super::{Emitter, FileSet, folder, text};
use crate::lint::CheckedModel;

/// Definitions for the `tools/list` of an MCP server.
#[derive(Debug)]
pub struct Mcp;

#[derive(Serialize)]
struct List<'a> {
    tools: Vec<tool::Definition<'a>>,
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
        let mut list = List {
            tools: model
                .tools
                .iter()
                .map(|tool| tool::definition(tool, &surface.meta_key))
                .collect(),
        };
        // The newest first: an older one only leaves things out.
        let mut revisions = surface.revisions.clone();
        revisions.sort_unstable_by(|a, b| b.cmp(a));
        revisions.dedup();
        for revision in revisions {
            list.tools
                .iter_mut()
                .for_each(|tool| tool.restrict(revision));
            let path = format!("tools.{}.json", tool::token(revision));
            out.add(path, text::pretty(&list));
        }
    }
}
