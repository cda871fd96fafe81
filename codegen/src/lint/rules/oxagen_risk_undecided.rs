//! A dangerous tool on Oxagen's agent surface needs a decision.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _, oxagen};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "oxagen-risk-undecided",
        about: "A dangerous tool is on Oxagen's agent surface, and nobody decided whether it asks.",
        what: "`risk` is `high` or `destructive`, the tool is on Oxagen's surface `agent`, and \
               neither `requires_approval` nor `[oxagen] agent_approval` is stated.",
        why: "Oxagen's own test fails for a high-risk capability on the agent surface without \
              `agent.requiresApproval: true`. Whether a person is asked is a decision: the \
              generator never takes it by turning `requires_approval` on.",
        example: r#"
risk = "high"

[oxagen]
sensitivity = "high"
surfaces = ["api", "mcp", "agent"]
"#,
        instead: r#"
risk = "high"

[oxagen]
sensitivity = "high"
# An agent may start it, a person says yes.
agent_approval = true
surfaces = ["api", "mcp", "agent"]
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for declared in oxagen::declared(catalog) {
            let tool = declared.tool;
            if declared.is_high_risk()
                && declared.is_on_agent_surface()
                && !tool.manifest.requires_approval
                && declared.section.agent_approval.is_none()
            {
                findings.report(
                    tool.at("/risk"),
                    format!(
                        "`{}` has risk `{}` and is on Oxagen's agent surface, where Oxagen's test demands approval",
                        tool.manifest.name,
                        tool.contract.risk,
                    ),
                    "say `agent_approval = true` in `[oxagen]`, or leave `agent` out of its `surfaces`",
                );
            }
        }
    },
};
