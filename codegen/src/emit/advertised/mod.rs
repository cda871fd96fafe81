//! Model-facing tool lists.

mod canonical;

pub use canonical::advertised_bytes;

use super::{Emitter, FileSet, folder};
use crate::lint::CheckedModel;

/// Model-facing tool lists.
#[derive(Debug)]
pub struct Advertised;

impl Emitter for Advertised {
    fn id(&self) -> &'static str {
        "advertised"
    }

    fn about(&self) -> &'static str {
        "Model-facing tool lists."
    }

    fn out(&self, model: &CheckedModel) -> Option<String> {
        let surface = model.project.surfaces.advertised.as_ref()?;
        Some(folder(model, surface.out.as_ref(), self.id()))
    }

    fn emit(&self, _model: &CheckedModel, _out: &mut FileSet) {}
}
