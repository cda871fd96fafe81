//! Loading: every fault with its exact screen, printers, places, and what no input may do.

mod faults;
mod places;
mod printers;
mod project;
mod properties;

use std::{
    fs,
    path::{Path, PathBuf},
};

use toolcontract_manifest::{
    Diagnostic,
    print::{Format, Settings, print},
};

/// `tests/data/load`: a folder for each fault, named for its id, with `bad/` and `ok/` projects.
fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/load")
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("a readable entry").file_name())
        .map(|name| name.into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}

/// A copy of a project that a test may add to.
fn copied(from: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder");
    if from.is_dir() {
        copy_folder(from, copy.path());
    }
    copy
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for name in names(from) {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copy_folder(&from, &to);
        } else {
            fs::copy(&from, &to).expect("a file can be copied");
        }
    }
}

/// Writes a file into a temporary folder.
#[expect(
    clippy::disallowed_methods,
    reason = "a temporary folder has no other writer"
)]
fn put(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder can be made");
    fs::write(path, bytes).expect("a file can be written");
}

fn printed(findings: &[Diagnostic], format: Format) -> String {
    let settings = Settings {
        format,
        colors: false,
        about: |id| toolcontract_codegen::lint::page(id).map(|page| page.about),
    };
    let mut out = Vec::new();
    print(findings, settings, &mut out).expect("a vector takes all");
    String::from_utf8(out).expect("printers write UTF-8")
}

fn screen(findings: &[Diagnostic]) -> String {
    printed(findings, Format::Human)
}
