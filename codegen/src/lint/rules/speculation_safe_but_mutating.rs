//! `speculation_safe` needs `read_only`.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, contradictions};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "speculation-safe-but-mutating",
        about: "A tool may be run ahead of its step although it is not read-only.",
        what: "`speculation_safe = true` without `read_only = true`.",
        why: "A speculative call runs before anybody decided that it should, and may run twice or \
              be thrown away. Only a call that changes nothing can be thrown away.",
        example: "

read_only = false
speculation_safe = true

",
        instead: "

read_only = true
speculation_safe = true

",
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        contradictions::report(
            catalog,
            findings,
            "set `read_only = true` if a call changes nothing, otherwise remove `speculation_safe`",
        );
    },
};
