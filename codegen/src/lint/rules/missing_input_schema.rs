//! Every tool says what it takes.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "missing-input-schema",
        about: "A tool does not say what it takes.",
        what: "A tool that is no script (`command`) has no `input_schema`.",
        why: "A tool without arguments says so with a closed, empty object. Nothing said could \
              mean that, or that it was forgotten.",
        example: "name = \"list_labels\"\nrisk = \"low\"",
        instead: "name = \"list_labels\"\nrisk = \"low\"\n\n[input_schema]\ntype = \"object\"\nadditionalProperties = false",
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            if tool.manifest.input_schema.is_none() && tool.manifest.command.is_none() {
                findings.report(
                    tool.at("/name"),
                    format!("the tool `{}` has no `input_schema`", tool.manifest.name),
                    "write `[input_schema]` with `type = \"object\"` and `additionalProperties = false`",
                );
            }
        }
    },
};
