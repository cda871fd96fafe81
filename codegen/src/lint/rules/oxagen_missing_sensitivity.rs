//! Sensitivity is graded by a person.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _, oxagen};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "oxagen-missing-sensitivity",
        about: "A tool does not grade its sensitivity for Oxagen.",
        what: "A tool that is declared to Oxagen has no `[oxagen] sensitivity`.",
        why: "Oxagen seeds grants and labels logs with it. It grades how much data a call \
              reaches and whether it can be undone, which does not follow from `risk`.",
        example: r#"
[oxagen]
name = "search_file_contents"
"#,
        instead: r#"
[oxagen]
name = "search_file_contents"
sensitivity = "low"
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for declared in oxagen::declared(catalog) {
            if declared.section.sensitivity.is_none() {
                let tool = declared.tool;
                let table = tool.manifest.oxagen.is_some();
                findings.report(
                    tool.key(if table { "/oxagen" } else { "/name" }),
                    format!("`{}` has no `[oxagen] sensitivity`", tool.manifest.name),
                    "grade data reach and reversibility: `low`, `medium`, `high` or `destructive`; \
                     or say `skip` with the reason",
                );
            }
        }
    },
};
