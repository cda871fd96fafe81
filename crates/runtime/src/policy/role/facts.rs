//! The facts of a contract that a rule may ask for, each as far as it may be relied on.

use toolcontract_protocol::ToolContract;

use super::{file::FactsText, rule::Rule};
use crate::policy::group;

/// A fact that a rule asks for: its key, what the rule wants, what the contract has.
struct Fact {
    key: &'static str,
    wanted: bool,
    has: bool,
}

/// Every fact that `wanted` asks for.
fn asked(wanted: &FactsText, contract: &ToolContract) -> impl Iterator<Item = Fact> {
    [
        ("read_only", wanted.read_only, contract.trusted_read_only()),
        (
            "idempotent",
            wanted.idempotent,
            contract.trusted_idempotent(),
        ),
        ("additive", wanted.additive, contract.trusted_additive()),
        (
            "open_world",
            wanted.open_world,
            contract.effective_open_world(),
        ),
    ]
    .into_iter()
    .filter_map(|(key, wanted, has)| wanted.map(|wanted| Fact { key, wanted, has }))
}

/// The facts in the words of the file.
pub(super) fn about(wanted: FactsText) -> String {
    let all = [
        ("read_only", wanted.read_only),
        ("idempotent", wanted.idempotent),
        ("additive", wanted.additive),
        ("open_world", wanted.open_world),
    ];
    let all = all
        .into_iter()
        .filter_map(|(key, wanted)| Some(format!("{key} = {}", wanted?)));
    format!(" with {}", all.collect::<Vec<_>>().join(", "))
}

/// Whether the contract has them all.
pub(super) fn hold(wanted: &FactsText, contract: &ToolContract) -> bool {
    asked(wanted, contract).all(|fact| fact.wanted == fact.has)
}

/// The facts that decide whether `rule` is about the tool: key, and what it counts as.
pub(crate) fn used(rule: &Rule, contract: &ToolContract) -> Vec<(&'static str, String)> {
    let selection = &rule.selection;
    let mut used = Vec::new();
    if !selection.groups.is_empty() {
        used.push(("group", group::trusted(contract).to_owned()));
    }
    if !selection.events.is_empty() {
        used.push(("events", contract.events.join(", ")));
    }
    let facts = selection.facts.iter();
    used.extend(
        facts
            .flat_map(|wanted| asked(wanted, contract))
            .map(|fact| (fact.key, fact.has.to_string())),
    );
    used
}
