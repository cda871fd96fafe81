//! A default that is never used.

use serde_json::Value;
use toolcontract_manifest::Level;

use crate::lint::{Page, Rule};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "default-on-required",
        about: "A required property has a default.",
        what: "A property with `default` that is in `required` of the same object.",
        why: "The property is always sent, so the default is never used, and a model that sees \
              it may leave the property out.",
        example: r#"
required = ["mode"]

[properties.mode]
type = "string"
default = "fast"
"#,
        instead: r#"
[properties.mode]
type = "string"
default = "fast"
"#,
    },
    authored: Some(Level::Warning),
    declared: None,
    allowable: true,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in site.parts.iter().filter(|p| p.keyword() == "properties") {
                let owner = part.parent.and_then(|index| site.parts.get(index));
                let required = owner.and_then(|o| o.get("required")?.as_array());
                let name = part.name();
                let is_required = |all: &Vec<Value>| all.iter().any(|n| *n == *name);
                if part.get("default").is_some() && required.is_some_and(is_required) {
                    findings.report(
                        site.key_at_schema(&format!("{}/default", part.pointer)),
                        format!("`{name}` is required, so its default is never used"),
                        "remove the default, or take the property out of `required`",
                    );
                }
            }
        }
    },
};
