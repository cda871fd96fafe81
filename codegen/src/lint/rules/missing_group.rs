//! Every tool belongs to a policy group.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "missing-group",
        about: "A tool belongs to no policy group.",
        what: "A tool that is neither imported nor a script has no `group`.",
        why: "Policies switch groups on and off. A tool without one escapes them all.",
        example: "name = \"write_file\"\nrisk = \"medium\"",
        instead: "name = \"write_file\"\ngroup = \"file\"\nrisk = \"medium\"",
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: true,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            if tool.manifest.group.is_none() && tool.manifest.command.is_none() {
                findings.report(
                    tool.at("/name"),
                    format!("the tool `{}` has no `group`", tool.manifest.name),
                    "name the policy group that it belongs to, such as `file` or `search`",
                );
            }
        }
    },
};
