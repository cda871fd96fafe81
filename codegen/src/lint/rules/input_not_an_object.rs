//! The input is an object.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, contradictions};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "input-not-an-object",
        about: "The input schema does not say that the input is an object.",
        what: "The root of `input_schema` has no `type = \"object\"`.",
        why: "Arguments of a tool are named. MCP and every model provider refuse a tool whose \
              input is anything else.",
        example: r#"
[input_schema]
type = "array"
items = { type = "string" }
"#,
        instead: r#"
[input_schema]
type = "object"
additionalProperties = false

[input_schema.properties.paths]
type = "array"
items = { type = "string" }
description = "Files to read."
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        contradictions::report(
            catalog,
            findings,
            "write `type = \"object\"` at the root and make each argument a property",
        );
    },
};
