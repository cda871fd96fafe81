//! `toolcontract-schema`: bundling, normal form, validation, bounds, digests, patterns.

mod bounds;
mod bundle;
mod cases;
mod corpus;
mod laws;
mod meta;
mod normal;
mod parse;
mod pattern;
mod suite;
mod validator;

use std::{fs, path::PathBuf};

use serde_json::{Map, Value};

/// The fixtures of this area.
fn data(folder: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("data/schema")
        .join(folder)
}

/// Runs `check` on each file of a folder and compares with what stands under `expect` in it.
///
/// `UPDATE_EXPECT=1` writes `expect` anew.
fn check_cases(folder: &str, check: impl Fn(&Map<String, Value>) -> Value) {
    let mut paths: Vec<PathBuf> = fs::read_dir(data(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no cases in `{folder}`");
    let mut failed = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let mut case: Map<String, Value> = serde_json::from_str(&text).unwrap();
        let expect = case.shift_remove("expect");
        let got = check(&case);
        if expect.as_ref() == Some(&got) {
            continue;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            case.insert("expect".to_owned(), got);
            write(
                &path,
                &format!("{}\n", serde_json::to_string_pretty(&case).unwrap()),
            );
        } else {
            let got = serde_json::to_string_pretty(&got).unwrap();
            failed.push(format!("{folder}/{name} gives\n{got}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[expect(
    clippy::disallowed_methods,
    reason = "expectations are written by the test that owns them, on demand"
)]
fn write(path: &std::path::Path, text: &str) {
    fs::write(path, text).unwrap();
}

/// A folder beside the repository. Absent: a failure under `CI=true`, else told as not run.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared")
        .join(path);
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "`{}` is missing",
        path.display()
    );
    println!("not run: `{}` is missing", path.display());
    None
}

/// The `.json` files directly in `folder`, sorted.
fn json_files(folder: &std::path::Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    paths.sort();
    paths
}

fn read(path: &std::path::Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Compares `got` with the text of a fixture; `UPDATE_EXPECT=1` writes it anew.
fn check_text(fixture: &str, got: &str) {
    let path = data(fixture);
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if expected == got {
        return;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        write(&path, got);
    } else {
        panic!("{fixture} is now\n{got}");
    }
}
