//! MCP tool definitions with annotations.

use super::{Emitter, FileSet, folder};
use crate::lint::CheckedModel;

/// MCP tool definitions with annotations.
#[derive(Debug)]
pub struct Mcp;

impl Emitter for Mcp {
    fn id(&self) -> &'static str {
        "mcp"
    }

    fn about(&self) -> &'static str {
        "MCP tool definitions with annotations."
    }

    fn out(&self, model: &CheckedModel) -> Option<String> {
        let surface = model.project.surfaces.mcp.as_ref()?;
        Some(folder(model, surface.out.as_ref(), self.id()))
    }

    fn emit(&self, _model: &CheckedModel, _out: &mut FileSet) {}
}
