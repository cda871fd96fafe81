//! A tool emits only events that have a manifest.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, contradictions};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "undeclared-event",
        about: "A tool emits an event that no file declares.",
        what: "A name in `events` for which there is no manifest below `events/`.",
        why: "Hosts check payloads against the schema of the event. An event without one would \
              be dropped at run time, on every call.",
        example: r#"events = ["file.creatd"]"#,
        instead: r#"events = ["file.created"]  # manifests/events/file.created.toml"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        contradictions::report(
            catalog,
            findings,
            "declare it in a file below `manifests/events/`, or correct the name",
        );
    },
};
