//! Every property says what it is.

use serde_json::Value;
use toolcontract_manifest::Level;

use crate::lint::{
    Page, Rule,
    site::{Part, Site, Stance},
    spot::Spot,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "undescribed-property",
        about: "A property has no description.",
        what: "A property of an input, an output, a payload or a shared type has no \
               `description`, neither beside it nor in the type that its `$ref` names. A branch of \
               `allOf`, `anyOf` or `oneOf` need not repeat it, a condition never.",
        why: "A model fills in an argument by its description. Without one it guesses from the name.",
        example: r#"
[input_schema.properties.path]
type = "string"
"#,
        instead: r#"
[input_schema.properties.path]
type = "string"
description = "File to read, relative to the workspace root."
"#,
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: true,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in &site.parts {
                let spot = Spot::new(catalog.shared(), site.root, part.schema);
                if declares_property(site, part) && !spot.is_described() {
                    findings.report(
                        site.key_at_schema(&part.pointer),
                        format!("the property `{}` has no description", part.name()),
                        "add a `description`: what it is, its unit, what happens without it",
                    );
                }
            }
        }
    },
};

/// Whether `part` is a property that is not declared further out, and not only compared.
fn declares_property(site: &Site<'_>, part: &Part<'_>) -> bool {
    if part.keyword() != "properties" || part.schema.is_boolean() {
        return false;
    }
    match part.stance {
        Stance::Declares => true,
        Stance::Condition => false,
        Stance::Branch => {
            let owner = part.parent.and_then(|index| site.parts.get(index));
            let outer = owner.into_iter().flat_map(|o| site.in_place_ancestors(o));
            let name = part.name();
            let mut outer = outer.filter_map(|above| above.get("properties"));
            !is_tag(part) && !outer.any(|all| all.get(name.as_ref()).is_some())
        }
    }
}

/// Whether the property can have one value only, which tells the branches apart.
fn is_tag(part: &Part<'_>) -> bool {
    let single = |values: &Value| values.as_array().is_some_and(|values| values.len() == 1);
    part.get("const").is_some() || part.get("enum").is_some_and(single)
}
