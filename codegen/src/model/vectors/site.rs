//! The places of a value at which something can be changed, each in the smallest valid value that
//! has it.

use serde_json::{Map, Value};
use toolcontract_schema::pointer::join;

use super::{judge::Judge, place::Place, question::Choices, schemas::Schemas, solve::Solved};

/// How many places of a value are looked at.
const MAX_SITES: usize = 60;
/// How deep.
const MAX_LEVELS: usize = 6;
/// How many members of a root are tried to be left out.
const MAX_DROPPED: usize = 32;

/// One place.
#[derive(Debug)]
pub(super) struct Site<'s> {
    /// The way there.
    pub(super) tokens: Vec<String>,
    pub(super) place: Place<'s>,
    /// What a full value has there.
    pub(super) full: Value,
    /// A valid value that has the place.
    whole: Value,
}

impl Site<'_> {
    /// The value at the place.
    pub(super) fn value(&self) -> Option<&Value> {
        get(&self.whole, &self.tokens)
    }

    /// The whole value with `new` at the place.
    pub(super) fn with(&self, new: Value) -> Option<Value> {
        let mut whole = self.whole.clone();
        *get_mut(&mut whole, &self.tokens)? = new;
        Some(whole)
    }

    /// What the place is called: `/limit`, or nothing for the root.
    pub(super) fn name(&self) -> String {
        self.tokens
            .iter()
            .fold(String::new(), |at, token| join(&at, token))
    }
}

/// The places of `full`, parents first.
pub(super) fn sites<'s>(
    schemas: &Schemas<'s>,
    judge: &Judge<'_>,
    minimal: &Value,
    full: &Solved,
) -> Vec<Site<'s>> {
    let mut sites = Vec::new();
    let mut open = vec![(Vec::<String>::new(), String::new(), vec![schemas.root])];
    while let Some((tokens, at, applied)) = open.pop() {
        if sites.len() >= MAX_SITES {
            break;
        }
        let Some(value) = get(&full.value, &tokens) else {
            continue;
        };
        let place = opened(schemas, &applied, &at, value, &full.choices);
        if tokens.len() < MAX_LEVELS {
            let below: Vec<(String, Vec<&'s Value>)> = match value {
                Value::Object(members) => members
                    .keys()
                    .map(|name| (name.clone(), place.member(schemas, name)))
                    .collect(),
                Value::Array(items) => (0..items.len().min(3))
                    .map(|index| (index.to_string(), place.item(index)))
                    .collect(),
                _ => Vec::new(),
            };
            for (token, applied) in below.into_iter().rev() {
                let mut tokens = tokens.clone();
                let at = join(&at, &token);
                tokens.push(token);
                open.push((tokens, at, applied));
            }
        }
        let mut whole = minimal.clone();
        graft(&mut whole, &full.value, &tokens);
        if get(&whole, &tokens).is_none() || !judge.accepts(&whole) {
            whole = smallest(&full.value, &tokens, judge);
        }
        sites.push(Site {
            tokens,
            place,
            full: value.clone(),
            whole,
        });
    }
    sites
}

/// `full` without the members of its root that the place can do without.
fn smallest(full: &Value, tokens: &[String], judge: &Judge<'_>) -> Value {
    let mut whole = full.clone();
    let names: Vec<String> = full
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .cloned()
        .collect();
    for name in names.into_iter().rev().take(MAX_DROPPED) {
        if tokens.first() == Some(&name) {
            continue;
        }
        let mut fewer = whole.clone();
        if let Value::Object(members) = &mut fewer {
            members.shift_remove(&name);
        }
        if judge.accepts(&fewer) {
            whole = fewer;
        }
    }
    whole
}

/// What applies to `value`, also because of the members that it has.
fn opened<'s>(
    schemas: &Schemas<'s>,
    applied: &[&'s Value],
    at: &str,
    value: &Value,
    choices: &Choices,
) -> Place<'s> {
    let levels = 3_u32.saturating_sub(u32::try_from(at.matches('/').count()).unwrap_or(3));
    let mut place = schemas.open(applied, at, levels, choices, &mut Vec::new());
    for keywords in place.all.clone() {
        let needs = keywords.get("dependentSchemas").and_then(Value::as_object);
        for (name, schema) in needs.into_iter().flatten() {
            if value.get(name).is_some() {
                let more = schemas.open(&[schema], at, levels, choices, &mut Vec::new());
                place.all.extend(more.all);
            }
        }
    }
    place
}

/// Puts into `whole` what `full` has on the way to `tokens` and `whole` lacks.
pub(super) fn graft(whole: &mut Value, full: &Value, tokens: &[String]) {
    let (mut here, mut there) = (whole, full);
    for token in tokens {
        let Some(wanted) = step(there, token) else {
            return;
        };
        there = wanted;
        match here {
            Value::Object(members) => {
                if !members.contains_key(token) {
                    members.insert(token.clone(), wanted.clone());
                    return;
                }
            }
            Value::Array(items) => {
                if token
                    .parse::<usize>()
                    .is_ok_and(|index| index == items.len())
                {
                    items.push(wanted.clone());
                    return;
                }
            }
            _ => return,
        }
        match step_mut(here, token) {
            Some(next) => here = next,
            None => return,
        }
    }
}

fn step<'v>(value: &'v Value, token: &str) -> Option<&'v Value> {
    match value {
        Value::Object(members) => members.get(token),
        Value::Array(items) => items.get(token.parse::<usize>().ok()?),
        _ => None,
    }
}

fn step_mut<'v>(value: &'v mut Value, token: &str) -> Option<&'v mut Value> {
    match value {
        Value::Object(members) => members.get_mut(token),
        Value::Array(items) => items.get_mut(token.parse::<usize>().ok()?),
        _ => None,
    }
}

fn get<'v>(value: &'v Value, tokens: &[String]) -> Option<&'v Value> {
    tokens
        .iter()
        .try_fold(value, |value, token| step(value, token))
}

fn get_mut<'v>(value: &'v mut Value, tokens: &[String]) -> Option<&'v mut Value> {
    tokens
        .iter()
        .try_fold(value, |value, token| step_mut(value, token))
}
