//! Every fault fires in `bad/` with the screen of `expected.txt`, and `ok/` beside it is clean.

use std::path::Path;

use toolcontract_manifest::{
    Diagnostic, Source, fault, has_error, load, load_sources, parse::MAX_BYTES,
};

use super::{copied, data, names, put, screen};
use crate::expect::Expect;

/// Found while schemas are bundled; its fixture is with the model.
const ELSEWHERE: &[&str] = &[fault::UNRESOLVED_REFERENCE];

#[test]
fn every_fault_has_its_screen() {
    let mut expect = Expect::default();
    for case in names(&data()) {
        let findings = bad(&case);
        expect.file(&data().join(&case).join("expected.txt"), &screen(&findings));
        if !findings.iter().any(|f| f.rule == case) {
            expect.fail(format_args!("{case}: the fault of that name is not found"));
        }
    }
    expect.finish();
}

#[test]
fn every_fault_has_a_clean_neighbour() {
    let mut expect = Expect::default();
    for case in names(&data()) {
        if case == fault::PATH_OUTSIDE_MANIFESTS {
            continue;
        }
        let copy = copied(&data().join(&case).join("ok"));
        construct(&case, Side::Ok, copy.path());
        let (folder, findings) = load(copy.path()).expect("the disk works");
        if folder.is_none() || !findings.is_empty() {
            expect.fail(format_args!("{case}/ok:\n{}", screen(&findings)));
        }
    }
    expect.finish();
}

#[test]
fn every_fault_has_a_folder_and_every_folder_a_fault() {
    let mut expected: Vec<&str> = fault::IDS.to_vec();
    expected.retain(|id| !ELSEWHERE.contains(id));
    expected.sort_unstable();
    assert_eq!(names(&data()), expected);
}

#[test]
fn every_fault_has_a_page() {
    for id in fault::IDS {
        assert!(toolcontract_codegen::lint::page(id).is_some(), "{id}");
    }
}

#[test]
fn a_project_with_a_fault_is_not_given() {
    for case in names(&data()) {
        let copy = copied(&data().join(&case).join("bad"));
        construct(&case, Side::Bad, copy.path());
        let (folder, findings) = load(copy.path()).expect("the disk works");
        assert_eq!(folder.is_none(), has_error(&findings), "{case}");
    }
}

fn bad(case: &str) -> Vec<Diagnostic> {
    if case == fault::PATH_OUTSIDE_MANIFESTS {
        let outside = [
            "manifests/../tools/a.toml",
            "src/a.toml",
            "/manifests/tools/a.toml",
        ];
        let sources = outside.map(|path| Source {
            path: path.to_owned(),
            bytes: Vec::new(),
        });
        return load_sources(sources.to_vec()).1;
    }
    let copy = copied(&data().join(case).join("bad"));
    construct(case, Side::Bad, copy.path());
    let (_, mut findings) = load(copy.path()).expect("the disk works");
    let root = copy.path().display().to_string();
    for finding in &mut findings {
        finding.message = finding.message.replace(&root, "ROOT");
    }
    findings
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Bad,
    Ok,
}

/// Adds what a repository should not hold: large files and links.
fn construct(case: &str, side: Side, root: &Path) {
    let manifests = root.join("manifests");
    if case == fault::FILE_TOO_LARGE {
        let length = MAX_BYTES + usize::from(side == Side::Bad);
        let mut text = b"title = \"Page\"\n# ".to_vec();
        text.resize(length, b'x');
        put(&manifests.join("types/page.toml"), &text);
    }
    #[cfg(unix)]
    if side == Side::Bad && case == fault::SYMBOLIC_LINK {
        use std::os::unix::fs::symlink;
        let link = |to: &str, name: &str| {
            symlink(to, manifests.join(name)).expect("a link can be made");
        };
        link("hello.toml", "tools/linked.toml");
        link("nowhere.toml", "tools/dangling.toml");
        link("tools", "types");
        link("..", "elsewhere");
    }
    #[cfg(unix)]
    if side == Side::Bad && case == fault::UNEXPECTED_FILE {
        let socket = manifests.join("tools/socket.toml");
        std::os::unix::net::UnixListener::bind(socket).expect("a socket can be made");
    }
}
