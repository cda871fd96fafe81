//! One folder for each rule: `bad` fires it, `ok` is clean. Either is one manifest of a tool
//! (`bad.toml`) or what a `manifests` folder holds (`bad/`). The project file beside the folders
//! is that of every case without its own.

use std::path::Path;

use toolcontract_codegen::{
    lint::{self, RULES, faults},
    model::Lock,
};
use toolcontract_manifest::{Diagnostic, Source, fault};

use super::{data, found, names, read, screen};
use crate::expect::Expect;

const PROJECT: &str = "toolcontract.toml";

/// Found while schemas are bundled, so between loading and linting.
const OF_THE_MODEL: &[&str] = &[fault::UNRESOLVED_REFERENCE];

#[test]
fn every_rule_fires_once() {
    let mut expect = Expect::default();
    for case in cases() {
        let findings = side(&case, "bad");
        let path = data().join(&case).join("bad.diag");
        expect.file(&path, &screen(&findings));
        if !findings.iter().any(|f| f.rule == case) {
            expect.fail(format_args!("{case}: the rule of that name is silent"));
        }
    }
    expect.finish();
}

#[test]
fn every_rule_stays_silent_once() {
    let mut expect = Expect::default();
    for case in cases() {
        let findings = side(&case, "ok");
        if !findings.is_empty() {
            expect.fail(format_args!("{case}/ok:\n{}", screen(&findings)));
        }
    }
    expect.finish();
}

#[test]
fn every_rule_has_a_folder_and_every_folder_a_rule() {
    let mut expected: Vec<&str> = RULES.iter().map(|rule| rule.id()).collect();
    expected.extend(OF_THE_MODEL);
    expected.sort_unstable();
    assert_eq!(cases(), expected);
    for case in cases() {
        let mut files = names(&data().join(&case));
        files.retain(|file| file != "bad.diag");
        let sides: Vec<&str> = files.iter().map(|f| f.trim_end_matches(".toml")).collect();
        assert_eq!(sides, ["bad", "ok"], "{case}");
    }
}

#[test]
fn the_order_of_files_changes_nothing() {
    for case in cases() {
        let (sources, lock) = project(&case, "bad");
        let mut reversed = sources.clone();
        reversed.reverse();
        let screens = [sources, reversed].map(|s| screen(&found(s, lock.clone())));
        assert_eq!(screens[0], screens[1], "{case}");
    }
}

#[test]
fn every_id_is_kebab_case_and_explained() {
    for page in RULES.iter().map(|rule| &rule.page).chain(faults()) {
        let id = page.id;
        assert!(lint::page(id).is_some(), "{id}");
        assert!(
            id.split('-').all(|word| !word.is_empty()
                && word
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())),
            "{id}"
        );
        let text = page.markdown();
        for heading in ["What it checks", "Why it matters", "Example", "Use instead"] {
            let (_, section) = text
                .split_once(&format!("\n## {heading}\n"))
                .expect(heading);
            let section = section.split("\n## ").next().unwrap_or_default();
            assert!(section.trim().len() > 10, "{id}: {heading}");
        }
        assert!(
            page.about.ends_with('.') && page.what.ends_with('.'),
            "{id}"
        );
        assert_ne!(page.example, page.instead, "{id}");
    }
}

#[test]
fn a_rule_of_level_error_stops_generation() {
    for case in cases() {
        let level = lint::rule(&case).and_then(|rule| rule.authored);
        let has_error = toolcontract_manifest::has_error(&side(&case, "bad"));
        if level == Some(toolcontract_manifest::Level::Error) {
            assert!(has_error || case == "name-refused-by-mcp", "{case}");
        }
    }
}

#[test]
fn what_is_imported_is_held_at_the_declared_level() {
    for case in cases() {
        let Some(rule) = lint::rule(&case) else {
            continue;
        };
        let (mut sources, lock) = project(&case, "bad");
        for source in sources.iter_mut().filter(|s| is_tool(&s.path)) {
            let text = std::str::from_utf8(&source.bytes).expect("UTF-8");
            if !text.contains("origin = ") {
                source.bytes = format!("origin = \"mcp:elsewhere\"\n{text}").into_bytes();
            }
        }
        for finding in found(sources, lock) {
            if finding.rule == case && is_tool(&finding.path) {
                assert_eq!(Some(finding.level), rule.declared, "{case}");
            }
        }
    }
}

fn is_tool(path: &str) -> bool {
    path.starts_with("manifests/tools/")
}

fn cases() -> Vec<String> {
    let mut cases = names(&data());
    cases.retain(|name| name != PROJECT);
    cases
}

fn side(case: &str, side: &str) -> Vec<Diagnostic> {
    let (sources, lock) = project(case, side);
    found(sources, lock)
}

/// The files and the lock of one side of a case.
fn project(case: &str, side: &str) -> (Vec<Source>, Lock) {
    let folder = data().join(case).join(side);
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    if folder.is_dir() {
        collect(&folder, "", &mut files);
    } else {
        let bytes = read(&folder.with_extension("toml"));
        files.push((format!("tools/{}.toml", name_in(&bytes)), bytes));
    }
    if !files.iter().any(|(path, _)| path == PROJECT) {
        files.push((PROJECT.to_owned(), read(&data().join(PROJECT))));
    }
    let lock = files.iter().find(|(path, _)| path == "contracts.lock");
    let lock = lock.map(|(_, bytes)| {
        let text = std::str::from_utf8(bytes).expect("UTF-8");
        Lock::parse(text).expect("a lock")
    });
    let sources = files.into_iter().map(|(path, bytes)| Source {
        path: format!("manifests/{path}"),
        bytes,
    });
    (sources.collect(), lock.unwrap_or_default())
}

fn collect(folder: &Path, below: &str, files: &mut Vec<(String, Vec<u8>)>) {
    for name in names(folder) {
        let path = folder.join(&name);
        let relative = format!("{below}{name}");
        if path.is_dir() {
            collect(&path, &format!("{relative}/"), files);
        } else {
            files.push((relative, read(&path)));
        }
    }
}

/// The name that a manifest states: a file is called so.
fn name_in(bytes: &[u8]) -> String {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let document: toml_edit::DocumentMut = text.parse().expect("TOML");
    document["name"].as_str().expect("a name").to_owned()
}
