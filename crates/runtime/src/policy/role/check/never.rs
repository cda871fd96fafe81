//! Rules that do nothing: their condition asks for what the tool's schema does not have or never
//! lets through, no tool is left, or the ceiling denies all that they grant.

use std::cmp::Ordering;

use serde_json::Value;
use toolcontract_manifest::{
    fault::{alternatives, quote},
    nearest,
};
use toolcontract_protocol::ToolContract;
use toolcontract_schema::pointer::join;

use super::{
    super::{
        condition::{Condition, Leaf},
        fault::{self, Faults},
        pointer::Part,
        rule::{Effect, Role, Rule},
        test::{Test, compare, is_same},
    },
    Checked, field,
    tools::{Tool, Tools},
};

pub(super) fn check(
    checked: &Checked<'_>,
    rule: &Rule,
    places: &[usize],
    tools: &mut Tools<'_>,
    faults: &mut Faults<'_>,
) {
    let (contracts, roles) = (checked.contracts, checked.roles);
    let about: Vec<&ToolContract> = places
        .iter()
        .filter_map(|at| contracts.get(*at).copied())
        .collect();
    let id = join(&rule.place, "id");
    let selects = !rule.selection.is_empty() && !rule.selection.is_open();
    if about.is_empty() && rule.selection.facts.is_some() && selects {
        let help = "look at the tools' contracts, or take `facts` away";
        let message = "no tool that the rule names has these facts";
        faults.at(
            &join(&rule.place, "facts"),
            fault::NEVER_MATCHES,
            message,
            help,
        );
    }
    if rule.effect != Effect::Deny {
        check_ceiling(&about, roles, rule, &id, faults);
    }
    let Some(when) = &rule.when else { return };
    let made = tools.at(places);
    let tools: Vec<&Tool<'_>> = made.iter().map(|tool| &**tool).collect();
    let mut leaves = Vec::new();
    when.leaves(&mut leaves);
    for leaf in leaves {
        check_leaf(contracts, &tools, leaf, faults);
    }
    check_together(when, faults);
    if rule.effect != Effect::Deny {
        check_absent(when, &tools, &mut Vec::new(), faults);
    }
}

/// A grant of which the ceilings deny everything.
fn check_ceiling(
    about: &[&ToolContract],
    roles: &[Role],
    rule: &Rule,
    id: &str,
    faults: &mut Faults<'_>,
) {
    // With subjects of its own the rule may reach roles in ways that only a call shows.
    if !rule.who.subjects.is_empty() || about.is_empty() || rule.selection.is_open() {
        return;
    }
    let of_rule = |bit: usize| rule.who.roles & (1 << bit) != 0;
    let ceiling = roles
        .iter()
        .enumerate()
        .filter(|(bit, _)| of_rule(*bit))
        .map(|(_, role)| role.ceiling)
        .max();
    let Some(ceiling) = ceiling else { return };
    if about
        .iter()
        .all(|contract| !contract.effective_risk().within(ceiling))
    {
        let names = alternatives(about.iter().take(8).map(|contract| contract.name.as_str()));
        faults.at(
            id,
            fault::NEVER_GRANTS,
            format!("the rule grants nothing: the ceiling `{ceiling}` of its roles denies {names}"),
            "raise `risk_ceiling` of the role, or take the rule away",
        );
    }
}

fn check_leaf(
    contracts: &[&ToolContract],
    tools: &[&Tool<'_>],
    leaf: &Leaf,
    faults: &mut Faults<'_>,
) {
    let place = join(&leaf.place, "pointer");
    let pointer = &leaf.pointer;
    let (with, without): (Vec<&Tool<'_>>, Vec<&Tool<'_>>) = tools
        .iter()
        .copied()
        .partition(|tool| !field::places(&tool.schema, pointer).is_empty());
    if !without.is_empty() {
        let names = alternatives(without.iter().take(8).map(|tool| tool.name));
        let message = format!("the input of {names} has no {}", quote(&pointer.text));
        faults.at(
            &place,
            fault::UNKNOWN_FIELD,
            message,
            no_field(contracts, &with, &without, leaf),
        );
        return;
    }
    let mut nevers = Vec::new();
    for tool in &with {
        match never(tool, leaf) {
            Some(Never::Error(why)) => {
                let message = format!("of {} {why}", quote(tool.name));
                let help = "test it for a value of its type";
                faults.at(&leaf.place, fault::NEVER_MATCHES, message, help);
                return;
            }
            Some(Never::Miss(why)) => nevers.push(why),
            None => {}
        }
    }
    // One tool for which it can hold is enough.
    if let (Some(why), true) = (nevers.first(), nevers.len() == with.len()) {
        let help = "test it for a value that the tool's schema lets through";
        faults.at(&leaf.place, fault::NEVER_MATCHES, why.as_str(), help);
    }
}

/// What to do about an argument that some tools do not have.
fn no_field(
    contracts: &[&ToolContract],
    with: &[&Tool<'_>],
    without: &[&Tool<'_>],
    leaf: &Leaf,
) -> String {
    if !with.is_empty() {
        let names: Vec<String> = with.iter().map(|tool| format!("{:?}", tool.name)).collect();
        return format!(
            "of the tools that the rule is about, these have it: tools = [{}]",
            names.join(", ")
        );
    }
    let names: Vec<&str> = without
        .first()
        .map_or_else(Vec::new, |tool| field::names(&tool.schema));
    let meant = match leaf.pointer.parts.first() {
        Some(Part::Key(key)) => nearest(key, names.iter().copied()),
        Some(Part::Items) | None => None,
    };
    if let Some(near) = meant {
        return format!("did you mean {}?", quote(&join("", near)));
    }
    let has_it = |c: &&&ToolContract| !field::places(&c.input_schema, &leaf.pointer).is_empty();
    let others: Vec<&str> = contracts
        .iter()
        .filter(has_it)
        .take(8)
        .map(|c| c.name.as_str())
        .collect();
    match (names.is_empty(), others.is_empty()) {
        (false, _) => format!("its arguments are {}", alternatives(names)),
        (true, false) => format!("it has no arguments; {} has", alternatives(others)),
        (true, true) => "it has no arguments".to_owned(),
    }
}

/// How a test can be in vain.
enum Never {
    /// Every argument is of another type.
    Error(String),
    /// No argument passes.
    Miss(String),
}

fn never(tool: &Tool<'_>, leaf: &Leaf) -> Option<Never> {
    let root = &tool.schema;
    let places = field::places(root, &leaf.pointer);
    let pointer = quote(&leaf.pointer.text);
    if let Some(wanted) = leaf.test.expects() {
        let types: Option<Vec<Vec<String>>> = places
            .iter()
            .map(|place| field::types(root, place, 0))
            .collect();
        let types = types.map(|all| all.concat());
        if let Some(types) = types.filter(|types| !types.iter().any(|t| t == wanted)) {
            let types = alternatives(types.iter().map(String::as_str));
            let why = format!("{pointer} is of type {types}, and the test needs a {wanted}");
            return Some(Never::Error(why));
        }
    }
    let listed: Option<Vec<Vec<&Value>>> = places
        .iter()
        .map(|place| field::values(root, place, 0))
        .collect();
    let listed = listed.map(|all| all.concat()).filter(|all| !all.is_empty());
    if let (Some(all), true) = (listed, !matches!(leaf.test, Test::Exists(_))) {
        let holds = |value: &&Value| leaf.test.answer(value) == super::super::answer::Answer::Match;
        if !all.iter().any(holds) {
            let mut words: Vec<String> = all.iter().map(|value| value.to_string()).collect();
            words.sort();
            words.dedup();
            words.truncate(12);
            let why = format!("{pointer} is only ever one of {}", words.join(", "));
            return Some(Never::Miss(why));
        }
    }
    let (low, high) = match places.as_slice() {
        [one] => field::bounds(root, one),
        _ => (None, None),
    };
    let is = |a: &serde_json::Number, b: &serde_json::Number, wanted: &[Ordering]| {
        compare(a, b).is_some_and(|order| wanted.contains(&order))
    };
    match (&leaf.test, low, high) {
        (Test::Less(bound), Some(low), _) if is(bound, low, &[Ordering::Less, Ordering::Equal]) => {
            Some(Never::Miss(format!("{pointer} is never below {low}")))
        }
        (Test::Greater(bound), _, Some(high))
            if is(bound, high, &[Ordering::Greater, Ordering::Equal]) =>
        {
            Some(Never::Miss(format!("{pointer} is never above {high}")))
        }
        (Test::Exists(false), _, _) if field::is_required(root, &leaf.pointer) => {
            Some(Never::Miss(format!("{pointer} is always there")))
        }
        _ => None,
    }
}

/// Two tests of one argument that cannot both hold. Nests no deeper than a file may.
fn check_together(when: &Condition, faults: &mut Faults<'_>) {
    match when {
        Condition::All(parts) => {
            for (at, part) in parts.iter().enumerate() {
                check_together(part, faults);
                let Condition::Leaf(one) = part else { continue };
                for other in parts.iter().skip(at + 1) {
                    if let Condition::Leaf(other) = other
                        && exclude(one, other)
                    {
                        let message = format!(
                            "two tests of {} never hold together",
                            quote(&one.pointer.text)
                        );
                        let help = "put them together with `any`, or take one away";
                        faults.at(&other.place, fault::NEVER_MATCHES, message, help);
                    }
                }
            }
        }
        Condition::Any(parts) => parts.iter().for_each(|part| check_together(part, faults)),
        Condition::Not(inner) => check_together(inner, faults),
        Condition::Leaf(_) => {}
    }
}

fn exclude(one: &Leaf, other: &Leaf) -> bool {
    if one.pointer != other.pointer || one.pointer.is_plural() {
        return false;
    }
    match (&one.test, &other.test) {
        (Test::OneOf(a), Test::OneOf(b)) => !a.iter().any(|x| b.iter().any(|y| is_same(x, y))),
        (Test::Exists(a), Test::Exists(b)) => a != b,
        (Test::Exists(false), _) | (_, Test::Exists(false)) => true,
        (Test::Less(less), Test::Greater(greater)) | (Test::Greater(greater), Test::Less(less)) => {
            compare(less, greater) != Some(Ordering::Greater)
        }
        (Test::Prefix(a), Test::Prefix(b)) => {
            !a.starts_with(b.as_str()) && !b.starts_with(a.as_str())
        }
        _ => false,
    }
}

/// A grant that also holds where the argument is not there, because it negates a test of it.
/// `sure` are the arguments that are there for certain. Nests no deeper than a file may.
fn check_absent<'p>(
    when: &'p Condition,
    tools: &[&Tool<'_>],
    sure: &mut Vec<&'p str>,
    faults: &mut Faults<'_>,
) {
    match when {
        Condition::All(parts) => {
            let before = sure.len();
            for part in parts {
                if let Condition::Leaf(Leaf { pointer, test, .. }) = part
                    && !matches!(test, Test::Exists(false))
                {
                    sure.push(&pointer.text);
                }
            }
            parts
                .iter()
                .for_each(|part| check_absent(part, tools, sure, faults));
            sure.truncate(before);
        }
        Condition::Any(parts) => parts
            .iter()
            .for_each(|part| check_absent(part, tools, sure, faults)),
        Condition::Leaf(_) => {}
        Condition::Not(inner) => {
            let mut leaves = Vec::new();
            inner.leaves(&mut leaves);
            for leaf in leaves {
                let is_there = |tool: &&Tool<'_>| field::is_required(&tool.schema, &leaf.pointer);
                let tests = !matches!(leaf.test, Test::Exists(_));
                if tests
                    && !sure.contains(&leaf.pointer.text.as_str())
                    && !tools.iter().all(is_there)
                {
                    let pointer = quote(&leaf.pointer.text);
                    faults.at(
                        &leaf.place,
                        fault::ABSENT_GRANTS,
                        format!("the rule also grants calls without {pointer}"),
                        format!("beside the `not`, in an `all`, add {{ pointer = {:?}, exists = true }}", leaf.pointer.text),
                    );
                }
            }
        }
    }
}
