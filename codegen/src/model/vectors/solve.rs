//! Finds values that the schema accepts: makes one, asks the validator, and answers otherwise the
//! open question that stands nearest to a fault. Gives up after a bounded number of attempts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{
    judge::Judge,
    question::{Asked, Choices, Question},
    sample::{Sampler, Size},
    schemas::Schemas,
};

/// A value that is valid, and how its questions were answered.
#[derive(Debug, Clone)]
pub(super) struct Solved {
    pub(super) value: Value,
    pub(super) choices: Choices,
    pub(super) asked: Vec<Asked>,
}

/// Finds a valid value in which `fixed` questions keep their answers.
pub(super) fn solve(
    schemas: &Schemas<'_>,
    judge: &Judge<'_>,
    size: Size,
    fixed: &Choices,
    attempts: usize,
) -> Option<Solved> {
    let mut choices = fixed.clone();
    let mut tried: BTreeMap<(String, Question), usize> = BTreeMap::new();
    for _ in 0..attempts {
        let mut sampler = Sampler::new(schemas, &choices, size);
        let value = sampler.value(&[schemas.root], "", 0);
        let asked = sampler.asked;
        let faults = match value {
            Some(value) if judge.accepts(&value) => {
                return Some(Solved {
                    value,
                    choices,
                    asked,
                });
            }
            Some(value) => judge.faults(&value),
            None => Vec::new(),
        };
        let next = asked
            .iter()
            .filter(|one| {
                let key = (one.at.clone(), one.question);
                !fixed.0.contains_key(&key)
                    && tried.get(&key).copied().unwrap_or(0) + 1 < one.answers
            })
            .max_by_key(|one| nearness(&one.at, &faults))?;
        let key = (next.at.clone(), next.question);
        let answer = (next.taken + 1).checked_rem(next.answers)?;
        *tried.entry(key.clone()).or_default() += 1;
        choices.0.insert(key, answer);
    }
    None
}

/// How much the question at `at` has to do with one of the faults.
fn nearness(at: &str, faults: &[String]) -> (bool, usize) {
    let above = |fault: &String| fault.starts_with(at);
    let below = |fault: &String| at.starts_with(fault.as_str());
    if faults.iter().any(above) {
        (true, at.len())
    } else if faults.iter().any(below) {
        (true, 0)
    } else {
        (false, 0)
    }
}

/// A value with as much in it as the schema accepts together: the full sample where it is valid,
/// else `minimal` and what can be added to it one member at a time.
pub(super) fn full(schemas: &Schemas<'_>, judge: &Judge<'_>, minimal: &Solved) -> Option<Solved> {
    if let Some(full) = solve(schemas, judge, Size::Full, &Choices::default(), 8) {
        return Some(full);
    }
    let choices = minimal.choices.clone();
    let mut sampler = Sampler::new(schemas, &choices, Size::Full);
    let sample = sampler.value(&[schemas.root], "", 0)?;
    let asked = sampler.asked;
    let mut value = minimal.value.clone();
    let missing: BTreeSet<&String> = match (&sample, &value) {
        (Value::Object(all), Value::Object(few)) => {
            all.keys().filter(|name| !few.contains_key(*name)).collect()
        }
        _ => BTreeSet::new(),
    };
    for (name, member) in sample.as_object().into_iter().flatten() {
        if !missing.contains(name) {
            continue;
        }
        let mut more = value.clone();
        if let Value::Object(members) = &mut more {
            members.insert(name.clone(), member.clone());
        }
        if judge.accepts(&more) {
            value = more;
        }
    }
    Some(Solved {
        value,
        choices,
        asked,
    })
}
