//! Model providers' limits on the names of properties.

use toolcontract_manifest::{Level, names};

use crate::lint::{Page, Rule, dialects, site::Use};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "property-refused-by-provider",
        about: "A model provider does not take the name of a property.",
        what: "The names of properties of inputs and shared types against the limits of each \
               provider whose dialect `[surfaces.advertised]` asks for.",
        why: "The provider answers the whole request with an error: no tool can be used in that \
              turn, not only this one.",
        example: r#"
[input_schema.properties."If-Match"]  # Gemini
type = "string"
"#,
        instead: r#"
[input_schema.properties.if_match]
type = "string"
"#,
    },
    authored: Some(Level::Warning),
    declared: Some(Level::Warning),
    allowable: true,
    check: |catalog, findings| {
        for site in catalog.sites() {
            if !matches!(site.purpose, Use::Input | Use::Shared) {
                continue;
            }
            for part in site.parts.iter().filter(|p| p.keyword() == "properties") {
                let name = part.name();
                let refused = |d| names::property_refused_by_provider(d, &name);
                if let Some(refusal) = dialects::refusal(catalog, refused) {
                    findings.report(
                        site.key_at_schema(&part.pointer),
                        format!(
                            "a provider refuses the property `{}`: {refusal}",
                            name.escape_debug()
                        ),
                        "rename the property, or leave the dialect out of `[surfaces.advertised]`",
                    );
                }
            }
        }
    },
};
