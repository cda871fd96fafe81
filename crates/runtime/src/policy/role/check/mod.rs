//! A policy against the contracts of the tools that there are: every name means something, every
//! rule can match, none is hidden behind another, and every example comes out as it says.

mod examples;
mod field;
mod known;
mod never;
mod shadow;
mod spelling;
mod tools;

use toolcontract_protocol::ToolContract;

use super::{
    condition::Leaf,
    fault::Faults,
    file::PolicyFile,
    late::Late,
    rule::{Role, Rule},
};
use tools::Tools;

pub(super) use examples::check as examples;

/// A policy, and what it is held against.
pub(super) struct Checked<'c> {
    pub(super) contracts: &'c [&'c ToolContract],
    pub(super) file: &'c PolicyFile,
    pub(super) late: &'c Late,
    pub(super) roles: &'c [Role],
    pub(super) rules: &'c [Rule],
}

impl Checked<'_> {
    /// Everything that is wrong with the rules.
    pub(super) fn against(&self, faults: &mut Faults<'_>) {
        known::check(self, faults);
        let mut tools = Tools::of(self.contracts);
        for rule in self.rules {
            let about = about(self.contracts, rule);
            never::check(self, rule, &about, &mut tools, faults);
            spelling::check(rule, &about, &mut tools, faults);
        }
        // What is wrong anyway is hidden behind everything, and hides nothing.
        shadow::check(self.contracts, self.rules, faults);
    }
}

/// Whether the schema of a tool has the argument of a test.
pub(super) fn has_field(schema: &serde_json::Value, leaf: &Leaf) -> bool {
    !field::places(schema, &leaf.pointer).is_empty()
}

/// The contracts that a rule is about, by their place.
fn about(contracts: &[&ToolContract], rule: &Rule) -> Vec<usize> {
    let all = contracts.iter().enumerate();
    let covered = all.filter(|(_, contract)| rule.selection.covers(contract, rule.effect));
    covered.map(|(at, _)| at).collect()
}
