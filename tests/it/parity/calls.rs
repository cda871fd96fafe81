//! The same calls everywhere.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::surfaces::{Case, Seen};

fn cases() -> Vec<Case> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/parity/calls.json");
    let text = std::fs::read_to_string(path).expect("the calls");
    serde_json::from_str(&text).expect("each is a call")
}

#[tokio::test]
async fn every_surface_decides_alike() {
    let cases = cases();
    assert!(cases.len() >= 30, "only {} calls", cases.len());
    let mut differ = Vec::new();
    for case in &cases {
        let here = case.in_process().await;
        let is = told(&here);
        if is != case.must {
            differ.push(format!("{}: must be {}, is {is}", case.about, case.must));
        }
        for (surface, there) in [
            ("serve", case.over_serve().await),
            ("mcp", case.over_mcp().await),
        ] {
            if there != here {
                differ.push(format!("{}: {surface}\n{there:#?}\n{here:#?}", case.about));
            }
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

/// What was decided, and why.
fn told(seen: &Seen) -> Value {
    let [intent, outcome] = seen.journal.as_slice() else {
        panic!("an intent and an outcome: {:#?}", seen.journal);
    };
    let mut told = json!({});
    if let Some(error) = seen.output.get("error") {
        told["class"] = error["class"].clone();
        told["code"] = error.get("code").cloned().unwrap_or(Value::Null);
    }
    told["ran"] = outcome["ran"].clone();
    told["decided_by"] = intent["trace"]["decidedBy"]["rule"].clone();
    told
}

#[tokio::test]
async fn a_surface_that_decided_otherwise_would_be_noticed() {
    let cases = cases();
    let find = |about: &str| cases.iter().find(|case| case.about == about).unwrap();
    let allowed = find("nobody is against it").in_process().await;
    assert_ne!(allowed, find("a gate denies").over_serve().await);
    assert_ne!(allowed, find("a gate denies").over_mcp().await);
    // The rule that decided is compared, too.
    let one = find("a gate asks and a person says no").in_process().await;
    let other = find("the contract asks and a person says no");
    assert_eq!(one.output, other.in_process().await.output);
    assert_ne!(one, other.over_serve().await);
}
