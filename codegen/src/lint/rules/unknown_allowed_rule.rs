//! An exception names a rule that has exceptions.

use toolcontract_manifest::{Level, nearest};

use crate::lint::{
    Page, RULES, Rule,
    findings::{Located as _, meant},
    page, rule,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "unknown-allowed-rule",
        about: "An exception names no rule that can be allowed.",
        what: "The `rule` of an `allow` entry is not the id of a rule, or is the id of one that \
               no manifest can except itself from.",
        why: "The exception does nothing. Surfaces rely on some rules, and a file with a load \
              fault has no contract to except.",
        example: r#"allow = [{ rule = "undescribed-propery", reason = "The names say it." }]"#,
        instead: r#"allow = [{ rule = "undescribed-property", reason = "The names say it." }]"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            for (index, entry) in tool.manifest.allow.iter().enumerate() {
                let id = entry.rule.as_str();
                let place = || tool.at(&format!("/allow/{index}/rule"));
                if rule(id).is_some_and(|rule| rule.allowable) {
                    continue;
                }
                if page(id).is_some() {
                    findings.report(
                        place(),
                        format!("`{id}` cannot be allowed"),
                        "repair what it finds, and remove the entry",
                    );
                } else {
                    let known = RULES.iter().filter(|r| r.allowable).map(|r| r.id());
                    findings.report(
                        place(),
                        format!("there is no rule `{}`", id.escape_debug()),
                        meant(nearest(id, known), "remove the entry"),
                    );
                }
            }
        }
    },
};
