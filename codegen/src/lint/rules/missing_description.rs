//! Every tool and event says what it is.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "missing-description",
        about: "A tool or an event has no description.",
        what: "`description` is empty or blank.",
        why: "The description is all that a model knows when it chooses between tools.",
        example: r#"
name = "grep"
description = ""
"#,
        instead: r#"
name = "grep"
description = "Search files with a regular expression. Returns matching lines, at most 200."
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            if tool.manifest.description.trim().is_empty() {
                findings.report(
                    tool.at("/description"),
                    format!("the tool `{}` has no description", tool.manifest.name),
                    "say what it does, when to use it and what it returns",
                );
            }
        }
        for event in &catalog.events {
            if event.manifest.description.trim().is_empty() {
                findings.report(
                    event.at("/description"),
                    format!("the event `{}` has no description", event.manifest.name),
                    "say when it is emitted and what it tells",
                );
            }
        }
    },
};
