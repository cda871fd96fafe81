//! Every source file says what it is, and is short enough to read.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// More lines than this no file has. The list of exceptions may only shrink.
const LONGEST: usize = 600;
const LONGER: &[&str] = &[];

const SOURCES: &[&str] = &["crates", "codegen/src", "xtask/src", "tests/it"];

pub(super) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The Rust files below `folder`, sorted.
pub(super) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_file_says_what_it_is_and_fits() {
    let mut faults = Vec::new();
    let mut files = 0;
    for source in SOURCES {
        for file in rust_files(&repository().join(source)) {
            files += 1;
            let text = fs::read_to_string(&file).unwrap();
            let name = file.strip_prefix(repository()).unwrap().to_string_lossy();
            if !text.starts_with("//! ") {
                faults.push(format!("{name} does not open with what it is"));
            }
            let lines = text.lines().count();
            if lines > LONGEST && !LONGER.contains(&name.as_ref()) {
                faults.push(format!("{name} has {lines} lines"));
            }
        }
    }
    assert!(files > 100, "only {files} files were seen");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
