//! A Rust crate: a module, typed shapes and a marker type for each tool.
//!
//! Schemas come as shapes ([`crate::model::shape`]), are lowered to items with names and types,
//! and rendered. The types carry the shape; the validator, which `parse` calls first, carries the
//! truth. An integer is `u64` when none is negative, else `i64`; where its bounds, or I-JSON in an
//! authored contract, do not keep it within 64 bits, it is `serde_json::Number`.

mod accessor;
mod describe;
mod doc;
mod ident;
mod item;
mod json;
mod literal;
mod lower;
mod module;
mod named;
mod package;
mod recursion;
mod rename;
mod render;
mod tool;
mod vectors;

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Emitter, FileSet, folder, text::pretty};
use crate::{lint::CheckedModel, model::Tool};
use item::{Item, has_foreign_names};
use named::Named;
use recursion::make_shared_finite;
use tool::Crate;

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

    fn emit(&self, model: &CheckedModel, out: &mut FileSet) {
        let Some(surface) = &model.project.surfaces.rust else {
            return;
        };
        let (mut files, foreign) = modules(model);
        files.push((
            "Cargo.toml".to_owned(),
            package::cargo_toml(model, &surface.krate, &surface.toolcontract),
        ));
        files.push((
            "src/lib.rs".to_owned(),
            package::lib(model, &surface.krate, &top(model), foreign),
        ));
        for (path, text) in files {
            out.add(path, text);
        }
        vectors::add(model, &surface.krate, out);
    }
}

/// The modules at the top of the crate, in the order in which rustfmt keeps them.
fn top(model: &CheckedModel) -> Vec<String> {
    let mut modules: Vec<String> = model.tools.iter().map(|t| t.names.module.clone()).collect();
    modules.push("catalog".to_owned());
    modules.extend((!model.events.is_empty()).then(|| "events".to_owned()));
    modules.extend((!model.types.is_empty()).then(|| "types".to_owned()));
    modules.sort();
    modules
}

/// A file: its path and its text.
type File = (String, String);

/// Every file that some manifest is the source of, and whether some identifier is not ASCII.
fn modules(model: &CheckedModel) -> (Vec<File>, bool) {
    let types: Vec<Named<'_>> = model.types.iter().map(Named::of_type).collect();
    let events: Vec<Named<'_>> = model.events.iter().map(Named::of_event).collect();
    let names: BTreeMap<&str, &str> = model
        .types
        .iter()
        .map(|shared| (shared.reference.as_str(), shared.type_name.as_str()))
        .collect();
    let mut shared: BTreeMap<String, Vec<Item>> = types
        .iter()
        .map(|named| (named.type_name.to_owned(), named.items(&names)))
        .collect();
    make_shared_finite(&mut shared);
    let krate = Crate {
        names,
        shared,
        events: &model.events,
    };

    let mut made: Vec<(Vec<File>, bool)> = model
        .tools
        .par_iter()
        .map(|tool| of_tool(tool, &krate))
        .collect();
    made.push(of_folder(
        "types",
        "Schemas that several contracts share.",
        &types,
        &krate,
    ));
    made.push(of_folder(
        "events",
        "The payloads of events.",
        &events,
        &krate,
    ));
    let foreign = made.iter().any(|(_, foreign)| *foreign);
    let mut files: Vec<File> = made.into_iter().flat_map(|(files, _)| files).collect();
    files.push(("src/catalog.rs".to_owned(), package::catalog(&model.tools)));
    (files, foreign)
}

fn of_tool(tool: &Tool, krate: &Crate<'_>) -> (Vec<File>, bool) {
    let module = &tool.names.module;
    let items = tool::items(tool, krate);
    let mut files = vec![
        (
            format!("src/{module}.rs"),
            tool::module(tool, &items, krate),
        ),
        (format!("contracts/{module}.json"), pretty(&tool.contract)),
    ];
    files.extend(tool::schemas(tool));
    (files, has_foreign_names(&items))
}

/// A folder of named schemas; nothing when there is none.
fn of_folder(folder: &str, about: &str, all: &[Named<'_>], krate: &Crate<'_>) -> (Vec<File>, bool) {
    let mut files = Vec::new();
    let mut foreign = false;
    if all.is_empty() {
        return (files, foreign);
    }
    let list = package::folder(about, &format!("manifests/{folder}"), all);
    files.push((format!("src/{folder}/mod.rs"), list));
    for named in all {
        // Those of shared types may have changed since: they are finite together.
        let own = named.event.map(|_| named.items(&krate.names));
        let known = krate.shared.get(named.type_name).map(Vec::as_slice);
        let items = own.as_deref().or(known).unwrap_or_default();
        foreign |= has_foreign_names(items);
        let text = named.text(items, &krate.shared);
        files.push((format!("src/{folder}/{}.rs", named.module), text));
        files.extend(named.schemas());
    }
    (files, foreign)
}
