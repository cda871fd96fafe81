//! Events that no tool emits.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "unused-event",
        about: "No tool declares an event.",
        what: "An event that is in the `events` of no tool.",
        why: "Types and docs are made for something that never happens.",
        example: r#"
# manifests/events/file.renamed.toml, and no tool lists it
name = "file.renamed"
"#,
        instead: r#"
# manifests/tools/move_file.toml
events = ["file.renamed"]
"#,
    },
    authored: Some(Level::Warning),
    declared: None,
    allowable: false,
    check: |catalog, findings| {
        for event in &catalog.events {
            let name = &event.manifest.name;
            if !catalog
                .tools
                .iter()
                .any(|t| t.manifest.events.contains(name))
            {
                findings.report(
                    event.at("/name"),
                    format!("no tool emits `{name}`"),
                    "add it to the `events` of the tool that emits it, or remove the file",
                );
            }
        }
    },
};
