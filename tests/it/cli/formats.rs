//! Findings and files in every format, and what `--deny warnings` makes of them.

use toolcontract_codegen::cli::Exit;

use super::project;
use crate::project::Project;

/// Generated, then one file edited, one gone, one added.
fn drifted() -> Project {
    let project = project();
    assert_eq!(project.run("gen --init-lock").exit, Exit::Clean);
    project.put("generated/docs/mine.txt", "mine\n");
    project.remove("generated/docs/tools/read_note.md");
    project.remove("manifests/tools/find_note.toml");
    project
}

#[test]
fn every_format_names_the_same_files_and_findings() {
    let project = drifted();
    for format in ["human", "json", "github", "sarif"] {
        let said = project.run(&format!("gen --check --format {format}"));
        assert_eq!(said.exit, Exit::Stale, "{format}");
        for part in [
            "removed-without-retiring",
            "generated/docs/tools/read_note.md",
            "generated/docs/tools/find_note.md",
            "generated/docs/mine.txt",
        ] {
            assert!(
                said.out.contains(part),
                "{format} names {part}: {}",
                said.out
            );
        }
    }
}

#[test]
fn formats_for_programs_hold_nothing_else() {
    let project = drifted();
    let json = project.run("gen --check --format json").out;
    for line in json.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect(line);
    }
    let sarif = project.run("gen --check --format sarif").out;
    serde_json::from_str::<serde_json::Value>(&sarif).unwrap();
    let github = project.run("gen --check --format github").out;
    assert!(
        github.lines().all(|line| line.starts_with("::")),
        "{github}"
    );
    for format in ["json", "github"] {
        let clean = self::project().run(&format!("gen --init-lock --format {format}"));
        assert_eq!(
            (clean.exit, clean.out.as_str()),
            (Exit::Clean, ""),
            "{format}"
        );
    }
}

#[test]
fn warnings_stop_a_run_only_when_they_are_denied() {
    let project = project();
    // A shared type that nobody uses is a warning.
    project.put(
        "manifests/types/unused.toml",
        "title = \"Unused\"\ndescription = \"Nobody names it.\"\ntype = \"string\"\n",
    );
    let as_before = project.tree();
    let denied = project.run("gen --init-lock --deny warnings");
    assert_eq!(denied.exit, Exit::Findings, "{}", denied.screen());
    assert!(denied.out.contains("warning["), "{}", denied.out);
    assert_eq!(project.tree(), as_before);
    assert_eq!(project.run("gen --init-lock").exit, Exit::Clean);
    assert_eq!(project.run("gen --check").exit, Exit::Clean);
    assert_eq!(
        project.run("gen --check --deny warnings").exit,
        Exit::Findings
    );
}

#[test]
fn a_foreign_file_is_a_warning() {
    let project = project();
    assert_eq!(project.run("gen --init-lock").exit, Exit::Clean);
    project.put("generated/docs/mine.txt", "mine\n");
    assert_eq!(project.run("check").exit, Exit::Clean);
    assert_eq!(project.run("check --deny warnings").exit, Exit::Findings);
}
