//! Approval that holds for agents only.

use toolcontract_manifest::Level;
use toolcontract_protocol::oxagen::GrantEffect;

use crate::lint::{Page, Rule, findings::Located as _, oxagen};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "oxagen-open-approval",
        about: "A tool that needs approval is open by default at Oxagen.",
        what: "`requires_approval = true` with a default effect of `allow` at Oxagen.",
        why: "Oxagen reads `agent.requiresApproval` on its agent surface only. A call through \
              the API or MCP asks nobody unless the default effect says so.",
        example: r#"
requires_approval = true

[oxagen]
sensitivity = "high"
default_effect = "allow"
"#,
        instead: r#"
requires_approval = true

[oxagen]
sensitivity = "high"
default_effect = "require_approval"
"#,
    },
    authored: Some(Level::Warning),
    declared: Some(Level::Warning),
    allowable: true,
    check: |catalog, findings| {
        for declared in oxagen::declared(catalog) {
            let tool = declared.tool;
            if tool.manifest.requires_approval && declared.default_effect() == GrantEffect::Allow {
                findings.report(
                    tool.at("/oxagen/default_effect"),
                    format!(
                        "`{}` needs approval but is open by default outside the agent surface",
                        tool.manifest.name
                    ),
                    "say `default_effect = \"require_approval\"` in `[oxagen]`",
                );
            }
        }
    },
};
