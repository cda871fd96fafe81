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
        example: "[input_schema]\ntype = \"array\"\nitems = { type = \"string\" }",
        instead: "[input_schema]\ntype = \"object\"\nadditionalProperties = false\n\n\
                  [input_schema.properties.paths]\ntype = \"array\"\nitems = { type = \"string\" }\n\
                  description = \"Files to read.\"",
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
