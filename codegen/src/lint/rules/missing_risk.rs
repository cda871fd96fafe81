//! A person grades every tool.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "missing-risk",
        about: "A tool does not say how bad one call can be.",
        what: "A tool that is neither imported nor a script has no `risk`.",
        why: "Policies cap what a principal may call by this grade. It is a judgement, so nothing \
              can be assumed: too low opens a door, too high closes one.",
        example: "name = \"write_file\"\ngroup = \"file\"",
        instead: "name = \"write_file\"\ngroup = \"file\"\nrisk = \"medium\"",
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            if tool.manifest.risk.is_none() && tool.manifest.command.is_none() {
                findings.report(
                    tool.at("/name"),
                    format!("the tool `{}` has no `risk`", tool.manifest.name),
                    "grade the worst that one honest call can do: `low`, `medium`, `high` or `destructive`",
                );
            }
        }
    },
};
