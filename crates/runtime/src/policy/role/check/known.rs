//! Every name that a rule selects tools by is the name of something. A denial that binds to
//! nothing would be the worst kind of silence.

use std::collections::BTreeSet;

use toolcontract_manifest::{fault::quote, nearest};

use super::{
    super::{
        fault::{self, Faults},
        select::is_of_others,
    },
    Checked,
};
use crate::policy::group;

pub(super) fn check(checked: &Checked<'_>, faults: &mut Faults<'_>) {
    let Checked {
        contracts,
        file,
        late,
        rules,
        ..
    } = *checked;
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
            // Some tools may come later, and `*` is whatever there is.
            if late.has(tool) || tool.text() == "*" || is_there() {
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
            let known: Vec<&str> = tools.iter().copied().collect();
            let family = family_of(tool.text(), &known);
            let meant = served_as(tool.text(), &known)
                .or(family.as_deref())
                .or_else(|| nearest(tool.text(), known.iter().copied()));
            let help = match meant {
                Some(near) => format!("did you mean {}?", quote(near)),
                None => format!(
                    "none of the {} tools is near; one of a server is called `mcp__SERVER__TOOL`, \
                     and one that comes later stands in `late_tools`",
                    known.len()
                ),
            };
            let message = format!("there is no {what} {}", quote(tool.text()));
            faults.at(&place, fault::UNKNOWN_TOOL, message, help);
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

/// The beginning of names that a pattern such as `rep_*` was meant to be.
fn family_of(word: &str, known: &[&str]) -> Option<String> {
    if !word.ends_with("_*") {
        return None;
    }
    let beginnings = known.iter().filter_map(|name| name.split_once('_'));
    let families: BTreeSet<String> = beginnings.map(|(first, _)| format!("{first}_*")).collect();
    nearest(word, families.iter().map(String::as_str)).map(str::to_owned)
}

/// The whole name of a tool of a server, where `word` is its name as served, or the name that an
/// import gives it.
fn served_as<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let is_it = |name: &&&str| {
        let parts = name.strip_prefix(group::SERVED);
        let Some((server, tool)) = parts.and_then(|parts| parts.split_once("__")) else {
            return false;
        };
        tool == word
            || word
                .strip_prefix(server)
                .and_then(|rest| rest.strip_prefix('_'))
                == Some(tool)
    };
    known.iter().find(is_it).copied()
}
