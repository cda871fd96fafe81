//! A tool that goes is retired in the open, and its name does not return.

use toolcontract_codegen::cli::Exit;

use super::{READ_NOTE, generated, lock, well};
use crate::project::Project;

/// A project with a second tool, whose manifest then got lost.
fn without_second() -> Project {
    let project = generated();
    let other = READ_NOTE.replace("\"read_note\"", "\"write_note\"");
    project.put("manifests/tools/write_note.toml", &other);
    well(&project, "gen");
    project.remove("manifests/tools/write_note.toml");
    project
}

#[test]
fn a_tool_that_disappears_stops_a_run_until_it_is_retired() {
    let project = without_second();
    let as_before = project.tree();
    let said = project.run("gen");
    assert_eq!(said.exit, Exit::Findings);
    assert!(
        said.out.contains("bump --retire write_note"),
        "{}",
        said.out
    );
    assert_eq!(project.tree(), as_before);

    well(&project, "bump --retire write_note");
    well(&project, "gen");
    well(&project, "gen --check");
    assert!(
        lock(&project).contains("retired = [\"write_note\"]"),
        "{}",
        lock(&project)
    );
    assert!(
        !project
            .tree()
            .keys()
            .any(|path| path.contains("write_note"))
    );
}

#[test]
fn a_retired_name_does_not_return() {
    let project = without_second();
    well(&project, "bump --retire write_note");
    well(&project, "gen");
    let other = READ_NOTE.replace("\"read_note\"", "\"write_note\"");
    project.put("manifests/tools/write_note.toml", &other);
    let said = project.run("gen");
    assert_eq!(said.exit, Exit::Findings);
    assert!(said.out.contains("write_note"), "{}", said.out);
}

#[test]
fn what_still_has_a_manifest_or_never_was_cannot_be_retired() {
    let project = generated();
    let said = project.run("bump --retire read_note");
    assert_eq!(said.exit, Exit::Failed);
    assert!(
        said.err
            .contains("delete `manifests/tools/read_note.toml` first"),
        "{}",
        said.err
    );
    let said = project.run("bump --retire nothing");
    assert_eq!(said.exit, Exit::Failed);
    assert!(said.err.contains("knows no tool `nothing`"), "{}", said.err);
}
