//! `--base REV`: a branch raises each version once.

use toolcontract_codegen::cli::Exit;

use super::{READ_NOTE, generated, lock, well};
use crate::project::Project;

const MANIFEST: &str = "manifests/tools/read_note.toml";

/// A project whose generated state is the commit `main`, on a branch of it.
fn branched() -> Project {
    let project = generated();
    project.git("init --quiet --initial-branch main");
    project.git("add .");
    project.git("commit --quiet --message all");
    project.git("checkout --quiet -b topic");
    project
}

#[test]
fn a_branch_raises_a_version_once() {
    let project = branched();
    project.edit(MANIFEST, "Read one note.", "Read a note.");
    assert_eq!(project.run("gen --base main").exit, Exit::Findings);
    well(&project, "bump --all --base main");
    well(&project, "gen --base main");
    project.git("commit --all --quiet --message one");

    project.edit(MANIFEST, "Read a note.", "Read some note.");
    assert_eq!(
        project.run("gen").exit,
        Exit::Findings,
        "the lock here has version 2"
    );
    well(&project, "gen --base main");
    assert!(project.text(MANIFEST).contains("version = 2 "));
    let said = well(&project, "bump --all --base main");
    assert!(said.out.contains("Unchanged"), "{}", said.out);
    well(&project, "gen --check");
    well(&project, "gen --check --base main");
}

/// Where git has the manifest that the lock stands for, what changed in it is named.
#[test]
fn the_keys_that_changed_are_named() {
    let project = branched();
    let said = |line: &str| {
        let said = project.run(line);
        assert_eq!(said.exit, Exit::Findings, "{}", said.screen());
        said.out
    };
    project.edit(MANIFEST, "Read one note.", "Read a note.");
    project.edit(
        MANIFEST,
        "read_only = true",
        "read_only = true\nidempotent = true",
    );
    for line in ["gen", "gen --base main"] {
        let out = said(line);
        let named = "`read_note` changed (`description`, `idempotent`) but is still version 1: ";
        assert!(out.contains(named), "{line}: {out}");
    }
    // The lock here stands for a manifest that git never had.
    well(&project, "bump read_note");
    well(&project, "gen");
    project.edit(MANIFEST, "Read a note.", "Read any note.");
    let out = said("gen");
    assert!(
        out.contains("`read_note` changed but is still version 2"),
        "{out}"
    );
    project.edit("manifests/types/id.toml", "minLength = 1", "minLength = 2");
    project.edit(MANIFEST, "Read any note.", "Read one note.");
    project.edit(MANIFEST, "\nidempotent = true", "");
    project.edit(MANIFEST, "version = 2 ", "version = 1 ");
    project.git("checkout --quiet -- manifests/contracts.lock");
    let out = said("gen");
    let named = "changed (a type that it names) but is still version 1";
    assert!(out.contains(named), "{out}");
}

#[test]
fn a_tool_that_came_and_went_on_a_branch_is_not_retired() {
    let project = branched();
    let other = READ_NOTE.replace("\"read_note\"", "\"write_note\"");
    project.put("manifests/tools/write_note.toml", &other);
    well(&project, "gen --base main");
    project.remove("manifests/tools/write_note.toml");
    assert_eq!(project.run("gen").exit, Exit::Findings);
    well(&project, "gen --base main");
    assert!(!lock(&project).contains("write_note"));

    project.remove(MANIFEST);
    let said = project.run("gen --base main");
    assert_eq!(said.exit, Exit::Findings);
    assert!(said.out.contains("bump --retire read_note"), "{}", said.out);
}

#[test]
fn a_revision_without_a_lock_makes_every_contract_new() {
    let project = generated();
    project.git("init --quiet --initial-branch main");
    project.git("commit --quiet --allow-empty --message nothing");
    project.edit(MANIFEST, "Read one note.", "Read a note.");
    well(&project, "gen --base main");
}

#[test]
fn a_project_below_the_root_of_its_repository_finds_its_own_lock() {
    let project = generated();
    let outer = project.root().parent().unwrap().to_owned();
    project.git(&format!(
        "init --quiet --initial-branch main {}",
        outer.display()
    ));
    project.git("add .");
    project.git("commit --quiet --message all");
    project.edit(MANIFEST, "Read one note.", "Read a note.");
    assert_eq!(project.run("gen --base HEAD").exit, Exit::Findings);
    well(&project, "bump read_note --base HEAD");
    well(&project, "gen --base HEAD");
}

#[test]
fn what_git_does_not_have_is_said() {
    let project = generated();
    let said = project.run("gen --base main");
    assert_eq!(said.exit, Exit::Failed);
    assert!(said.err.contains("not in a git repository"), "{}", said.err);

    let project = branched();
    for revision in ["nowhere", "--all", "main:manifests"] {
        let said = project.run(&format!("gen --base={revision}"));
        assert_eq!(said.exit, Exit::Failed, "{}", said.screen());
        assert!(said.err.contains("git knows no revision"), "{}", said.err);
        assert!(said.err.contains("shallow"), "{}", said.err);
    }
}
