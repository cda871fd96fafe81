//! A policy against the contracts of the tools that there are: every name means something, every
//! rule can match, none is hidden behind another, and every example comes out as it says.

mod examples;
mod field;
mod known;
mod never;
mod shadow;

use toolcontract_protocol::ToolContract;

use super::{
    condition::Leaf,
    fault::Faults,
    file::PolicyFile,
    load::Unbound,
    rule::{Role, Rule},
};
use crate::policy::{group, name::NamePattern};

pub(super) use examples::check as examples;

/// Everything that is wrong with the rules, given the contracts.
pub(super) fn against(
    contracts: &[&ToolContract],
    file: &PolicyFile,
    roles: &[Role],
    rules: &[Rule],
    faults: &mut Faults<'_>,
) {
    known::check(contracts, file, rules, faults);
    let before = faults.findings.len();
    for rule in rules {
        never::check(contracts, roles, rule, faults);
    }
    // What can never match is hidden behind everything.
    if faults.findings.len() == before {
        shadow::check(contracts, rules, faults);
    }
}

/// Whether the schema of a tool has the argument of a test.
pub(super) fn has_field(schema: &serde_json::Value, leaf: &Leaf) -> bool {
    !field::places(schema, &leaf.pointer).is_empty()
}

/// The names of served tools that no contract has yet.
pub(super) fn unbound(contracts: &[&ToolContract], rules: &[Rule]) -> Vec<Unbound> {
    let is_there = |tool: &NamePattern| contracts.iter().any(|c| tool.matches(&c.name));
    let mut unbound = Vec::new();
    for rule in rules {
        let served = |tool: &&NamePattern| tool.text().starts_with(group::SERVED);
        let missing = rule.selection.tools.iter().filter(served);
        for tool in missing.filter(|tool| !is_there(tool)) {
            unbound.push(Unbound {
                rule: rule.id.clone(),
                tool: tool.text().to_owned(),
                line: rule.line,
            });
        }
    }
    unbound
}

/// The contracts that a rule is about.
fn about<'c>(contracts: &[&'c ToolContract], rule: &Rule) -> Vec<&'c ToolContract> {
    contracts
        .iter()
        .copied()
        .filter(|contract| rule.selection.covers(contract, rule.effect))
        .collect()
}
