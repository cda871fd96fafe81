//! Every name that a rule selects tools by is the name of something. A denial that binds to
//! nothing would be the worst kind of silence.

use std::collections::BTreeSet;

use toolcontract_protocol::ToolContract;

use super::super::{
    fault::{self, Faults},
    file::PolicyFile,
    rule::Rule,
    select::is_of_others,
};
use crate::policy::group;

pub(super) fn check(
    contracts: &[&ToolContract],
    file: &PolicyFile,
    rules: &[Rule],
    faults: &mut Faults<'_>,
) {
    let tools: BTreeSet<&str> = contracts.iter().map(|c| c.name.as_str()).collect();
    let groups: BTreeSet<&str> = contracts
        .iter()
        .filter_map(|c| c.group.as_deref())
        .collect();
    let events: BTreeSet<&str> = contracts
        .iter()
        .flat_map(|c| c.events.iter().map(String::as_str))
        .collect();
    for (rule, text) in rules.iter().zip(&file.rule) {
        for tool in &rule.selection.tools {
            let is_there = || tools.iter().any(|name| tool.matches(name));
            // What servers serve may come later, and `*` is whatever there is.
            if tool.text().starts_with(group::SERVED) || tool.text() == "*" || is_there() {
                continue;
            }
            let at = text
                .tools
                .iter()
                .flatten()
                .position(|name| name == tool.text());
            let place = format!("{}/tools/{}", rule.place, at.unwrap_or_default());
            let what = match tool.text().contains('*') {
                true => "tool that fits",
                false => "tool",
            };
            faults.unknown(
                &place,
                fault::UNKNOWN_TOOL,
                what,
                tool.text(),
                tools.iter().copied(),
            );
        }
        for (index, name) in rule.selection.groups.iter().enumerate() {
            if !groups.contains(name.as_str()) && !is_of_others(name) {
                let place = format!("{}/groups/{index}", rule.place);
                let known = groups.iter().copied();
                faults.unknown(&place, fault::UNKNOWN_GROUP, "group", name, known);
            }
        }
        for (index, name) in rule.selection.events.iter().enumerate() {
            if !events.contains(name.as_str()) {
                let place = format!("{}/events/{index}", rule.place);
                let known = events.iter().copied();
                faults.unknown(&place, fault::UNKNOWN_EVENT, "event", name, known);
            }
        }
    }
}
