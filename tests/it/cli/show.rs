//! `list`, `explain`, and where a project is looked for.

use toolcontract_codegen::cli::Exit;

use super::project;
use crate::{expect_folder::ExpectFolder, project::Project};

#[test]
fn screens_are_as_they_were() {
    let mut expected = ExpectFolder::of("cli/screens");
    let lines = [
        "list",
        "list --format json",
        "explain changed-without-bump",
        "explain changed-without-bumping",
        "lint",
        "gen --only docs",
        "gen --init-lock --only wire",
        "bump read_note",
    ];
    for line in lines {
        let said = project().run(line);
        expected.text(line, said.screen());
    }
    let nowhere = Project::empty().run("gen");
    expected.text("gen without a project", nowhere.screen());
    let broken = project();
    broken.put("manifests/tools/bad.toml", "name = 1\n");
    for line in ["gen", "lint", "list"] {
        expected.text(
            &format!("{line} of a broken manifest"),
            broken.run(line).screen(),
        );
    }
    let empty = Project::with(&[(
        "manifests/toolcontract.toml",
        "name = \"Notes\"\ndescription = \"Tools for notes.\"\n",
    )]);
    expected.text(
        "check without a surface",
        empty.run("gen --check --init-lock").screen(),
    );
    let changed = project();
    changed.run("gen --init-lock");
    changed.edit("manifests/tools/read_note.toml", "Read one", "Read a");
    for line in ["check", "check --format json", "bump read_note", "gen"] {
        let name = format!("{line} of a changed contract");
        expected.text(&name, changed.run(line).out);
    }
    let new = Project::empty();
    for line in ["init", "new read_page", "gen"] {
        expected.text(&format!("first {line}"), new.run(line).out);
    }
    expected.finish();
}

#[test]
fn every_rule_has_a_page_and_stands_in_the_list() {
    let project = Project::empty();
    let list = project.run("explain").out;
    let ids: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(ids.len() > 10 && ids.is_sorted());
    for id in ids {
        let page = project.run(&format!("explain {id}"));
        assert_eq!(page.exit, Exit::Clean, "{id}");
        assert!(page.out.starts_with(&format!("# {id}\n")), "{id}");
    }
}
