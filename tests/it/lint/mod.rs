//! Linting: every rule fires in `bad` with the exact screen of `bad.diag`, and `ok` beside it is
//! clean; the catalog of this repository is clean; the rule book is complete.

mod catalog;
mod foreign;
mod rules;

use std::{
    fs,
    path::{Path, PathBuf},
};

use toolcontract_codegen::{
    lint,
    model::{self, Lock},
};
use toolcontract_manifest::{
    Diagnostic, Source, load_sources,
    print::{Format, Settings, print},
};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/lint")
}

/// Everything that is found in a project: by the loader, else by the model, else by the rules.
pub(crate) fn found(sources: Vec<Source>, lock: Lock) -> Vec<Diagnostic> {
    let (folder, findings) = load_sources(sources);
    let Some(folder) = folder else {
        return findings;
    };
    let (model, findings) = model::build(folder, lock);
    if findings.is_empty() {
        lint::check(model).1
    } else {
        findings
    }
}

fn screen(findings: &[Diagnostic]) -> String {
    let settings = Settings {
        format: Format::Human,
        colors: false,
        about: |_| None,
    };
    let mut out = Vec::new();
    print(findings, settings, &mut out).expect("memory takes it");
    String::from_utf8(out).expect("UTF-8")
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("a readable entry").file_name())
        .map(|name| name.into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}
