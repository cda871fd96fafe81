//! Tools that come later than the policy: those of MCP servers, and those that the policy itself
//! lists, such as the tools that a host brings with its session. A rule on one waits for it. Where
//! the tools of a session are known, a denial that still waits is a fault: it would deny nothing.

use std::collections::BTreeSet;

use toolcontract_protocol::{Principal, ToolContract};

use super::{
    check, condition::Leaf, load::Policy, load::Unbound, resolve::Party, rule::Effect, rule::Rule,
};
use crate::policy::{group, name::NamePattern};

/// The names of tools that come later.
#[derive(Debug, Clone, Default)]
pub(super) struct Late {
    listed: Vec<NamePattern>,
    /// Servers that are there: what they do not have does not come.
    here: BTreeSet<String>,
}

/// An entry of `late_tools` that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum LateError {
    /// It would let every slip in a name pass.
    #[error(
        "it covers names of any beginning; write a name, or a beginning of names with `*` behind"
    )]
    Anything,
    /// It is no name.
    #[error("{0}")]
    NotAName(String),
}

impl Late {
    /// Those that come later where these servers are there with all their tools.
    pub(super) fn beside(servers: &BTreeSet<String>) -> Self {
        Self {
            listed: Vec::new(),
            here: servers.clone(),
        }
    }

    /// Adds a name, or a beginning of names with one `*` behind.
    pub(super) fn add(&mut self, text: &str) -> Result<(), LateError> {
        let pattern =
            NamePattern::parse(text).map_err(|error| LateError::NotAName(error.to_string()))?;
        let beginning = text.strip_suffix('*').unwrap_or(text);
        if beginning.is_empty() || beginning.contains('*') {
            return Err(LateError::Anything);
        }
        self.listed.push(pattern);
        Ok(())
    }

    /// Whether what `tool` names may come later.
    pub(super) fn has(&self, tool: &NamePattern) -> bool {
        let of_server = tool.text().starts_with(group::SERVED);
        let is_here = || group::server(tool.text()).is_some_and(|of| self.here.contains(of));
        (of_server && !is_here()) || self.lists(tool)
    }

    /// Whether the policy lists what `tool` names.
    fn lists(&self, tool: &NamePattern) -> bool {
        let covers = |late: &NamePattern| match tool {
            NamePattern::Exact(name) => late.matches(name),
            // A pattern is covered where all that it can fit begins as the entry does.
            NamePattern::Pattern(text, _) => {
                let beginning = late.text().strip_suffix('*');
                late.text() == text || beginning.is_some_and(|start| text.starts_with(start))
            }
        };
        self.listed.iter().any(covers)
    }
}

/// The names of rules that no contract has yet.
pub(super) fn unbound(contracts: &[&ToolContract], late: &Late, rules: &[Rule]) -> Vec<Unbound> {
    let is_there = |tool: &NamePattern| contracts.iter().any(|c| tool.matches(&c.name));
    let mut unbound = Vec::new();
    for rule in rules {
        let waits = |tool: &&NamePattern| late.has(tool) && !is_there(tool);
        unbound.extend(
            rule.selection
                .tools
                .iter()
                .filter(waits)
                .map(|tool| Unbound {
                    rule: rule.id.clone(),
                    tool: tool.text().to_owned(),
                    line: rule.line,
                }),
        );
    }
    unbound
}

impl Policy {
    /// What denies nothing to `principal`, or to the sub-agents that it starts, in a session with
    /// these tools: denials on listed tools that the session does not have, and conditions on
    /// arguments that its tools do not have. In the words of the policy, each with its line.
    pub(super) fn unbound_in(
        &self,
        contracts: &[&ToolContract],
        principal: &Principal,
    ) -> Vec<String> {
        let party = self.party(principal);
        let mut told = Vec::new();
        for rule in &self.rules {
            if rule.effect != Effect::Deny || !may_concern(rule, &party, self) {
                continue;
            }
            let (id, line) = (&rule.id, rule.line);
            let is_there = |tool: &NamePattern| contracts.iter().any(|c| tool.matches(&c.name));
            let tools = rule.selection.tools.iter();
            let gone = tools.filter(|tool| self.late.lists(tool) && !is_there(tool));
            told.extend(gone.map(|tool| {
                let tool = tool.text();
                format!("line {line} of the policy: rule `{id}` denies `{tool}`, and the session has no such tool")
            }));
            told.extend(self.fields_gone(rule, contracts));
        }
        told
    }

    /// Arguments that a rule tests, and a tool that it is about does not have. Those of the tools
    /// that the policy was checked against were looked at then.
    fn fields_gone(&self, rule: &Rule, contracts: &[&ToolContract]) -> Option<String> {
        let when = rule.when.as_ref()?;
        let mut leaves: Vec<&Leaf> = Vec::new();
        when.leaves(&mut leaves);
        let new = contracts.iter().filter(|contract| {
            self.selected(contract).is_none() && rule.selection.covers(contract, rule.effect)
        });
        new.into_iter().find_map(|contract| {
            let is_gone = |leaf: &&&Leaf| !check::has_field(&contract.input_schema, leaf);
            let leaf = leaves.iter().find(is_gone)?;
            let (id, line) = (&rule.id, rule.line);
            let (tool, pointer) = (&contract.name, &leaf.pointer.text);
            Some(format!(
                "line {line} of the policy: rule `{id}` tests `{pointer}`, which the input of `{tool}` does not have"
            ))
        })
    }
}

/// Whether the rule may be for the principal or for a sub-agent that it starts.
fn may_concern(rule: &Rule, party: &Party<'_>, policy: &Policy) -> bool {
    let of_sub_agents =
        |subjects: &[super::Subject]| subjects.iter().any(super::Subject::is_sub_agent);
    let mut roles = policy.roles.iter().enumerate();
    party.is_meant_by(rule)
        || of_sub_agents(&rule.who.subjects)
        || roles.any(|(at, role)| rule.who.roles & (1 << at) != 0 && of_sub_agents(&role.subjects))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn late(entries: &[&str]) -> Late {
        let mut late = Late::default();
        entries
            .iter()
            .for_each(|entry| late.add(entry).expect("an entry"));
        late
    }

    fn has(late: &Late, name: &str) -> bool {
        late.has(&NamePattern::parse(name).expect("a name"))
    }

    #[test]
    fn listed_names_and_beginnings_come_later() {
        let late = late(&["crm_*", "lookup"]);
        for name in [
            "crm_delete",
            "crm_*",
            "crm_del*",
            "lookup",
            "mcp__x__y",
            "mcp__*",
        ] {
            assert!(has(&late, name), "{name}");
        }
        for name in ["cr*", "crm", "lookups", "look*", "*", "bash"] {
            assert!(!has(&late, name), "{name}");
        }
    }

    #[test]
    fn nothing_more_comes_of_a_server_that_is_there() {
        let late = Late::beside(&BTreeSet::from(["files".to_owned()]));
        for name in ["mcp__files__raed", "mcp__files__re*"] {
            assert!(!has(&late, name), "{name}");
        }
        for name in ["mcp__other__read", "mcp__*", "mcp__fil*__read"] {
            assert!(has(&late, name), "{name}");
        }
    }

    #[test]
    fn an_entry_that_would_let_every_slip_pass_is_none() {
        for entry in ["*", "*_delete", "a*b", "a**"] {
            assert_eq!(
                Late::default().add(entry),
                Err(LateError::Anything),
                "{entry}"
            );
        }
        assert!(Late::default().add("two words").is_err());
        assert!(Late::default().add("").is_err());
    }
}
