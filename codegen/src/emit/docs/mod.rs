//! Markdown pages for people.

use super::{Emitter, FileSet, folder};
use crate::lint::CheckedModel;

/// Markdown pages for people.
#[derive(Debug)]
pub struct Docs;

impl Emitter for Docs {
    fn id(&self) -> &'static str {
        "docs"
    }

    fn about(&self) -> &'static str {
        "Markdown pages for people."
    }

    fn out(&self, model: &CheckedModel) -> Option<String> {
        let surface = model.project.surfaces.docs.as_ref()?;
        Some(folder(model, surface.out.as_ref(), self.id()))
    }

    fn emit(&self, _model: &CheckedModel, _out: &mut FileSet) {}
}
