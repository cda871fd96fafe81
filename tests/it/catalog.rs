//! Checked models for the tests of the surfaces: the catalog of this repository, and small ones.

use std::{fs, path::Path, sync::LazyLock};

use toolcontract_codegen::{
    emit::{Emitter, FileSet},
    lint::{self, CheckedModel},
    model::{self, Lock},
};
use toolcontract_manifest::Level;

/// The catalog. Loaded once: every test reads the same one.
pub(crate) static CATALOG: LazyLock<CheckedModel> =
    LazyLock::new(|| load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")));

/// A project with the settings of this repository and these manifests: path below `manifests/`
/// and text.
#[expect(
    clippy::disallowed_methods,
    reason = "fixtures in a folder of their own"
)]
pub(crate) fn project(manifests: &[(&str, &str)]) -> CheckedModel {
    let settings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../manifests/toolcontract.toml");
    let folder = tempfile::tempdir().expect("the disk works");
    let root = folder.path().join("manifests");
    for part in ["tools", "events", "types"] {
        fs::create_dir_all(root.join(part)).expect("the disk works");
    }
    fs::copy(settings, root.join("toolcontract.toml")).expect("the disk works");
    for (path, text) in manifests {
        fs::write(root.join(path), text).expect("the disk works");
    }
    load(folder.path())
}

fn load(root: &Path) -> CheckedModel {
    let (folder, findings) = toolcontract_manifest::load(root).expect("the disk works");
    let folder = folder.unwrap_or_else(|| panic!("the manifests load: {findings:?}"));
    let (model, findings) = model::build(folder, Lock::default());
    assert!(findings.is_empty(), "{findings:?}");
    let (checked, findings) = lint::check(model);
    checked.unwrap_or_else(|| {
        let told: Vec<String> = findings
            .iter()
            .filter(|f| f.level == Level::Error)
            .map(|f| format!("{}: {}: {}", f.path, f.rule, f.message))
            .collect();
        panic!("the manifests are clean: {told:#?}")
    })
}

/// The files that `surface` makes of `model`.
pub(crate) fn files(surface: &dyn Emitter, model: &CheckedModel) -> FileSet {
    let mut files = FileSet::default();
    surface.emit(model, &mut files);
    assert!(files.clashes().is_empty(), "{:?}", files.clashes());
    files
}

/// One of them as text.
pub(crate) fn text<'a>(files: &'a FileSet, path: &str) -> &'a str {
    let bytes = files
        .get(path)
        .unwrap_or_else(|| panic!("`{path}` is emitted"));
    std::str::from_utf8(bytes).expect("a surface is UTF-8")
}
