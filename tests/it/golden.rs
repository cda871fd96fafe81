//! Whole output trees: `data/golden/<case>/manifests` in, `data/golden/<case>/expected` out.
//!
//! A file that no manifest changes is not kept a second time: it must be, byte for byte, the one
//! that this repository's own catalog gives. A missing and an extra file fail too.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use toolcontract_codegen::cli::Exit;

use crate::{expect::Expect, project::Project};

/// Beginnings of paths below `generated/` whose files are the same for every catalog.
const SAME_FOR_ALL: [&str; 12] = [
    "docs/lint-rules.md",
    "docs/manifest.md",
    "docs/oxagen.md",
    "docs/project.md",
    "typescript/src/host/",
    "typescript/src/runtime/",
    "typescript/src/wire.ts",
    "wire/event.schema.json",
    "wire/manifest.schema.json",
    "wire/project.schema.json",
    "wire/protocol/",
    "wire/wire.d.ts",
];

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/golden")
}

/// Every file below `folder`, by path with forward slashes.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn collect(root: &Path, folder: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(root, &path, into);
            } else {
                let name = path
                    .strip_prefix(root)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .replace('\\', "/");
                into.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut files = BTreeMap::new();
    collect(folder, folder, &mut files);
    files
}

fn generated(case: &Path) -> BTreeMap<String, Vec<u8>> {
    let project = Project::empty();
    for (path, bytes) in tree(&case.join("manifests")) {
        project.put(
            &format!("manifests/{path}"),
            std::str::from_utf8(&bytes).unwrap(),
        );
    }
    let said = project.run("gen --init-lock");
    assert_eq!(said.exit, Exit::Clean, "{}", said.screen());
    let again = project.run("gen");
    assert!(
        again.out.contains("0 written") || !again.out.contains("written"),
        "a second run writes: {}",
        again.out
    );
    let mut files = tree(project.root());
    files.retain(|path, _| path == "manifests/contracts.lock" || !path.starts_with("manifests/"));
    files
}

fn check(case: &str) {
    let case = data().join(case);
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated");
    let mut expect = Expect::default();
    let mut kept = BTreeSet::new();
    for (path, bytes) in generated(&case) {
        let text = String::from_utf8(bytes).unwrap();
        let surface = path.strip_prefix("generated/").unwrap_or(&path);
        if SAME_FOR_ALL.iter().any(|same| surface.starts_with(same)) {
            let ours = fs::read_to_string(own.join(surface)).unwrap_or_default();
            assert_eq!(text, ours, "{path} depends on the catalog after all");
            continue;
        }
        // Git and editors hide dot files; a golden tree should not.
        let file = path.replace("/.", "/dot.");
        expect.file(&written(&case.join("expected").join(&file)), &text);
        kept.insert(file);
    }
    for path in tree(&case.join("expected"))
        .into_keys()
        .filter(|path| !kept.contains(path))
    {
        expect.fail(format_args!("{path} is expected, and not generated"));
    }
    assert!(kept.len() > 5, "nothing was compared");
    expect.finish();
}

/// The path, its folder made where expectations are being written.
fn written(path: &Path) -> PathBuf {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
    }
    path.to_owned()
}

#[test]
fn every_surface() {
    check("every_surface");
}

#[test]
fn one_surface_in_a_folder_of_its_own() {
    check("only_docs");
}

#[test]
fn every_case_has_a_test() {
    let cases: Vec<String> = fs::read_dir(data())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(cases.len(), 2, "{cases:?}");
}
