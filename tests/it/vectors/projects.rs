//! A small project of ours for what no tool of the corpus has: shared types that contain each
//! other, integers that opt in to pass 2^53 - 1, and words of ours in a schema of others.

use std::{fs, path::Path};

use crate::rust::krate::{Manifests, emit, try_test_crate};

fn manifests(name: &str) -> Manifests {
    let mut manifests = Manifests::new(name);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/vectors/projects");
    for folder in ["tools", "types"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            manifests.add(&format!("{folder}/{stem}"), &value);
        }
    }
    manifests
}

#[test]
fn a_project_of_hard_shapes_answers_its_vectors() {
    let model = manifests("projects")
        .check()
        .unwrap_or_else(|e| panic!("{e}"));
    let hire = model.tools.iter().find(|t| t.manifest.name == "hire");
    assert!(hire.unwrap().vectors().input.has_valid());
    let theirs = model
        .tools
        .iter()
        .find(|t| t.manifest.name == "open_theirs");
    let theirs = theirs.unwrap();
    let written = &theirs.manifest.input_schema.as_ref().unwrap()["properties"]["theirs"];
    assert_eq!(&theirs.input.wire["properties"]["theirs"], written);
    let says = |text: &str| {
        let vectors = &theirs.vectors().input.list;
        let found = vectors.iter().find(|v| v.about == text);
        found.unwrap_or_else(|| panic!("{vectors:#?}")).valid
    };
    assert!(!says("`/theirs`: a text that is not listed"));
    assert!(says("`/ours`: a text that is not listed"));
    try_test_crate("projects", &emit(&model)).unwrap_or_else(|said| panic!("{said}"));
}
