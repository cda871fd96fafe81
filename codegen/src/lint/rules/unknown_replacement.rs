//! A deprecated tool points at one that exists.

use toolcontract_manifest::{Level, nearest};

use crate::lint::{
    Page, Rule,
    findings::{Located as _, meant},
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "unknown-replacement",
        about: "A deprecated tool is replaced by one that does not exist.",
        what: "`deprecated.replaced_by` names no other tool of the catalog.",
        why: "Every surface tells its users to move there.",
        example: r#"
[deprecated]
since = "2"
replaced_by = "serach_text"
"#,
        instead: r#"
[deprecated]
since = "2"
replaced_by = "search_text"
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            let deprecated = tool.manifest.deprecated.as_ref();
            let Some(new) = deprecated.and_then(|d| d.replaced_by.as_deref()) else {
                continue;
            };
            let own = tool.manifest.name.as_str();
            let mut others = catalog.tools.iter().map(|t| t.manifest.name.as_str());
            if new == own || !others.any(|name| name == new) {
                let others = catalog.tools.iter().map(|t| t.manifest.name.as_str());
                findings.report(
                    tool.at("/deprecated/replaced_by"),
                    format!("there is no other tool `{new}`"),
                    meant(
                        nearest(new, others.filter(|name| *name != own)),
                        "name a tool of the catalog, or say in `note` what to do instead",
                    ),
                );
            }
        }
    },
};
