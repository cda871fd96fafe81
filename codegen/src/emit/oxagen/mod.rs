//! Oxagen capability declarations.

mod declaration;

pub use declaration::{Agent, Declaration, declaration};

use super::{Emitter, FileSet, folder};
use crate::lint::CheckedModel;

/// Oxagen capability declarations.
#[derive(Debug)]
pub struct Oxagen;

impl Emitter for Oxagen {
    fn id(&self) -> &'static str {
        "oxagen"
    }

    fn about(&self) -> &'static str {
        "Oxagen capability declarations, one module a tool."
    }

    fn out(&self, model: &CheckedModel) -> Option<String> {
        let surface = model.project.surfaces.oxagen.as_ref()?;
        Some(folder(model, surface.out.as_ref(), self.id()))
    }

    fn emit(&self, _model: &CheckedModel, _out: &mut FileSet) {}
}
