//! What is required is declared.

use serde_json::Value;
use toolcontract_manifest::{Level, nearest};
use toolcontract_schema::pointer::join;

use crate::lint::{
    Page, Rule,
    catalog::Catalog,
    findings::{Findings, meant},
    site::{Part, Site},
    spot::Spot,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "undeclared-required-property",
        about: "A required property is not declared.",
        what: "A name in `required` or `dependentRequired` that no `properties` of the same value \
               declares.",
        why: "It is a misspelling, or an argument that a model must send without knowing its \
              type. In a closed object nothing could ever be sent.",
        example: r#"
[input_schema]
type = "object"
additionalProperties = false
required = ["pth"]

[input_schema.properties.path]
type = "string"
"#,
        instead: r#"
[input_schema]
type = "object"
additionalProperties = false
required = ["path"]

[input_schema.properties.path]
type = "string"
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: true,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in &site.parts {
                for (pointer, name) in demanded(part) {
                    judge(catalog, site, part, &pointer, name, findings);
                }
            }
        }
    },
};

/// Every property that a schema speaks of without declaring it, with its place.
fn demanded<'a>(part: &Part<'a>) -> Vec<(String, &'a str)> {
    let list = |pointer: &str, names: Option<&'a Value>| {
        let names = names.and_then(Value::as_array).into_iter().flatten();
        names
            .enumerate()
            .filter_map(|(index, name)| Some((format!("{pointer}/{index}"), name.as_str()?)))
            .collect::<Vec<_>>()
    };
    let mut demanded = list(
        &format!("{}/required", part.pointer),
        part.schema.get("required"),
    );
    let dependent = part.schema.get("dependentRequired");
    for (key, names) in dependent.and_then(Value::as_object).into_iter().flatten() {
        let pointer = join(&format!("{}/dependentRequired", part.pointer), key);
        demanded.push((pointer.clone(), key));
        demanded.extend(list(&pointer, Some(names)));
    }
    demanded
}

fn judge(
    catalog: &Catalog<'_>,
    site: &Site<'_>,
    part: &Part<'_>,
    pointer: &str,
    name: &str,
    findings: &mut Findings,
) {
    let spot = |part: &Part<'_>| Spot::new(catalog.shared(), site.root, part.schema).declares(name);
    if spot(part) || site.in_place_ancestors(part).any(spot) {
        return;
    }
    let around = std::iter::once(part).chain(site.in_place_ancestors(part));
    let known = around
        .filter_map(|part| part.schema.get("properties")?.as_object())
        .flat_map(|properties| properties.keys())
        .map(String::as_str);
    findings.report(
        site.at_schema(pointer),
        format!("the property `{}` is not declared", name.escape_debug()),
        meant(nearest(name, known), "declare it under `properties`"),
    );
}
