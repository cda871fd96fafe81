//! Shared types that nothing refers to.

use std::collections::BTreeSet;

use serde_json::Value;
use toolcontract_manifest::Level;

use crate::lint::{
    Page, Rule,
    catalog::{Catalog, split_reference},
    findings::Located as _,
    site::{Site, Use},
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "unused-type",
        about: "No tool and no event uses a shared type.",
        what: "A file below `types/` that no `$ref` of a tool or an event leads to, also not \
               through other shared types.",
        why: "Types and docs are made for something that nobody sends.",
        example: r#"
# manifests/types/cursor.toml, and nothing refers to it
type = "string"
"#,
        instead: r#"
[input_schema.properties.cursor]
"$ref" = "types/cursor.toml"
"#,
    },
    authored: Some(Level::Warning),
    declared: None,
    allowable: false,
    check: |catalog, findings| {
        let used = used(catalog);
        let shared = |site: &&Site<'_>| site.purpose == Use::Shared;
        for site in catalog.sites().iter().filter(shared) {
            let path = site.document().path.as_str();
            if !used.iter().any(|used| path.ends_with(&format!("/{used}"))) {
                findings.report(
                    site.file(),
                    format!("nothing refers to `{path}`"),
                    "refer to it with `$ref`, or remove the file",
                );
            }
        }
    },
};

/// The files that tools and events lead to.
fn used<'a>(catalog: &'a Catalog<'_>) -> BTreeSet<&'a str> {
    let mut used = BTreeSet::new();
    let from = |site: &&'a Site<'a>| site.purpose != Use::Shared;
    let mut open: Vec<&Site<'_>> = catalog.sites().iter().filter(from).collect();
    while let Some(site) = open.pop() {
        let references = site.parts.iter().filter_map(|p| p.schema.get("$ref"));
        for reference in references.filter_map(Value::as_str) {
            let (path, _) = split_reference(reference);
            if !path.is_empty() && used.insert(path) {
                let named = |other: &&Site<'_>| {
                    other.purpose == Use::Shared
                        && other.document().path.ends_with(&format!("/{path}"))
                };
                open.extend(catalog.sites().iter().filter(named));
            }
        }
    }
    used
}
