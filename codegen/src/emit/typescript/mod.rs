//! An npm package: types, zod schemas and contracts.

use super::{Emitter, FileSet, folder};
use crate::lint::CheckedModel;

/// An npm package: types, zod schemas and contracts.
#[derive(Debug)]
pub struct TypeScript;

impl Emitter for TypeScript {
    fn id(&self) -> &'static str {
        "typescript"
    }

    fn about(&self) -> &'static str {
        "An npm package: types, zod schemas and contracts."
    }

    fn out(&self, model: &CheckedModel) -> Option<String> {
        let surface = model.project.surfaces.typescript.as_ref()?;
        Some(folder(model, surface.out.as_ref(), self.id()))
    }

    fn emit(&self, _model: &CheckedModel, _out: &mut FileSet) {}
}
