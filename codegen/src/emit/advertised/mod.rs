//! The tool lists that models are shown.

use super::{Emitter, FileSet, folder};
use crate::lint::CheckedModel;

/// The tool lists that models are shown.
#[derive(Debug)]
pub struct Advertised;

impl Emitter for Advertised {
    fn id(&self) -> &'static str {
        "advertised"
    }

    fn about(&self) -> &'static str {
        "The tool lists that models are shown."
    }

    fn out(&self, model: &CheckedModel) -> Option<String> {
        let surface = model.project.surfaces.advertised.as_ref()?;
        Some(folder(model, surface.out.as_ref(), self.id()))
    }

    fn emit(&self, _model: &CheckedModel, _out: &mut FileSet) {}
}
