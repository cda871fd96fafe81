//! A retired name does not return.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "retired-name",
        about: "A tool takes the name of one that was retired.",
        what: "`name` is listed under `retired` in `contracts.lock`.",
        why: "Old transcripts, policies and prompts still mean the retired tool. With the name \
              given anew they would speak of something else.",
        example: r#"name = "wait_for"  # contracts.lock: retired = ["wait_for"]"#,
        instead: r#"name = "wait_for_process""#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            if catalog.lock.retired.contains(&tool.manifest.name) {
                findings.report(
                    tool.at("/name"),
                    format!(
                        "the name `{}` was retired and may not return",
                        tool.manifest.name
                    ),
                    "choose a name that was never used",
                );
            }
        }
    },
};
