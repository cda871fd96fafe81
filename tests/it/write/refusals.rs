//! What the writer refuses: nothing changes then.

use std::path::Path;

use toolcontract_codegen::write::{Surface, Wanted};

use super::{at, before, generated, look, surface, wanted, write};
use crate::{expect_folder::ExpectFolder, project::Project};

type Case = (&'static str, fn(&Project) -> Vec<Surface>);

const CASES: &[Case] = &[
    ("link in place of a file", |p| {
        p.remove("generated/docs/index.md");
        link("../../secret", &p.root().join("generated/docs/index.md"));
        before().surfaces
    }),
    ("link in place of a folder", |p| {
        link("..", &p.root().join("generated/docs/more"));
        vec![surface("docs", &[("more/x.md", "x")])]
    }),
    ("link in place of a surface", |p| {
        link("docs", &p.root().join("generated/wire"));
        vec![surface("wire", &[("x.json", "{}")])]
    }),
    ("link in place of a file to delete", |p| {
        p.remove("generated/docs/tools/b.md");
        link("../index.md", &p.root().join("generated/docs/tools/b.md"));
        vec![surface("docs", &[("index.md", "# Tools\n")])]
    }),
    ("link in place of the list", |p| {
        p.remove("generated/docs/.generated");
        link("index.md", &p.root().join("generated/docs/.generated"));
        before().surfaces
    }),
    ("somebody's file in the way", |p| {
        p.put("generated/docs/tools/c.md", "mine\n");
        vec![surface("docs", &[("tools/c.md", "c\n")])]
    }),
    ("somebody's files in a new surface", |p| {
        p.put("crates/contracts/Cargo.toml", "[package]\n");
        p.put("crates/contracts/src/lib.rs", "pub fn mine() {}\n");
        let files = [
            ("Cargo.toml", "# @generated\n"),
            ("src/lib.rs", "//! @generated\n"),
        ];
        vec![at("rust", "crates/contracts", &files)]
    }),
    ("somebody's file where a folder must be", |p| {
        p.put("generated/docs/guide", "mine\n");
        vec![surface("docs", &[("guide/a.md", "a\n")])]
    }),
    ("somebody's folder where a file must be", |p| {
        p.put("generated/docs/guide.md/mine", "mine\n");
        vec![surface("docs", &[("guide.md", "a\n")])]
    }),
    ("a file in place of a surface", |p| {
        p.put("generated/wire", "mine\n");
        vec![surface("wire", &[("x.json", "{}")])]
    }),
    ("a path that leaves its folder", |_| {
        vec![surface("docs", &[("../rust/src/lib.rs", "")])]
    }),
    ("a file in a folder of another program", |_| {
        vec![surface("typescript", &[("dist/index.js", "")])]
    }),
    ("names that differ in case only", |_| {
        vec![surface("docs", &[("Grep.md", ""), ("grep.md", "")])]
    }),
    ("one path twice", |_| {
        vec![surface("docs", &[("a.md", "1"), ("a.md", "2")])]
    }),
    ("one folder for two surfaces", |_| {
        vec![at("docs", "out", &[]), at("wire", "out/wire", &[])]
    }),
    ("a folder that is the project", |_| {
        vec![at("docs", "../project", &[])]
    }),
    ("a folder that holds the project", |_| {
        vec![at("docs", "..", &[])]
    }),
    ("an absolute folder", |_| vec![at("docs", "/srv/docs", &[])]),
    ("the folder of the manifests", |_| {
        vec![at("docs", "manifests/docs", &[])]
    }),
];

#[test]
fn each_refusal_says_why_and_changes_nothing() {
    let mut expected = ExpectFolder::of("write/refusals");
    for (name, case) in CASES {
        let project = generated();
        let surfaces = case(&project);
        let as_before = project.tree();
        let refused = look(&project, &wanted(surfaces)).unwrap_err();
        assert_eq!(project.tree(), as_before, "{name}");
        expected.text(name, format!("{refused}\n"));
    }
    expected.finish();
}

#[test]
fn a_link_outside_what_is_owned_is_only_foreign() {
    let project = generated();
    link("index.md", &project.root().join("generated/docs/latest.md"));
    let plan = write(&project, &before());
    assert_eq!(plan.entries.len(), 1);
    assert!(project.has("generated/docs/latest.md"));
}

#[test]
fn another_repository_beside_this_one_may_be_written_when_it_is_named() {
    let project = generated();
    let other = || {
        wanted(vec![at(
            "oxagen",
            "../other/packages/tools",
            &[("a.ts", "a\n")],
        )])
    };
    write(&project, &other());
    let path = "../other/packages/tools/a.ts";
    assert_eq!(project.text(path), "a\n");
    project.put("../other/packages/mine.ts", "mine\n");
    let nothing = Wanted {
        former_in: None,
        ..wanted(vec![at("oxagen", "../other/packages/tools", &[])])
    };
    write(&project, &nothing);
    assert!(!project.has("../other/packages/tools"));
    assert_eq!(project.text("../other/packages/mine.ts"), "mine\n");
}

#[test]
fn a_list_cannot_reach_outside_its_folder() {
    let project = generated();
    project.put("precious", "mine\n");
    let list = project.text("generated/docs/.generated");
    project.put(
        "generated/docs/.generated",
        &format!("{list}../../precious\n/etc/hostname\ntools/../../../precious\n"),
    );
    write(&project, &before());
    assert_eq!(project.text("precious"), "mine\n");
    assert_eq!(project.text("generated/docs/.generated"), list);
}

#[cfg(unix)]
fn link(target: &str, at: &Path) {
    std::os::unix::fs::symlink(target, at).unwrap();
}
