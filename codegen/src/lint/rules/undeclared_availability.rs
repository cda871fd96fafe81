//! Availability tokens are declared once.

use toolcontract_manifest::{Level, nearest};

use crate::lint::{
    Page, Rule,
    findings::{Located as _, meant},
};

/// What every project has.
const ALWAYS: &str = "always";

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "undeclared-availability",
        about: "A tool names an availability that the project does not declare.",
        what: "`availability` is neither `always` nor a key of `[availability]` in `toolcontract.toml`.",
        why: "Engines offer a tool when its token holds. A token that nobody knows never holds, \
              and the tool would be missing without a word.",
        example: r#"availability = "requires-serach-key""#,
        instead: r#"availability = "requires-search-key"  # declared under [availability]"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        let tokens = &catalog.project.availability;
        for tool in &catalog.tools {
            let token = tool.manifest.availability.as_str();
            if token != ALWAYS && !tokens.contains_key(token) {
                let known = tokens.keys().map(String::as_str).chain([ALWAYS]);
                findings.report(
                    tool.at("/availability"),
                    format!("the availability `{token}` is not declared"),
                    meant(
                        nearest(token, known),
                        "declare it under `[availability]` in `toolcontract.toml`",
                    ),
                );
            }
        }
    },
};
