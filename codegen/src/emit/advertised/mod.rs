//! The lists of tools that models are shown: the canonical one, and one for each provider.
//!
//! Free of governance facts. Each list has one tool on a line in the order of names, so that
//! prompt caches and reviewers see a change only where there is one.

mod canonical;
mod index;
mod notes;
mod provider;

pub use canonical::advertised_bytes;
pub use notes::{Told, told};

use super::{Emitter, FileSet, folder, text};
use crate::lint::CheckedModel;

/// The lists of tools that models are shown.
#[derive(Debug)]
pub struct Advertised;

impl Emitter for Advertised {
    fn id(&self) -> &'static str {
        "advertised"
    }

    fn about(&self) -> &'static str {
        "The lists of tools that models are shown, one for each provider."
    }

    fn out(&self, model: &CheckedModel) -> Option<String> {
        let surface = model.project.surfaces.advertised.as_ref()?;
        Some(folder(model, surface.out.as_ref(), self.id()))
    }

    fn emit(&self, model: &CheckedModel, out: &mut FileSet) {
        let Some(surface) = model.project.surfaces.advertised.as_ref() else {
            return;
        };
        let canonical = text::lines(model.tools.iter().map(advertised_bytes));
        out.add("canonical.json", canonical);
        out.add(
            "index.json",
            text::lines(model.tools.iter().map(index::line)),
        );
        provider::emit(model, &surface.dialects, out);
    }
}
