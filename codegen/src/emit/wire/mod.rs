//! JSON Schemas and type declarations of everything on the wire.

use super::{Emitter, FileSet, folder};
use crate::lint::CheckedModel;

/// JSON Schemas and type declarations of everything on the wire.
#[derive(Debug)]
pub struct Wire;

impl Emitter for Wire {
    fn id(&self) -> &'static str {
        "wire"
    }

    fn about(&self) -> &'static str {
        "JSON Schemas and type declarations of everything on the wire."
    }

    fn out(&self, model: &CheckedModel) -> Option<String> {
        let surface = model.project.surfaces.wire.as_ref()?;
        Some(folder(model, surface.out.as_ref(), self.id()))
    }

    fn emit(&self, _model: &CheckedModel, _out: &mut FileSet) {}
}
