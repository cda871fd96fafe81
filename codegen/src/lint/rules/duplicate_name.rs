//! One name, one file.

use std::{collections::BTreeMap, sync::Arc};

use toolcontract_manifest::{Document, Level};

use crate::lint::{
    Page, Rule,
    findings::{Findings, Located},
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "duplicate-name",
        about: "Two tools, or two events, have one name.",
        what: "A `name` that another file of the same kind has already.",
        why: "A call, an event and a policy find a contract by its name alone. The second would \
              replace the first in silence.",
        example: "# manifests/tools/grep.toml\nname = \"grep\"\n\n# manifests/tools/search.toml\nname = \"grep\"",
        instead: "# manifests/tools/grep.toml\nname = \"grep\"\n\n# manifests/tools/search.toml\nname = \"search_text\"",
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        let tools = catalog.tools.iter().map(|t| (t.manifest.name.as_str(), t));
        twice("tool", tools, findings);
        let events = catalog.events.iter();
        let events = events.map(|e| (e.manifest.name.as_str(), e));
        twice("event", events, findings);
    },
};

fn twice<'a, T: Located + 'a>(
    kind: &str,
    named: impl Iterator<Item = (&'a str, &'a T)>,
    findings: &mut Findings,
) {
    let mut first: BTreeMap<&str, &Arc<Document>> = BTreeMap::new();
    for (name, thing) in named {
        if let Some(other) = first.get(name) {
            findings.report(
                thing.at("/name"),
                format!(
                    "the {kind} `{name}` is declared in `{}` already",
                    other.path
                ),
                "rename one of the two, or remove it",
            );
        } else {
            first.insert(name, thing.document());
        }
    }
}
