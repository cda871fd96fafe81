//! Text that `new` wrote and that nobody replaced.

use toolcontract_manifest::Level;

use crate::lint::{
    Page, Rule,
    findings::{Findings, Located as _, Place},
};

/// What `new` writes as the description of a tool.
pub(in crate::lint) const OF_TOOL: &str =
    "Say here what the tool does, when to use it, and what it returns.";

/// What `new` writes as the description of a property.
pub(in crate::lint) const OF_PROPERTY: &str = "Say here what the caller should put in.";

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "placeholder-text",
        about: "A description is still the one that `new` wrote.",
        what: "The description of a tool, or one in a schema, is the text that `new` puts there to be replaced.",
        why: "A model would read it and know nothing of the tool. The rest of what `new` writes is a careful \
              choice that may stay; these words are not.",
        example: r#"description = "Say here what the tool does, when to use it, and what it returns.""#,
        instead: r#"description = "Read one page of a book. Use it after `find_book`. Returns the text of the page.""#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            let text = &tool.manifest.description;
            judge(text, || tool.at("/description"), findings);
        }
        for site in catalog.sites() {
            for part in &site.parts {
                if let Some(text) = part.get("description").and_then(|text| text.as_str()) {
                    let place = || site.at_schema(&format!("{}/description", part.pointer));
                    judge(text, place, findings);
                }
            }
        }
    },
};

fn judge(text: &str, place: impl Fn() -> Place, findings: &mut Findings) {
    let help = match text.trim() {
        OF_TOOL => "say what the tool does, when to use it and what it returns",
        OF_PROPERTY => "say what the caller should put in, its form and its unit",
        _ => return,
    };
    findings.report(place(), "this text is the one that `new` wrote", help);
}
