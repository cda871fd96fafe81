//! Journals are regular files, on every command that takes one: what keeps nothing, or waits for
//! somebody, is refused with what it is and what to do.

use std::{
    os::unix::{fs::symlink, net::UnixListener},
    path::Path,
    sync::Arc,
};

use serde_json::json;
use toolcontract_runtime::{
    clock::{Clock, SystemClock},
    journal::{FileJournal, JournalError, open},
    regular::NotRegularError,
};
use toolgate::cli::Exit;

use super::{
    lab::{Lab, make},
    program::toolgate,
};

/// A call that leaves a file behind, with the journal `path`.
fn call(lab: &Lab, path: &Path) -> (Exit, String, String) {
    let root = lab.path("");
    let (root, journal) = (root.to_str().unwrap(), path.to_str().unwrap());
    let input = json!({ "path": "ran", "content": "x" }).to_string();
    let call = ["call", "write_file", "--no-authz", "--input", &input];
    let place = ["--root", root, "--script-tools", ".none"];
    toolgate(&[&call[..], &place, &["--journal", journal]].concat())
}

fn read(verb: &str, path: &Path) -> (Exit, String, String) {
    toolgate(&["journal", verb, path.to_str().unwrap()])
}

#[test]
fn what_is_no_regular_file_is_no_journal() {
    let lab = Lab::new();
    make(&lab, &json!({ "path": "fifo", "fifo": true }));
    make(&lab, &json!({ "path": "folder", "folder": true }));
    let _listener = UnixListener::bind(lab.path("socket")).unwrap();
    symlink("/dev/null", lab.path("null")).unwrap();
    symlink("fifo", lab.path("to_fifo")).unwrap();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
    for (name, what, told) in [
        ("fifo", NotRegularError::Fifo, "it is a FIFO"),
        ("to_fifo", NotRegularError::Fifo, "it is a FIFO"),
        ("folder", NotRegularError::Folder, "it is a folder"),
        ("socket", NotRegularError::Socket, "it is a socket"),
        ("null", NotRegularError::Device, "it is a device"),
    ] {
        let path = lab.path(name);
        let is_refused = |error: JournalError| matches!(error, JournalError::NotAFile { path: at, what: is } if at == path && is == what);
        assert!(is_refused(open(&path).unwrap_err()), "{name}");
        let opened = FileJournal::open(&path, &clock);
        assert!(is_refused(opened.unwrap_err()), "{name}");
        for (verb, (exit, out, err)) in [
            ("verify", read("verify", &path)),
            ("show", read("show", &path)),
            ("call", call(&lab, &path)),
        ] {
            assert_eq!(exit, Exit::Failed, "{name} {verb}: {out}");
            assert!(err.contains(told), "{name} {verb}: {err}");
            assert!(err.contains("name a regular file"), "{name} {verb}: {err}");
        }
        assert!(!lab.path("ran").exists(), "{name}: a call that is not kept");
    }
    // Control: a file that is not there yet, and a link to one that is.
    symlink("kept.jsonl", lab.path("link")).unwrap();
    for (name, entries) in [("kept.jsonl", "2 entries"), ("link", "4 entries")] {
        let (exit, _, err) = call(&lab, &lab.path(name));
        assert_eq!(exit, Exit::Clean, "{name}: {err}");
        assert!(lab.path("ran").exists());
        let (exit, out, err) = read("verify", &lab.path(name));
        assert_eq!(exit, Exit::Clean, "{name}: {err}");
        assert!(out.contains(entries), "{name}: {out}");
        let (_, out, _) = read("show", &lab.path(name));
        assert!(out.contains("write_file"), "{out}");
    }
    let (exit, _, err) = read("verify", &lab.path("none"));
    assert_eq!(exit, Exit::Failed);
    assert!(err.contains("none` cannot be opened"), "{err}");
}
