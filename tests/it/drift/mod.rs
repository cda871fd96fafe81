//! The check as a function: what anybody's repository calls in one test.

use std::path::Path;

use toolcontract_codegen::{check, cli::Exit};

use crate::project::Project;

fn project() -> Project {
    let project = Project::empty();
    project.run("init");
    project.run("gen");
    project
}

#[test]
fn this_repository_is_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    check(root).unwrap();
}

#[test]
fn a_fresh_project_passes_and_nothing_is_written() {
    let project = project();
    let as_before = project.tree();
    check(project.root()).unwrap();
    assert_eq!(project.tree(), as_before);
}

#[test]
fn a_stale_one_fails_with_the_screen() {
    let project = project();
    project.edit(
        "manifests/tools/analyze_text.toml",
        "title = \"Analyze text\"",
        "title = \"Count\"",
    );
    let drift = check(project.root()).unwrap_err();
    assert_eq!(drift.exit, Exit::Stale);
    for part in [
        "Stale generated/docs/",
        "changed-without-bump",
        "run `toolcontract gen`",
    ] {
        assert!(drift.text.contains(part), "{drift}");
    }
    assert!(format!("{drift:?}").contains("       Stale generated/docs/"));
}

#[test]
fn a_broken_one_fails_with_the_finding_and_a_missing_one_with_the_reason() {
    let project = project();
    project.put("manifests/tools/bad.toml", "name = 1\n");
    assert_eq!(check(project.root()).unwrap_err().exit, Exit::Findings);
    let nothing = check(Project::empty().root()).unwrap_err();
    assert_eq!(nothing.exit, Exit::Failed);
    assert!(nothing.text.contains("toolcontract init"), "{nothing}");
}
