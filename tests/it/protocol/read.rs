//! `read/<Type>/<case>.json`: text of peers and of other versions, and what it becomes or why it
//! is refused. `UPDATE_EXPECT=1` rewrites the expectation.

use serde_json::{Map, Value, json};

use super::{TYPES, samples};

#[test]
fn other_forms_read_as_the_safe_end_or_are_refused() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut failures = Vec::new();
    for (kind, path, text) in samples("read") {
        let (_, rewrite) = TYPES
            .iter()
            .find(|(name, _)| *name == kind)
            .unwrap_or_else(|| panic!("{}: no type `{kind}`", path.display()));
        let case: Map<String, Value> = serde_json::from_str(&text).expect("a case is JSON");
        let mut expected = Map::new();
        for key in ["about", "given"] {
            expected.insert(key.to_owned(), case[key].clone());
        }
        match rewrite(&case["given"].to_string()) {
            Ok(written) => {
                let becomes = serde_json::from_str(&written).expect("what is written is JSON");
                expected.insert("becomes".to_owned(), becomes);
            }
            Err(error) => {
                let reason = error.split(" at line ").next().unwrap_or_default();
                expected.insert("refused".to_owned(), json!(reason));
            }
        }
        let expected = serde_json::to_string_pretty(&expected).expect("printable") + "\n";
        if expected != text {
            if update {
                tests_write(&path, &expected);
            } else {
                failures.push(format!("{}: now\n{expected}", path.display()));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{}\nrun with UPDATE_EXPECT=1 if that is meant",
        failures.join("\n")
    );
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test rewrites its own expectations"
)]
fn tests_write(path: &std::path::Path, text: &str) {
    std::fs::write(path, text).expect("the expectation is writable");
}
