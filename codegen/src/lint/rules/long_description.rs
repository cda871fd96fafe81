//! Descriptions that a provider cuts or refuses.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _};

/// What OpenAI takes as the description of a function, in characters.
const LONGEST: usize = 1024;

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "long-description",
        about: "A tool's description is longer than a model provider takes.",
        what: "`description` has more than 1024 characters.",
        why: "OpenAI refuses a longer one, and every word of it is paid for in every turn. What \
              concerns one argument belongs into the description of that argument.",
        example: r#"description = "Search files. (... two pages about each argument ...)""#,
        instead: r#"description = "Search files with a regular expression. Returns matching lines, at most 200.""#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: true,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            let length = tool.manifest.description.chars().count();
            if length > LONGEST {
                findings.report(
                    tool.at("/description"),
                    format!("the description has {length} characters, more than {LONGEST}"),
                    "move what concerns one argument into that argument's description",
                );
            }
        }
    },
};
