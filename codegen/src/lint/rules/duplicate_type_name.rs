//! One type name, one thing.

use std::collections::BTreeMap;

use toolcontract_manifest::Level;

use crate::lint::{
    Page, Rule,
    findings::{Findings, Located},
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "duplicate-type-name",
        about: "Two shared types, two tools or two events get one type name.",
        what: "Two files of a kind whose names are equal in Pascal case: `types/page_info.toml` \
               and `types/page-info.json` are both `PageInfo`.",
        why: "The type is named after the file in every language. The second would have to be \
              called something that nobody chose.",
        example: "# manifests/types/page_info.toml and manifests/types/page-info.json",
        instead: "# manifests/types/page_info.toml and manifests/types/cursor_info.json",
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        let types = catalog.types.iter();
        twice(
            "type",
            types.map(|t| (&t.type_name, &t.reference, t)),
            findings,
        );
        let tools = catalog.tools.iter();
        twice(
            "tool",
            tools.map(|t| (&t.names.pascal, &t.manifest.name, t)),
            findings,
        );
        let events = catalog.events.iter();
        twice(
            "event",
            events.map(|e| (&e.names.pascal, &e.manifest.name, e)),
            findings,
        );
    },
};

fn twice<'a, T: Located + 'a>(
    kind: &str,
    named: impl Iterator<Item = (&'a String, &'a String, &'a T)>,
    findings: &mut Findings,
) {
    let mut first: BTreeMap<String, &str> = BTreeMap::new();
    for (pascal, name, thing) in named {
        let other = *first.entry(pascal.to_lowercase()).or_insert(name);
        // Names that differ only in case are `case-fold-collision`.
        if !other.eq_ignore_ascii_case(name) {
            findings.report(
                thing.file(),
                format!("the {kind} `{name}` becomes the type `{pascal}`, as `{other}` does"),
                "rename one of the two",
            );
        }
    }
}
