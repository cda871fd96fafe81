//! `ui/<fact>.rs` must not compile, for the reason that its first line names: `//~ E0451`. What
//! says `//~ ok` must, so that a fault of the test itself shows. Codes are compared, not prose.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

#[test]
fn what_must_not_compile_does_not() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ui");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of programs")
        .map(|file| file.expect("an entry").path())
        .collect();
    files.sort();
    let (controls, wrong): (Vec<_>, Vec<_>) = files
        .into_iter()
        .partition(|path| expected(path).is_empty());
    assert!(
        controls.len() == 1 && wrong.len() >= 8,
        "{controls:?} {wrong:?}"
    );
    // Several builds of the runtime may lie there; take the one that the control compiles with.
    let runtime = runtimes()
        .into_iter()
        .find(|runtime| codes(&controls[0], runtime).is_empty())
        .expect("a build of the runtime that the control compiles with");
    for path in wrong {
        assert_eq!(
            codes(&path, &runtime),
            expected(&path),
            "{}",
            path.display()
        );
    }
}

/// The codes that the first line of a program names.
fn expected(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a program");
    let first = text.lines().next().unwrap_or_default();
    let codes = first
        .strip_prefix("//~ ")
        .expect("a program begins with `//~ `");
    match codes {
        "ok" => Vec::new(),
        codes => codes.split(' ').map(str::to_owned).collect(),
    }
}

/// Builds of the runtime beside this test, the newest first.
fn runtimes() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(deps())
        .expect("the folder of this test")
        .map(|file| file.expect("an entry").path())
        .filter(|path| {
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            name.starts_with("libtoolcontract_runtime-") && name.ends_with(".rlib")
        })
        .collect();
    found.sort_by_key(|path| path.metadata().and_then(|meta| meta.modified()).ok());
    found.reverse();
    found
}

fn deps() -> PathBuf {
    let this = std::env::current_exe().expect("this test");
    this.parent().expect("its folder").to_owned()
}

/// The codes of the errors of a program, in order, each once.
fn codes(path: &Path, runtime: &Path) -> Vec<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let out = tempfile::tempdir().expect("a folder");
    let mut library = std::ffi::OsString::from("toolcontract_runtime=");
    library.push(runtime);
    let run = Command::new(rustc)
        .args([
            "--edition",
            "2024",
            "--crate-type",
            "lib",
            "--emit",
            "metadata",
        ])
        .args([
            "--error-format",
            "json",
            "--cap-lints",
            "allow",
            "--crate-name",
            "program",
        ])
        .arg("--extern")
        .arg(library)
        .arg("-L")
        .arg(deps())
        .arg("--out-dir")
        .arg(out.path())
        .arg(path)
        .output()
        .expect("rustc");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    let mut codes: Vec<String> = said
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["level"] == "error")
        .filter_map(|message| Some(message["code"]["code"].as_str()?.to_owned()))
        .collect();
    codes.sort();
    codes.dedup();
    if codes.is_empty() && !run.status.success() {
        codes.push(format!("no code: {said}"));
    }
    codes
}
