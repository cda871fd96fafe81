//! Oxagen capability declarations: a module a tool, a barrel, the governance record, aliases, and
//! the payloads of its tool registry.
//!
//! Oxagen's scripts read the source text and not the registry, so the layout is part of the
//! contract here. Nothing is derived that a person must decide: sensitivity, and whether a
//! dangerous tool asks on the agent surface.

mod barrel;
mod declaration;
mod governance;
mod module;
mod payload;
mod shared;
pub mod slots;
mod ts;
mod zod;

pub use declaration::{Agent, Declaration, declaration};
pub use shared::lowering_notes;

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::{Emitter, FileSet, folder};
use crate::lint::CheckedModel;
use barrel::Capability;
use module::Rendered;

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

    fn emit(&self, model: &CheckedModel, out: &mut FileSet) {
        let Some(surface) = model.project.surfaces.oxagen.as_ref() else {
            return;
        };
        let shared = shared::Types::of(model);
        let capabilities = barrel::capabilities(model);
        let package = shared.package(surface);
        let of_types = shared.notes();
        let made: Vec<(Rendered, String)> = capabilities
            .par_iter()
            .map(|capability| {
                let rendered = module::render(capability, &package);
                let notes = shared::notes(capability, &rendered, &of_types);
                let _ = capability.tool.kept.oxagen.set(notes);
                (rendered, payload::text(capability.tool))
            })
            .collect();
        let mut imports = BTreeSet::new();
        for (capability, (rendered, payload)) in capabilities.iter().zip(made) {
            imports.extend(rendered.imports);
            let Capability {
                declaration, tool, ..
            } = capability;
            out.add(format!("{}.ts", declaration.name), rendered.text);
            out.add(format!("declarations/{}.json", tool.contract.name), payload);
        }
        shared.emit(imports, out);
        barrel::emit(&capabilities, out);
        governance::emit(&capabilities, out);
    }
}
