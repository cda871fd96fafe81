//! The form of an event's name.

use toolcontract_manifest::{Level, names};

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "malformed-event-name",
        about: "An event's name is not made of lower-case words with dots.",
        what: "The `name` of an event is not two or more words of `[a-z][a-z0-9_]*` with dots between.",
        why: "Hosts subscribe by namespace (`file.*`), so a name needs one, spelled one way.",
        example: r#"name = "fileCreated""#,
        instead: r#"name = "file.created""#,
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: false,
    check: |catalog, findings| {
        for event in &catalog.events {
            let name = &event.manifest.name;
            if !names::is_event(name) {
                findings.report(
                    event.at("/name"),
                    format!("`{}` is no name of an event", name.escape_debug()),
                    "name the thing and what happened to it, such as `file.created`",
                );
            }
        }
    },
};
