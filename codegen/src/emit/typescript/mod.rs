//! An npm package: types, zod schemas and contracts.
//!
//! A schema is turned into a `form` once, and both its type and its zod schema are printed from
//! that. Types carry the shape; what they cannot say runs as a check.

mod catalog;
mod defaults;
mod depth;
mod form;
mod host;
mod layout;
mod lower;
mod module;
mod named;
mod names;
mod package;
mod refs;
mod shared;
mod style;
mod text;
mod tool;
mod ts;
mod vectors;
mod writer;
mod zod;

use rayon::prelude::*;

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

    fn emit(&self, model: &CheckedModel, out: &mut FileSet) {
        let Some(surface) = &model.project.surfaces.typescript else {
            return;
        };
        package::add(model, &surface.package, out);
        host::add(out);
        vectors::add(model, out);
        let package = shared::Package::new(&model.types);
        out.add("src/contracts.ts", catalog::contracts(model));
        out.add("src/events.ts", catalog::events(model));
        out.add("src/governance.ts", catalog::governance(model));
        out.add("src/index.ts", catalog::index(model));
        out.add("src/tools.ts", catalog::tools(model));
        let tools: Vec<(String, String)> = model
            .tools
            .par_iter()
            .map(|tool| {
                let path = format!("src/tools/{}.ts", tool.names.module);
                (path, tool::module(tool, &package))
            })
            .collect();
        for (path, text) in tools {
            out.add(path, text);
        }
        for event in &model.events {
            let path = format!("src/events/{}.ts", event.names.module);
            out.add(path, named::event(event, &package));
        }
        for ty in &model.types {
            let path = format!("src/types/{}.ts", ty.module);
            out.add(path, named::shared_type(ty, &package));
        }
    }
}
