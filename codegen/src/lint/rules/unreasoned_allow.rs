//! An exception says why.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "unreasoned-allow",
        about: "An exception gives no reason.",
        what: "The `reason` of an `allow` entry is empty or blank.",
        why: "Whoever reads it next must be able to judge whether it still holds.",
        example: r#"allow = [{ rule = "undescribed-property", reason = "" }]"#,
        instead: r#"allow = [{ rule = "undescribed-property", reason = "The names are those of the tracker's own API." }]"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            for (index, entry) in tool.manifest.allow.iter().enumerate() {
                if entry.reason.trim().is_empty() {
                    findings.report(
                        tool.at(&format!("/allow/{index}/reason")),
                        format!(
                            "no reason is given for allowing `{}`",
                            entry.rule.escape_debug()
                        ),
                        "say why the rule does not apply here",
                    );
                }
            }
        }
    },
};
