//! Two branches meet: whatever git makes of generated files, `gen` makes right.

use std::process::Command;

use toolcontract_codegen::cli::Exit;

use super::{project, tool};
use crate::project::Project;

#[track_caller]
fn commit(project: &Project, message: &str) {
    let said = project.run("gen --init-lock");
    assert_eq!(said.exit, Exit::Clean, "{}", said.screen());
    project.git("add .");
    project.git(&format!("commit --quiet --message {message}"));
}

/// Two branches of one commit, then a merge of the second into the first. Gives whether git
/// found conflicts.
fn merged(ours: impl Fn(&Project), theirs: impl Fn(&Project)) -> (Project, bool) {
    let project = project();
    project.put(
        ".gitattributes",
        "* text=auto eol=lf\n.generated merge=union\n",
    );
    project.git("init --quiet --initial-branch main");
    commit(&project, "all");
    project.git("checkout --quiet -b theirs");
    theirs(&project);
    commit(&project, "theirs");
    project.git("checkout --quiet main");
    ours(&project);
    commit(&project, "ours");
    let merge = Command::new("git")
        .args(["-c", "user.name=Test", "-c", "user.email=test@example.com"])
        .args(["merge", "--quiet", "--no-edit", "theirs"])
        .current_dir(project.root())
        .output()
        .unwrap();
    (project, !merge.status.success())
}

fn add(project: &Project, name: &str) {
    let text = tool(name, "Do something with notes.");
    project.put(&format!("manifests/tools/{name}.toml"), &text);
}

#[track_caller]
fn heals(project: &Project) {
    let said = project.run("gen");
    assert_eq!(said.exit, Exit::Clean, "{}", said.screen());
    assert_eq!(project.run("gen --check").exit, Exit::Clean);
    for (path, bytes) in project.tree() {
        let text = String::from_utf8(bytes.unwrap_or_default()).unwrap();
        assert!(!text.contains("<<<<<<<"), "{path}");
    }
}

#[test]
fn tools_added_side_by_side_meet_in_every_file() {
    let (project, had_conflicts) = merged(|p| add(p, "move_note"), |p| add(p, "name_note"));
    assert!(had_conflicts, "this test is about conflicts");
    heals(&project);
    let list = project.text("generated/docs/.generated");
    assert!(
        list.contains("tools/move_note.md\ntools/name_note.md\n"),
        "{list}"
    );
}

#[test]
fn one_tool_changed_on_both_sides_needs_a_version_of_its_own() {
    let path = "manifests/tools/read_note.toml";
    let edit = |from: &'static str, to: &'static str| {
        move |project: &Project| {
            project.edit(path, from, to);
            assert_eq!(project.run("bump read_note").exit, Exit::Clean);
        }
    };
    let (project, _) = merged(
        edit("group = \"note\"", "group = \"archive\""),
        edit(
            "additionalProperties = false",
            "additionalProperties = true",
        ),
    );
    let manifest = project.text(path);
    assert!(manifest.contains("archive") && manifest.contains("additionalProperties = true"));
    assert_eq!(project.run("gen").exit, Exit::Findings);
    assert_eq!(project.run("bump --all").exit, Exit::Clean);
    assert!(project.text(path).contains("version = 3\n"));
    heals(&project);
}
