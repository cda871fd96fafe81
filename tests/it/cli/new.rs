//! `new`: what it writes is a contract that lacks nothing but its words.

use toolcontract_codegen::{cli::Exit, lint::PLACEHOLDERS};

use super::project;
use crate::expect_folder::ExpectFolder;

#[test]
fn a_new_manifest_shows_every_choice_and_lacks_only_its_words() {
    let mut expected = ExpectFolder::of("cli/new");
    let project = project();
    assert_eq!(project.run("new write_note --group note").exit, Exit::Clean);
    expected.text(
        "with a group",
        project.text("manifests/tools/write_note.toml"),
    );
    let text = project.text("manifests/toolcontract.toml");
    let oxagen = "surfaces.oxagen = { surfaces = [\"agent\"], layers = [\"schema\"] }\n";
    project.put("manifests/toolcontract.toml", &format!("{text}{oxagen}"));
    for name in ["read_note", "find_note"] {
        project.remove(&format!("manifests/tools/{name}.toml"));
    }
    assert_eq!(project.run("new read_all_notes").exit, Exit::Clean);
    expected.text(
        "with oxagen",
        project.text("manifests/tools/read_all_notes.toml"),
    );
    project.remove("manifests/tools/write_note.toml");
    let lint = project.run("lint --deny warnings --format json");
    assert_eq!(lint.exit, Exit::Findings, "{}", lint.screen());
    for finding in lint.out.lines() {
        assert!(finding.contains("placeholder-text"), "{finding}");
    }
    let path = "manifests/tools/read_all_notes.toml";
    for (placeholder, words) in PLACEHOLDERS.into_iter().zip(["Read all.", "A word."]) {
        project.edit(path, placeholder, words);
    }
    let lint = project.run("lint --deny warnings");
    assert_eq!(lint.exit, Exit::Clean, "{}", lint.screen());
    expected.finish();
}

#[test]
fn what_is_no_name_or_is_taken_is_refused() {
    let project = project();
    project.put("manifests/tools/other.json", "{}");
    let as_before = project.tree();
    for (line, why) in [
        ("new read_note", "is there already"),
        ("new other", "`manifests/tools/other.json` is there already"),
        ("new Read", "contains `R`"),
        ("new ../../x", "contains `.`"),
        ("new mcp__a__b", "contains `__`"),
        ("new type", "reserved word of Rust"),
        (
            "new x_y --group none",
            "has no group `none`; there are `archive`, `note`",
        ),
    ] {
        let said = project.run(line);
        assert_eq!(said.exit, Exit::Failed, "{line}");
        assert!(said.err.contains(why), "{line}: {}", said.err);
    }
    assert_eq!(project.tree(), as_before);
}
