//! A small project of ours for what no tool of the corpus has: shared types that contain each
//! other, and integers that opt in to pass 2^53 - 1.

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
fn shared_types_that_contain_each_other_have_a_size() {
    let model = manifests("projects")
        .check()
        .unwrap_or_else(|e| panic!("{e}"));
    let hire = model.tools.iter().find(|t| t.manifest.name == "hire");
    assert!(hire.unwrap().vectors().input.has_valid());
    try_test_crate("projects", &emit(&model)).unwrap_or_else(|said| panic!("{said}"));
}
