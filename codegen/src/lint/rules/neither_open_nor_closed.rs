//! Every object says what happens to properties that it does not name.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, site::Stance, spot::Spot};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "neither-open-nor-closed",
        about: "An object type does not say whether it takes unknown properties.",
        what: "A schema with `type = \"object\"` and neither `additionalProperties` nor \
               `unevaluatedProperties`, also not in what it refers to or is composed of.",
        why: "JSON Schema takes unknown properties where nothing is said, providers and code \
              generators often do not. Said aloud, every surface does the same: an open object \
              keeps them, a closed one refuses them.",
        example: r#"
[input_schema]
type = "object"
"#,
        instead: r#"
[input_schema]
type = "object"
additionalProperties = false
"#,
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: true,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in &site.parts {
                if !part.has_type("object") || part.stance == Stance::Condition {
                    continue;
                }
                let mut outer = site.in_place_ancestors(part);
                let says =
                    |schema| Spot::new(catalog.shared(), site.root, schema).says_open_or_closed();
                if !says(part.schema) && !outer.any(|above| says(above.schema)) {
                    findings.report(
                        site.at_schema(&format!("{}/type", part.pointer)),
                        "the object says neither that it is open nor that it is closed",
                        "add `additionalProperties = false`, or `true` where unknown properties are welcome",
                    );
                }
            }
        }
    },
};
