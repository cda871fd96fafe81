//! A Rust crate: a module, typed shapes and a marker type for each tool.

use super::{Emitter, FileSet, folder};
use crate::lint::CheckedModel;

/// A Rust crate: a module, typed shapes and a marker type for each tool.
#[derive(Debug)]
pub struct Rust;

impl Emitter for Rust {
    fn id(&self) -> &'static str {
        "rust"
    }

    fn about(&self) -> &'static str {
        "A Rust crate: a module, typed shapes and a marker type for each tool."
    }

    fn out(&self, model: &CheckedModel) -> Option<String> {
        let surface = model.project.surfaces.rust.as_ref()?;
        Some(folder(model, surface.out.as_ref(), self.id()))
    }

    fn emit(&self, _model: &CheckedModel, _out: &mut FileSet) {}
}
