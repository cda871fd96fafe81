//! An enum says the type of its values.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, site::Stance};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "enum-without-type",
        about: "An enum does not say the type of its values.",
        what: "A schema with `enum` and without `type`, where it is not a condition.",
        why: "Providers refuse an enum without a type or take every value for text, and an \
              enum of mixed types is mostly a slip.",
        example: r#"
[input_schema.properties.mode]
enum = ["fast", "exact"]
"#,
        instead: r#"
[input_schema.properties.mode]
type = "string"
enum = ["fast", "exact"]
"#,
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: true,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in &site.parts {
                let typed = |part: &crate::lint::site::Part<'_>| part.get("type").is_some();
                if part.get("enum").is_some()
                    && part.stance != Stance::Condition
                    && !typed(part)
                    && !site.in_place_ancestors(part).any(typed)
                {
                    findings.report(
                        site.key_at_schema(&format!("{}/enum", part.pointer)),
                        "the enum has no `type`",
                        "add the `type` of its values",
                    );
                }
            }
        }
    },
};
