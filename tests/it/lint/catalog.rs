//! The catalog of this repository keeps every rule, without an exception.

use std::path::Path;

use toolcontract_codegen::{
    lint,
    model::{self, Lock},
};

use super::screen;

#[test]
fn the_catalog_is_clean() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (folder, findings) = toolcontract_manifest::load(&root).expect("the disk works");
    let folder = folder.unwrap_or_else(|| panic!("{}", screen(&findings)));
    let (model, mut findings) = model::build(folder, Lock::default());
    let excepted: Vec<&str> = model
        .tools
        .iter()
        .filter(|tool| !tool.manifest.allow.is_empty())
        .map(|tool| tool.manifest.name.as_str())
        .collect();
    assert!(excepted.is_empty(), "{excepted:?}");
    findings.extend(lint::check(model).1);
    assert!(findings.is_empty(), "{}", screen(&findings));
}
