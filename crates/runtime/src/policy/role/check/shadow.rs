//! Rules that another rule hides: wherever the one holds the other holds too, and the other's
//! effect is as strong. Such a rule reads as if it did something and does nothing.

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

pub(super) fn check(contracts: &[&ToolContract], rules: &[Rule], faults: &mut Faults<'_>) {
    let tools: Vec<Vec<&str>> = rules
        .iter()
        .map(|rule| {
            about(contracts, rule)
                .into_iter()
                .map(|c| c.name.as_str())
                .collect()
        })
        .collect();
    for (at, (rule, own)) in rules.iter().zip(&tools).enumerate() {
        let hides = |(other_at, (other, others)): &(usize, (&Rule, &Vec<&str>))| {
            let is_same_effect = other.effect == rule.effect;
            // Of two that hide each other the later one is told.
            *other_at != at
                && other.effect >= rule.effect
                && (!is_same_effect || *other_at < at || !covers(rule, own, other, others))
                && covers(other, others, rule, own)
        };
        let all = rules.iter().zip(&tools).enumerate();
        let hidden_by = { all }.find(hides);
        if let Some((_, (other, _))) = hidden_by {
            faults.at(
                &join(&rule.place, "id"),
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

/// Whether `wide` holds wherever `narrow` does, as far as that can be read from them.
fn covers(wide: &Rule, wide_tools: &[&str], narrow: &Rule, narrow_tools: &[&str]) -> bool {
    is_for(&wide.who, &narrow.who)
        && narrow_tools.iter().all(|tool| wide_tools.contains(tool))
        && selects(wide, narrow)
        && holds(wide, narrow)
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
