//! `contracts.lock`: what stops a run, what settles it, what a merge or a git revision changes.

mod base;
mod bump;
mod retire;

use toolcontract_codegen::cli::Exit;

use crate::{
    expect_folder::ExpectFolder,
    project::{Project, Said},
};

const PROJECT: &str = r#"
name = "Notes"
description = "Tools for notes."
groups.note = "Notes."
surfaces.docs = {}
"#;

/// A tool with comments in every place that `bump` must keep.
const READ_NOTE: &str = r#"#:schema ../../generated/wire/manifest.schema.json
# The first tool.
name = "read_note"   # shown to models
title = "Read a note"

version = 1  # raised by `bump`
description = "Read one note. Use it when you know the note's id. Returns its text."
group = "note"
read_only = true
risk = "low"

# What a caller sends.
[input_schema]
type = "object"
additionalProperties = false
required = ["id"]
properties.id = { "$ref" = "types/id.toml", description = "Which note." }
"#;

const ID: &str = r#"
title = "Id"
description = "The id of a note."
type = "string"
minLength = 1
"#;

/// A project that was generated once.
fn generated() -> Project {
    let project = Project::with(&[
        ("manifests/toolcontract.toml", PROJECT),
        ("manifests/tools/read_note.toml", READ_NOTE),
        ("manifests/types/id.toml", ID),
    ]);
    assert_eq!(project.run("gen --init-lock").exit, Exit::Clean);
    project
}

fn lock(project: &Project) -> String {
    project.text("manifests/contracts.lock")
}

/// Runs a command that must end well.
#[track_caller]
fn well(project: &Project, line: &str) -> Said {
    let said = project.run(line);
    assert_eq!(said.exit, Exit::Clean, "{line}: {}", said.screen());
    said
}

#[test]
fn a_missing_lock_is_an_error_unless_it_is_asked_for() {
    let project = generated();
    let text = lock(&project);
    project.remove("manifests/contracts.lock");
    let as_before = project.tree();
    for line in ["gen", "gen --check", "bump read_note"] {
        let said = project.run(line);
        assert_eq!(said.exit, Exit::Failed);
        assert!(said.err.contains("gen --init-lock"), "{}", said.err);
    }
    assert_eq!(project.tree(), as_before);
    well(&project, "gen --init-lock");
    assert_eq!(lock(&project), text);
    well(&project, "gen --init-lock");
}

#[test]
fn a_lock_that_is_none_is_not_overwritten() {
    let project = generated();
    project.put(
        "manifests/contracts.lock",
        "[tools.read_note]\nversion = \"one\"\n",
    );
    let as_before = project.tree();
    for line in ["gen", "gen --init-lock", "gen --check"] {
        let said = project.run(line);
        assert_eq!(said.exit, Exit::Failed);
        assert!(said.err.contains("is not a lock"), "{}", said.err);
    }
    assert_eq!(project.tree(), as_before);
}

type Edit = (&'static str, &'static str, &'static str, &'static str);

/// What stops a run: the file, what is replaced in it, by what.
const STOPS: &[Edit] = &[
    (
        "advertised bytes",
        "tools/read_note.toml",
        "Read one note.",
        "Read a single note.",
    ),
    (
        "contract facts",
        "tools/read_note.toml",
        "read_only = true",
        "read_only = true\nidempotent = true",
    ),
    (
        "a shared type",
        "types/id.toml",
        "minLength = 1",
        "minLength = 2",
    ),
    (
        "a lower version",
        "tools/read_note.toml",
        "version = 1 ",
        "version = 0 ",
    ),
    (
        "no version",
        "tools/read_note.toml",
        "version = 1  # raised by `bump`\ndescription = \"Read one",
        "description = \"Read a",
    ),
];

#[test]
fn a_change_without_a_higher_version_stops_before_anything_is_written() {
    let mut expected = ExpectFolder::of("lock/stops");
    for (name, file, from, to) in STOPS {
        let project = generated();
        if *name == "a lower version" {
            project.edit(
                "manifests/tools/read_note.toml",
                "version = 1 ",
                "version = 3 ",
            );
            well(&project, "gen");
            project.edit(
                "manifests/tools/read_note.toml",
                "version = 3 ",
                "version = 2 ",
            );
        } else {
            project.edit(&format!("manifests/{file}"), from, to);
        }
        let as_before = project.tree();
        let said = project.run("gen");
        assert_eq!(said.exit, Exit::Findings, "{name}");
        assert_eq!(project.tree(), as_before, "{name}");
        expected.text(name, said.screen());

        well(&project, "bump read_note");
        well(&project, "gen");
        well(&project, "gen --check");
    }
    expected.finish();
}

/// A slip is repaired and not given a version.
#[test]
fn what_must_be_repaired_is_not_sent_to_bump() {
    let project = generated();
    let edited = |group: &str| {
        let text = READ_NOTE.replace("group = \"note\"", group);
        let text = text.replace("Returns its text.", "Returns the text.");
        project.put("manifests/tools/read_note.toml", &text);
        let said = project.run("gen");
        assert_eq!(said.exit, Exit::Findings);
        said.screen().contains("changed-without-bump")
    };
    assert!(!edited("group = \"nota\""));
    assert!(edited("group = \"note\""));
}

#[test]
fn what_is_no_part_of_the_contract_needs_no_version() {
    let project = generated();
    project.put(
        "manifests/tools/read_note.toml",
        &format!(
            "{READ_NOTE}\n[[examples]]\nsummary = \"The first note.\"\ninput = {{ id = \"1\" }}\n"
        ),
    );
    let before = lock(&project);
    well(&project, "gen");
    assert_eq!(lock(&project), before);
    // Neither are comments, order, spelling, and defaults that are written down.
    project.edit("manifests/tools/read_note.toml", "# The first tool.\n", "");
    project.edit(
        "manifests/tools/read_note.toml",
        "risk = \"low\"\n",
        "risk = 'low'\nidempotent = false\n",
    );
    well(&project, "gen");
    assert_eq!(lock(&project), before);
}

#[test]
fn a_check_names_stale_files_also_when_there_are_findings() {
    let project = generated();
    project.edit(
        "manifests/tools/read_note.toml",
        "Read one note.",
        "Read a note.",
    );
    let said = project.run("gen --check");
    assert_eq!(said.exit, Exit::Stale);
    for part in [
        "changed-without-bump",
        "Stale generated/docs/",
        "Stale manifests/contracts.lock",
    ] {
        assert!(said.out.contains(part), "{}", said.out);
    }
}

#[test]
fn a_lock_with_merge_conflicts_is_healed_and_both_sides_count() {
    let project = generated();
    project.edit(
        "manifests/tools/read_note.toml",
        "version = 1 ",
        "version = 2 ",
    );
    project.edit(
        "manifests/tools/read_note.toml",
        "Read one note.",
        "Read our note.",
    );
    well(&project, "gen");
    let ours = lock(&project);
    project.edit(
        "manifests/tools/read_note.toml",
        "Read our note.",
        "Read their note.",
    );
    project.run("gen");
    project.remove("manifests/contracts.lock");
    well(&project, "gen --init-lock");
    let theirs = lock(&project);
    // Git resolved the manifest to a third text, and left the lock to us.
    project.edit(
        "manifests/tools/read_note.toml",
        "Read their note.",
        "Read a note.",
    );
    let body = |lock: &str| lock.split_once("version = 2\n").unwrap().1.to_owned();
    let conflict = format!(
        "<<<<<<< HEAD\n{}=======\n{}>>>>>>> theirs\n",
        body(&ours),
        body(&theirs)
    );
    project.put(
        "manifests/contracts.lock",
        &ours.replace(&body(&ours), &conflict),
    );

    assert_eq!(
        project.run("gen").exit,
        Exit::Findings,
        "the version means three contracts"
    );
    well(&project, "bump --all");
    assert!(
        project
            .text("manifests/tools/read_note.toml")
            .contains("version = 3 ")
    );
    let said = well(&project, "gen");
    assert!(
        said.out.contains("Healed manifests/contracts.lock"),
        "{}",
        said.out
    );
    well(&project, "gen --check");
}
