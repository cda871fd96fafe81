//! `bump` changes the version and nothing else.

use super::{READ_NOTE, generated, well};
use crate::project::Project;

/// Edits the description and bumps; gives the manifest before and after.
fn bumped(path: &str, manifest: &str) -> (String, String) {
    let project = generated();
    project.remove("manifests/tools/read_note.toml");
    project.remove("manifests/contracts.lock");
    let manifest = manifest.to_owned();
    project.put(path, &manifest);
    well(&project, "gen --init-lock");
    project.edit(path, "Read one note.", "Read a note.");
    let before = project.text(path);
    let said = well(&project, "bump read_note");
    assert!(
        said.out.contains("Raised read_note from version"),
        "{}",
        said.out
    );
    let after = project.text(path);
    well(&project, "gen");
    (before, after)
}

fn is_only_change(path: &str, manifest: &str, from: &str, to: &str) {
    let (before, after) = bumped(path, manifest);
    assert_eq!(before.matches(from).count(), 1);
    assert_eq!(after, before.replace(from, to));
}

const TOML: &str = "manifests/tools/read_note.toml";
const JSON: &str = "manifests/tools/read_note.json";

#[test]
fn comments_and_layout_stay() {
    is_only_change(
        TOML,
        READ_NOTE,
        "version = 1  # raised",
        "version = 2  # raised",
    );
}

#[test]
fn line_ends_of_windows_stay() {
    let manifest = READ_NOTE.replace('\n', "\r\n");
    is_only_change(
        TOML,
        &manifest,
        "version = 1  # raised",
        "version = 2  # raised",
    );
}

#[test]
fn a_version_that_is_not_written_is_put_behind_the_title() {
    let manifest = READ_NOTE.replace("version = 1  # raised by `bump`\n", "");
    let (from, to) = (
        "title = \"Read a note\"\n",
        "title = \"Read a note\"\nversion = 2\n",
    );
    is_only_change(TOML, &manifest, from, to);
}

const READ_NOTE_JSON: &str = r#"{
  "name": "read_note",
  "version":   1,
  "description": "Read one note. Use it when you know the id. Returns its text.",
  "group": "note",
  "read_only": true,
  "risk": "low",
  "input_schema": {
    "type": "object", "additionalProperties": false, "required": ["version"],
    "properties": { "version": { "type": "integer", "minimum": 1, "description": "Which." } }
  }
}
"#;

#[test]
fn a_manifest_in_json_keeps_its_layout() {
    is_only_change(
        JSON,
        READ_NOTE_JSON,
        "\"version\":   1,",
        "\"version\":   2,",
    );
}

#[test]
fn a_version_that_json_does_not_have_is_put_behind_the_name() {
    let manifest = READ_NOTE_JSON.replace("  \"version\":   1,\n", "");
    let from = "\"name\": \"read_note\",\n";
    is_only_change(JSON, &manifest, from, &format!("{from}  \"version\": 2,\n"));
}

#[test]
fn only_what_changed_is_raised() {
    let project = generated();
    let other = READ_NOTE.replace("\"read_note\"", "\"write_note\"");
    project.put("manifests/tools/write_note.toml", &other);
    well(&project, "gen");
    project.edit(TOML, "Read one note.", "Read a note.");
    let said = well(&project, "bump --all");
    assert_eq!(
        said.out,
        "      Raised read_note from version 1 to 2\n        Next run `toolcontract gen` to generate what changed\n"
    );
    assert_eq!(project.text("manifests/tools/write_note.toml"), other);
    let said = well(&project, "bump --all");
    assert!(said.out.starts_with("   Unchanged"), "{}", said.out);
    let said = well(&project, "bump write_note");
    assert!(
        said.out.starts_with("   Unchanged write_note"),
        "{}",
        said.out
    );
}

#[test]
fn a_manifest_that_has_other_errors_is_not_raised() {
    let project = generated();
    project.edit(TOML, "Read one note.", "Read a note.");
    project.edit(TOML, "group = \"note\"", "group = \"nota\"");
    let as_before = project.tree();
    for line in ["bump read_note", "bump --all"] {
        let said = project.run(line);
        assert_eq!(said.exit.code(), 100, "{}", said.screen());
        assert!(said.out.contains("error[undeclared-group]"), "{}", said.out);
        assert!(said.out.contains("no version was raised"), "{}", said.out);
        assert_eq!(project.tree(), as_before);
    }
    project.edit(TOML, "group = \"nota\"", "group = \"note\"");
    well(&project, "bump read_note");
    well(&project, "gen");
}

/// What is wrong elsewhere stops `gen`, not this.
#[test]
fn an_error_in_another_manifest_stops_no_bump() {
    let project = generated();
    let other = READ_NOTE.replace("\"read_note\"", "\"write_note\"");
    let other = other.replace("group = \"note\"", "group = \"nota\"");
    project.put("manifests/tools/write_note.toml", &other);
    project.edit(TOML, "Read one note.", "Read a note.");
    let said = well(&project, "bump read_note");
    assert!(said.out.contains("Raised read_note"), "{}", said.out);
}

#[test]
fn an_unknown_name_is_an_error_with_the_nearest_one() {
    let project: Project = generated();
    let said = project.run("bump read_nite");
    assert_eq!(said.exit.code(), 1);
    assert!(
        said.err.contains("did you mean `read_note`?"),
        "{}",
        said.err
    );
}
