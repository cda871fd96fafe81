//! Groups are declared once.

use toolcontract_manifest::{Level, fault::alternatives, nearest};

use crate::lint::{
    Page, Rule,
    findings::{Located as _, meant},
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "undeclared-group",
        about: "A tool names a policy group that the project does not declare.",
        what: "`group` is not a key of `[groups]` in `toolcontract.toml`, where that table has any.",
        why: "A misspelled group is one that no policy speaks of, so nothing switches the tool off.",
        example: r#"group = "serach""#,
        instead: r#"group = "search"  # toolcontract.toml: [groups] search = "Finds text and files.""#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        let groups = &catalog.project.groups;
        if groups.is_empty() {
            return;
        }
        for tool in &catalog.tools {
            let Some(group) = tool.manifest.group.as_deref() else {
                continue;
            };
            if !groups.contains_key(group) {
                let declared = || groups.keys().map(String::as_str);
                let near = nearest(group, declared());
                let declare = "declare it under `[groups]` in `toolcontract.toml`";
                let help = match near {
                    Some(_) => meant(near, declare),
                    None => format!("use {}, or {declare}", alternatives(declared())),
                };
                let message = format!("the group `{group}` is not declared");
                findings.report(tool.at("/group"), message, help);
            }
        }
    },
};
