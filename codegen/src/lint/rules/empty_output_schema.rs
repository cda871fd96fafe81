//! An output that promises nothing.

use serde_json::Value;
use toolcontract_manifest::Level;
use toolcontract_schema::vocabulary::{Dialect, Role, keyword};

use crate::lint::{Page, Rule, site::Use, spot::Spot};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "empty-output-schema",
        about: "An output schema promises nothing.",
        what: "An `output_schema` that takes every value, such as `{}`.",
        why: "With an output schema a tool must return data, and hosts rely on its shape. \
              Without one it returns text. A schema that takes everything promises the first and \
              says nothing.",
        example: r#"
[output_schema]
description = "The result."
"#,
        instead: r#"
[output_schema]
type = "object"
additionalProperties = false
required = ["path"]

[output_schema.properties.path]
type = "string"
description = "The file that was written."
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: true,
    check: |catalog, findings| {
        for site in catalog.sites().iter().filter(|s| s.purpose == Use::Output) {
            if promises_nothing(Spot::new(catalog.shared(), site.root, site.root)) {
                findings.report(
                    site.key_at_schema(""),
                    "the output schema takes every value",
                    "say what the data is, or remove it: without one the tool returns text",
                );
            }
        }
    },
};

fn promises_nothing(spot: Spot<'_>) -> bool {
    match spot.schema {
        Value::Object(keywords) => {
            let asserts = |name: &String| {
                name != "$ref"
                    && keyword(name, Dialect::Draft202012).is_some_and(|k| {
                        matches!(k.role, Role::Applicator | Role::Assertion)
                            || matches!(k.name, "$dynamicRef")
                    })
            };
            !keywords.keys().any(asserts)
                && match spot.target() {
                    Some(target) => promises_nothing(target),
                    None => !keywords.contains_key("$ref"),
                }
        }
        other => *other == Value::Bool(true),
    }
}
