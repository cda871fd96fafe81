//! The wire surface: its schemas judge what the types write, its declarations pass strict `tsc`.

mod declarations;
mod files;
mod mutated;
mod schemas;

use std::path::{Path, PathBuf};

use toolcontract_codegen::{
    emit::{Emitter as _, FileSet, wire::Wire},
    lint::{self, CheckedModel},
    model::{self, Lock},
};

/// The folder of this repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The project of this repository.
fn catalog() -> CheckedModel {
    let (folder, findings) = toolcontract_manifest::load(&root()).expect("the disk works");
    let folder = folder.unwrap_or_else(|| panic!("the catalog loads: {findings:?}"));
    let (model, findings) = model::build(folder, Lock::default());
    assert!(findings.is_empty(), "{findings:?}");
    lint::check(model).0.expect("the catalog is clean")
}

fn surface(model: &CheckedModel) -> FileSet {
    let mut files = FileSet::default();
    Wire.emit(model, &mut files);
    files
}
