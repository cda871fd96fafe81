//! The folder as a whole: the catalog of this repository, and folders that are not there.

use std::path::Path;

use toolcontract_manifest::{Source, load, read_tool, schemas};

use super::{put, screen};

#[test]
fn the_catalog_is_clean() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (folder, findings) = load(&root).expect("the disk works");
    assert!(findings.is_empty(), "{}", screen(&findings));
    let folder = folder.expect("a clean folder is given");
    let paths: Vec<&str> = folder
        .tools
        .iter()
        .map(|t| t.document.path.as_str())
        .collect();
    assert!(paths.is_sorted() && !paths.is_empty());
}

#[test]
fn no_folder_is_a_finding_and_no_failure() {
    let root = tempfile::tempdir().expect("a temporary folder");
    for root in [root.path(), &root.path().join("nowhere")] {
        let (folder, findings) = load(root).expect("nothing to read is no failure");
        assert!(folder.is_none());
        let rules: Vec<_> = findings.iter().map(|f| f.rule).collect();
        assert_eq!(rules, ["missing-project-file"]);
        let said = format!("`{}`", root.display());
        assert!(
            findings.iter().all(|f| f.message.contains(&said)),
            "{findings:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_the_folder_is_not_followed() {
    let real = tempfile::tempdir().expect("a temporary folder");
    put(
        &real.path().join("manifests/toolcontract.toml"),
        b"name = \"x\"\ndescription = \"x\"\n",
    );
    let linking = tempfile::tempdir().expect("a temporary folder");
    let to = real.path().join("manifests");
    std::os::unix::fs::symlink(to, linking.path().join("manifests")).expect("a link can be made");
    assert!(load(real.path()).expect("the disk works").0.is_some());
    let (folder, findings) = load(linking.path()).expect("the disk works");
    assert!(folder.is_none() && findings.iter().any(|f| f.rule == "symbolic-link"));
}

#[test]
fn editors_and_the_loader_agree() {
    let validator = |schema| jsonschema::validator_for(&schema).expect("a schema");
    let (tool, event, project) = (
        validator(schemas::manifest()),
        validator(schemas::event()),
        validator(schemas::project()),
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = load(&root)
        .expect("the disk works")
        .0
        .expect("a clean catalog");
    for loaded in &folder.tools {
        assert!(
            tool.is_valid(&loaded.document.root.to_json()),
            "{}",
            loaded.document.path
        );
    }
    for loaded in &folder.events {
        assert!(
            event.is_valid(&loaded.document.root.to_json()),
            "{}",
            loaded.document.path
        );
    }
    assert!(project.is_valid(&folder.project.document.root.to_json()));
    let nameless = serde_json::json!({ "description": "x" });
    assert!(
        ![&tool, &event, &project]
            .iter()
            .any(|v| v.is_valid(&nameless))
    );
    let without_risk = serde_json::json!({ "name": "hello", "description": "x" });
    assert!(!tool.is_valid(&without_risk));
    let script = serde_json::json!({ "name": "hello", "description": "x", "command": ["x"] });
    assert!(tool.is_valid(&script));
}

#[test]
fn a_script_tool_outside_a_project_may_have_any_file_name() {
    let source = |text: &str| Source {
        path: ".stella/tools/greet-me.toml".to_owned(),
        bytes: text.as_bytes().to_vec(),
    };
    let good = "name = \"greet\"\ndescription = \"Says hello.\"\ncommand = [\"echo\"]\n";
    let (tool, findings) = read_tool(&source(good));
    assert!(findings.is_empty(), "{}", screen(&findings));
    assert_eq!(tool.expect("a tool").value.name, "greet");
    let (tool, findings) = read_tool(&source(&good.replace("command", "comand")));
    assert!(tool.is_none());
    let rules: Vec<_> = findings.iter().map(|f| f.rule).collect();
    let expected = ["unknown-key", "missing-key", "missing-key", "missing-key"];
    assert_eq!(rules.len(), expected.len());
    assert!(expected.iter().all(|rule| rules.contains(rule)));
}
