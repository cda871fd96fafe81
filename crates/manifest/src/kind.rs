//! Which keys a tool must state, and which say nothing, by its kind: built-in, script
//! (`command` is there) or imported (`origin` is there). One struct reads all three, so the
//! struct cannot say it.

use std::sync::Arc;

use crate::{diagnostic::Diagnostic, document::Document, fault, shape};

/// What a built-in tool must state and the others may leave out.
pub(crate) const BUILT_IN: &[&str] = &["group", "risk", "input_schema"];

/// What only a script tool states.
pub(crate) const BESIDE_COMMAND: &[&str] = &["timeout_ms", "env", "foundry"];

/// What only an imported tool states.
pub(crate) const BESIDE_ORIGIN: &[&str] = &["wire_name", "claims"];

/// Reports what is missing and what is out of place in the manifest of a tool.
pub(crate) fn check(document: &Arc<Document>, findings: &mut Vec<Diagnostic>) {
    let root = &document.root;
    let has = |key: &str| root.member(key).is_some();
    if !has("command") && !has("origin") {
        for key in BUILT_IN.iter().filter(|key| !has(key)) {
            let about = shape::TOOL.about(key);
            findings.push(fault::missing_key(
                document,
                shape::start_of(root),
                key,
                about,
            ));
        }
    }
    for (keys, beside) in [(BESIDE_COMMAND, "command"), (BESIDE_ORIGIN, "origin")] {
        if has(beside) {
            continue;
        }
        for member in keys.iter().filter_map(|key| root.member(key)) {
            findings.push(fault::misplaced_key(
                document,
                member.key_span.clone(),
                &member.key,
                beside,
            ));
        }
    }
}
