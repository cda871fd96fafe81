//! `read/<Type>/<case>.json`: text of peers and of other versions, and what it becomes or why it
//! is refused.

use serde_json::{Map, Value, json};

use super::{TYPES, samples};
use crate::expect::Expect;

#[test]
fn other_forms_read_as_the_safe_end_or_are_refused() {
    let mut expect = Expect::default();
    for (kind, path, text) in samples("read") {
        let Some((_, rewrite)) = TYPES.iter().find(|(name, _)| *name == kind) else {
            expect.fail(format_args!("{}: no type `{kind}`", path.display()));
            continue;
        };
        let case: Map<String, Value> = serde_json::from_str(&text).expect("a case is JSON");
        let mut now = Map::new();
        for key in ["about", "given"] {
            now.insert(key.to_owned(), case[key].clone());
        }
        match rewrite(&case["given"].to_string()) {
            Ok(written) => {
                let becomes = serde_json::from_str(&written).expect("what is written is JSON");
                now.insert("becomes".to_owned(), becomes);
            }
            Err(error) => {
                let reason = error.split(" at line ").next().unwrap_or_default();
                now.insert("refused".to_owned(), json!(reason));
            }
        }
        let now = serde_json::to_string_pretty(&now).expect("printable") + "\n";
        expect.file(&path, &now);
    }
    expect.finish();
}
