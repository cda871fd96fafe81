//! Model providers' limits on the names of tools.

use toolcontract_manifest::{Level, names};

use crate::lint::{Page, Rule, dialects, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "name-refused-by-provider",
        about: "A model provider does not take a tool's name.",
        what: "`name` against the limits of each provider whose dialect `[surfaces.advertised]` asks for.",
        why: "The provider answers the whole request with an error: no tool can be used in that \
              turn, not only this one.",
        example: r#"name = "read file""#,
        instead: r#"name = "read_file""#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            let name = &tool.manifest.name;
            if let Some(refusal) =
                dialects::refusal(catalog, |d| names::refused_by_provider(d, name))
            {
                findings.report(
                    tool.at("/name"),
                    format!("a provider refuses the name `{}`: {refusal}", name.escape_debug()),
                    "rename the tool, or leave the provider's dialect out of `[surfaces.advertised]`",
                );
            }
        }
    },
};
