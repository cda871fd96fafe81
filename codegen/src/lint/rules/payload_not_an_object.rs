//! The payload of an event is an object.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "payload-not-an-object",
        about: "The payload schema of an event does not say that the payload is an object.",
        what: "The root of `payload_schema` has no `type = \"object\"`.",
        why: "A payload gains fields over time, and hosts add the tool's name to it. Only an \
              object can take them.",
        example: r#"
[payload_schema]
type = "string"
"#,
        instead: r#"
[payload_schema]
type = "object"
additionalProperties = false

[payload_schema.properties.path]
type = "string"
description = "The file."
"#,
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: false,
    check: |catalog, findings| {
        for event in &catalog.events {
            let root = event.manifest.payload_schema.get("type");
            if root.and_then(|t| t.as_str()) != Some("object") {
                findings.report(
                    event.at("/payload_schema/type"),
                    format!(
                        "the payload of `{}` is not declared to be an object",
                        event.manifest.name
                    ),
                    "write `type = \"object\"` at the root and make each fact a property",
                );
            }
        }
    },
};
