//! Approval that is switched off where Oxagen or the contract demands it.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _, oxagen};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "oxagen-approval-off",
        about: "A tool that must ask is told not to ask on Oxagen's agent surface.",
        what: "`[oxagen] agent_approval = false` on the agent surface, where the risk is `high` \
               or `destructive` or the contract says `requires_approval`.",
        why: "Oxagen's own test fails for a high-risk capability on the agent surface without \
              `agent.requiresApproval: true`; and a contract that asks a person asks everywhere.",
        example: r#"
risk = "high"

[oxagen]
sensitivity = "high"
agent_approval = false
"#,
        instead: r#"
risk = "high"

[oxagen]
sensitivity = "high"
# Agents do not get it.
surfaces = ["api", "mcp"]
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for declared in oxagen::declared(catalog) {
            let tool = declared.tool;
            let asks = declared.is_high_risk() || tool.manifest.requires_approval;
            if declared.section.agent_approval == Some(false)
                && declared.is_on_agent_surface()
                && asks
            {
                let because = if tool.manifest.requires_approval {
                    "the contract says `requires_approval`".to_owned()
                } else {
                    format!("Oxagen's test demands it for risk `{}`", tool.contract.risk)
                };
                findings.report(
                    tool.at("/oxagen/agent_approval"),
                    format!("approval is switched off on the agent surface, but {because}"),
                    "say `agent_approval = true`, or leave `agent` out of `surfaces`",
                );
            }
        }
    },
};
