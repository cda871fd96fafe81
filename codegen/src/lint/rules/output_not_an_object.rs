//! The data of a success is an object.

use serde_json::Value;
use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, site::Use};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "output-not-an-object",
        about: "The output schema does not say that the output is an object.",
        what: "The root of `output_schema` has no `type = \"object\"`.",
        why: "A result gains fields over time, which only an object can take. MCP up to revision \
              2025-11-25 knows no other structured content.",
        example: r#"
[output_schema]
type = "array"
items = { type = "string" }
"#,
        instead: r#"
[output_schema]
type = "object"
additionalProperties = false
required = ["paths"]

[output_schema.properties.paths]
type = "array"
items = { type = "string" }
description = "The files that match."
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for site in catalog.sites().iter().filter(|s| s.purpose == Use::Output) {
            if site.root.get("type").and_then(Value::as_str) != Some("object") {
                findings.report(
                    site.at_schema("/type"),
                    "the output schema does not have `type: object` at its root",
                    "write `type = \"object\"` at the root and make each result a property",
                );
            }
        }
    },
};
