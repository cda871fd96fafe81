//! Rules that another rule hides: wherever the one holds the other holds too, and the other's
//! effect is as strong. Such a rule reads as if it did something and does nothing.
//!
//! Rules that have another finding are left out: they are wrong anyway.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use toolcontract_manifest::fault::quote;
use toolcontract_protocol::ToolContract;
use toolcontract_schema::pointer::join;

use super::{
    super::{
        fault::{self, Faults},
        rule::{For, Rule},
    },
    about,
};

/// A rule with the tools that it is about, by their places among the contracts.
struct Sound<'r> {
    rule: &'r Rule,
    tools: BTreeSet<usize>,
}

pub(super) fn check(contracts: &[&ToolContract], rules: &[Rule], faults: &mut Faults<'_>) {
    let sound = rules.iter().enumerate();
    let sound = sound.filter(|(at, _)| !faults.has_rule(*at));
    let sound: Vec<Sound<'_>> = sound
        .map(|(_, rule)| Sound {
            rule,
            tools: about(contracts, rule).into_iter().collect(),
        })
        .collect();
    let index = Index::of(&sound);
    for (at, own) in sound.iter().enumerate() {
        let hides = |other_at: &usize| -> bool {
            let Some(other) = sound.get(*other_at) else {
                return false;
            };
            let is_same_effect = other.rule.effect == own.rule.effect;
            // Of two that hide each other the later one is told.
            *other_at != at
                && other.rule.effect >= own.rule.effect
                && covers(other, own)
                && (!is_same_effect || *other_at < at || !covers(own, other))
        };
        let first = |list: &Vec<usize>| list.iter().copied().find(hides);
        let hidden_by = index.candidates(own).filter_map(first).min();
        if let Some(other) = hidden_by.and_then(|at| sound.get(at)) {
            let other = other.rule;
            faults.at(
                &join(&own.rule.place, "id"),
                fault::SHADOWED,
                format!("the rule does nothing: {} holds wherever it does", quote(&other.id)),
                format!(
                    "that rule is in line {} and its effect is `{}`; make one of them narrower, or take this one away",
                    other.line,
                    other.effect.as_str()
                ),
            );
        }
    }
}

/// Which rules can hide one at all: those on one of its tools that have no condition, or the same.
/// With it a policy whose rules differ in tools or conditions is looked through in one go.
struct Index {
    rules: HashMap<Key, Vec<usize>>,
}

/// The first tool of the hidden rule, none where it is about no tool that is there, and the
/// condition of the hiding one.
type Key = (Option<usize>, Option<Arc<str>>);

impl Index {
    fn of(sound: &[Sound<'_>]) -> Self {
        let mut rules: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, Sound { rule, tools }) in sound.iter().enumerate() {
            let condition = condition(rule);
            let places = tools.iter().copied().map(Some).chain([None]);
            for place in places {
                rules
                    .entry((place, condition.clone()))
                    .or_default()
                    .push(at);
            }
        }
        Self { rules }
    }

    /// Lists of rules, each in the order of the file.
    fn candidates(&self, hidden: &Sound<'_>) -> impl Iterator<Item = &Vec<usize>> {
        let first = hidden.tools.first().copied();
        let same = condition(hidden.rule).map(|same| (first, Some(same)));
        let keys = [Some((first, None)), same];
        keys.into_iter()
            .flatten()
            .filter_map(|key| self.rules.get(&key))
    }
}

/// What a condition says, as a text that is equal for conditions that read the same.
fn condition(rule: &Rule) -> Option<Arc<str>> {
    Some(rule.when.as_ref()?.about().into())
}

/// Whether `wide` holds wherever `narrow` does, as far as that can be read from them.
fn covers(wide: &Sound<'_>, narrow: &Sound<'_>) -> bool {
    is_for(&wide.rule.who, &narrow.rule.who)
        && narrow.tools.is_subset(&wide.tools)
        && selects(wide.rule, narrow.rule)
        && holds(wide.rule, narrow.rule)
}

fn is_for(wide: &For, narrow: &For) -> bool {
    let everybody = wide
        .subjects
        .contains(&super::super::subject::Subject::Everybody);
    let subject_covered = |subject| wide.subjects.iter().any(|of| of.covers(subject));
    everybody || (narrow.roles & !wide.roles == 0 && narrow.subjects.iter().all(subject_covered))
}

/// Also for tools that are not there yet.
fn selects(wide: &Rule, narrow: &Rule) -> bool {
    if !narrow.selection.is_open() {
        return true;
    }
    let (wide, narrow) = (&wide.selection, &narrow.selection);
    let by_name = narrow
        .tools
        .iter()
        .all(|tool| wide.tools.iter().any(|of| of.covers(tool)));
    let all = wide.tools.iter().any(|tool| tool.text() == "*");
    let by_group = narrow
        .groups
        .iter()
        .all(|group| wide.groups.contains(group));
    let by_event = narrow
        .events
        .iter()
        .all(|event| wide.events.contains(event));
    (wide.facts.is_none() || wide.facts == narrow.facts)
        && by_name
        && (all || (by_group && by_event))
}

/// Only a condition that is not there holds wherever another does; two that read the same do too.
fn holds(wide: &Rule, narrow: &Rule) -> bool {
    match (&wide.when, &narrow.when) {
        (None, _) => true,
        (Some(wide), Some(narrow)) => wide.says_the_same(narrow),
        (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::role::{RolePolicy, load::Policy};

    /// A policy in which rules hide others in every way there is, unchecked.
    fn policy(contracts: &[&ToolContract]) -> std::sync::Arc<Policy> {
        let effects = ["allow", "ask", "deny"];
        let tools = [
            "\"*\"",
            "\"look\"",
            "\"edit\", \"look\"",
            "\"mcp__a__*\"",
            "\"mcp__a__b\"",
        ];
        let tests = [
            "",
            "when = { pointer = \"/n\", less = 5 }\n",
            "when = { pointer = \"/n\", less = 9 }\n",
        ];
        let mut text = String::from(
            "[[role]]\nname = \"a\"\nrisk_ceiling = \"high\"\nprincipals = [\"user\"]\n",
        );
        for (at, effect) in effects.into_iter().cycle().take(60).enumerate() {
            let (tools, test) = (tools[at % tools.len()], tests[at % tests.len()]);
            // Served tools have no schema yet, and `*` only where there is no test.
            let tools = if tools == "\"*\"" && !test.is_empty() {
                "\"edit\""
            } else {
                tools
            };
            text.push_str(&format!(
                "[[rule]]\nid = \"r{at}\"\neffect = \"{effect}\"\nroles = [\"a\"]\ntools = [{tools}]\n{test}reason = \"r\"\n"
            ));
        }
        let source = toolcontract_manifest::Source {
            path: "policy.toml".to_owned(),
            bytes: text.into_bytes(),
        };
        RolePolicy::unchecked(&source, contracts).expect("a file of the right shape")
    }

    #[test]
    fn the_index_leaves_no_hiding_rule_out() {
        let schema =
            serde_json::json!({ "type": "object", "properties": { "n": { "type": "integer" } } });
        let contracts =
            ["look", "edit"].map(|name| ToolContract::declared(name, "Does.", schema.clone()));
        let contracts: Vec<&ToolContract> = contracts.iter().collect();
        let policy = policy(&contracts);
        let sound: Vec<Sound<'_>> = policy
            .rules
            .iter()
            .map(|rule| Sound {
                rule,
                tools: about(&contracts, rule).into_iter().collect(),
            })
            .collect();
        let index = Index::of(&sound);
        let mut hidden = 0;
        for own in &sound {
            let candidates: BTreeSet<usize> = index.candidates(own).flatten().copied().collect();
            for (at, other) in sound.iter().enumerate() {
                if covers(other, own) {
                    hidden += 1;
                    assert!(
                        candidates.contains(&at),
                        "{} hides {}",
                        other.rule.id,
                        own.rule.id
                    );
                }
            }
        }
        assert!(hidden > sound.len(), "more than every rule itself");
    }
}
