//! What is ours and what is not: files of others stay, what is left over goes, folders that we
//! emptied go too.

use toolcontract_codegen::write::{State, Wanted};

use super::{
    before,
    failing::{Failing, How},
    generated, look, surface, wanted, write,
};
use crate::project::Project;

#[test]
fn equal_files_are_not_touched() {
    let project = generated();
    let modified = |p: &Project| {
        let path = p.root().join("generated/docs/index.md");
        path.metadata().unwrap().modified().unwrap()
    };
    let first = modified(&project);
    let plan = write(&project, &before());
    assert!(plan.is_clean() && plan.entries.is_empty());
    assert_eq!(modified(&project), first);
}

#[test]
fn what_is_left_over_goes_and_what_is_foreign_stays() {
    let project = generated();
    project.put("generated/docs/tools/mine.md", "mine\n");
    let fewer = || {
        wanted(vec![
            surface("docs", &[("index.md", "# Tools\n")]),
            before().surfaces[1].clone(),
        ])
    };
    write(&project, &fewer());
    assert!(!project.has("generated/docs/tools/a.md"));
    assert_eq!(project.text("generated/docs/tools/mine.md"), "mine\n");

    write(&project, &before());
    project.remove("generated/docs/tools/mine.md");
    write(&project, &fewer());
    assert!(
        !project.has("generated/docs/tools"),
        "an emptied folder goes"
    );
}

#[test]
fn a_surface_that_is_switched_off_goes_but_for_what_the_workspace_needs() {
    let project = generated();
    project.put("generated/other/mine.txt", "mine\n");
    let none = || wanted(vec![surface("mcp", &[("tools.json", "[]\n")])]);
    write(&project, &none());
    assert!(!project.has("generated/docs"));
    assert!(!project.has("generated/rust/src/a.rs"));
    assert!(project.has("generated/rust/Cargo.toml"));
    assert!(project.has("generated/rust/src/lib.rs"));
    assert!(project.has("generated/other/mine.txt"));
    assert!(look(&project, &none()).unwrap().is_clean());
}

#[test]
fn a_name_that_changes_case_goes_before_it_comes() {
    let files = [("index.md", "# Tools\n"), ("tools/A.md", "a\n")];
    let upper = wanted(vec![surface("docs", &files)]);
    for changes in 0..20 {
        let project = generated();
        let disk = Failing::after(changes, How::CutOff);
        let _ = look(&project, &upper).unwrap().apply(&disk);
        let both = ["a", "A"].map(|name| project.has(&format!("generated/docs/tools/{name}.md")));
        assert_ne!(both, [true; 2], "one would be deleted as the other");
        write(&project, &upper);
        assert!(project.has("generated/docs/tools/A.md"));
    }
}

#[test]
fn a_run_for_one_surface_leaves_the_others_alone() {
    let project = generated();
    let only = Wanted {
        former_in: None,
        ..wanted(vec![surface("docs", &[("index.md", "# Tools\n")])])
    };
    write(&project, &only);
    assert!(project.has("generated/rust/src/a.rs"));
    assert!(!project.has("generated/docs/tools/a.md"));
}

#[test]
fn folders_and_files_of_other_programs_are_not_looked_at() {
    let project = generated();
    for path in [
        "docs/node_modules/x/y.js",
        "rust/target/debug/z",
        "docs/dist/i.js",
        "rust/Cargo.lock",
    ] {
        project.put(&format!("generated/{path}"), "x\n");
    }
    project.put("generated/docs/mine.md", "x\n");
    let plan = look(&project, &before()).unwrap();
    let foreign: Vec<_> = plan
        .entries
        .iter()
        .map(|e| (e.path.as_str(), e.state))
        .collect();
    assert_eq!(foreign, [("generated/docs/mine.md", State::Foreign)]);
}

#[test]
fn a_committed_file_in_the_way_is_replaced_since_it_can_be_brought_back() {
    let project = Project::with(&[
        ("manifests/toolcontract.toml", ""),
        ("generated/docs/index.md", "by hand\n"),
    ]);
    assert!(look(&project, &before()).is_err());
    project.git("init --quiet");
    project.git("add .");
    assert!(look(&project, &before()).is_err());
    project.git("commit --quiet --message all");
    write(&project, &before());
    assert_eq!(project.text("generated/docs/index.md"), "# Tools\n");
}

#[test]
fn everything_but_the_two_kept_files_is_restored_to_the_byte() {
    let project = generated();
    let all = project.tree();
    for (path, bytes) in &all {
        let kept = ["generated/rust/Cargo.toml", "generated/rust/src/lib.rs"];
        if bytes.is_some() && path.starts_with("generated/") && !kept.contains(&path.as_str()) {
            project.remove(path);
        }
    }
    write(&project, &before());
    assert_eq!(project.tree(), all);
}
