//! One thing changed: each keyword met and broken, each branch taken, each type swapped. What the
//! change makes of the value is for the validator to say.

mod list;
mod object;
mod scalar;

use serde_json::{Value, json};

use super::{
    judge::Judge,
    question::{Choices, Question},
    sample::Size,
    schemas::Schemas,
    site::{Site, graft, sites},
    solve::{Solved, solve},
};
use crate::model::shape::{TypeSet, json_type};

/// How many branches of unions are taken.
const MAX_BRANCHES: usize = 24;
/// How often a value with a branch is made anew.
const BRANCH_ATTEMPTS: usize = 8;

/// What a value without any change is called.
const BASE: &str = "base";

/// A value that may become a vector.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// What was changed; of each kind some are kept.
    pub(super) kind: &'static str,
    pub(super) about: String,
    pub(super) value: Value,
}

impl Candidate {
    pub(super) fn base(about: &str, value: Value) -> Self {
        Self {
            kind: BASE,
            about: about.to_owned(),
            value,
        }
    }

    /// Whether it is kept whatever else there is.
    pub(super) fn is_base(&self) -> bool {
        self.kind == BASE
    }
}

/// The changes at one place.
pub(super) struct Changes<'c, 's> {
    pub(super) site: &'c Site<'s>,
    pub(super) schemas: &'c Schemas<'s>,
    /// What the place is called in front of what was changed.
    name: String,
    found: Vec<Candidate>,
}

impl Changes<'_, '_> {
    /// The place with `value` instead.
    pub(super) fn put(&mut self, kind: &'static str, what: &str, value: Value) {
        let about = format!("{}{what}", self.name);
        if let Some(value) = self.site.with(value) {
            self.found.push(Candidate { kind, about, value });
        }
    }
}

/// Every change of the values that are valid.
pub(super) fn changes(
    schemas: &Schemas<'_>,
    judge: &Judge<'_>,
    minimal: &Solved,
    full: &Solved,
) -> Vec<Candidate> {
    let mut all = branches(schemas, judge, minimal, full);
    for site in &sites(schemas, judge, &minimal.value, full) {
        let name = match site.name() {
            name if name.is_empty() => String::new(),
            name => format!("`{name}`: "),
        };
        let mut changes = Changes {
            site,
            schemas,
            name,
            found: Vec::new(),
        };
        types(&mut changes);
        scalar::listed(&mut changes);
        scalar::numbers(&mut changes);
        scalar::texts(&mut changes);
        scalar::annotations(&mut changes);
        list::items(&mut changes);
        object::members(&mut changes);
        all.append(&mut changes.found);
    }
    all
}

/// What is tried when no valid value is known.
pub(super) fn without_base() -> Vec<Candidate> {
    PROBES
        .iter()
        .map(|(_, what, make)| Candidate::base(what, make()))
        .collect()
}

/// A value of each type.
type Probe = (TypeSet, &'static str, fn() -> Value);
const PROBES: [Probe; 7] = [
    (TypeSet::NULL, "null", || Value::Null),
    (TypeSet::OBJECT, "an empty object", || json!({})),
    (TypeSet::ARRAY, "an empty array", || json!([])),
    (TypeSet::STRING, "a string", || json!("text")),
    (TypeSet::NUMBER, "an integer", || json!(7)),
    (TypeSet::NUMBER, "a number with a fraction", || json!(7.5)),
    (TypeSet::BOOL, "a boolean", || json!(true)),
];

/// Null, an empty array and object, and a value of another type.
fn types(changes: &mut Changes<'_, '_>) {
    let Some(value) = changes.site.value() else {
        return;
    };
    let own = json_type(value);
    let others: Vec<&Probe> = PROBES.iter().filter(|(one, ..)| *one != own).collect();
    // Another type at each place, so that all meet all.
    let other = changes.site.name().len().checked_rem(others.len());
    let other = other.and_then(|at| others.get(at)).copied();
    for (one, what, make) in &PROBES {
        let kind = match *one {
            TypeSet::NULL => "null",
            TypeSet::ARRAY if own == TypeSet::ARRAY => "empty array",
            TypeSet::OBJECT if own == TypeSet::OBJECT => "empty object",
            _ if other.is_some_and(|(_, name, _)| name == what) => "type",
            _ => continue,
        };
        changes.put(kind, what, make());
    }
}

/// Each union with each other branch taken.
fn branches(
    schemas: &Schemas<'_>,
    judge: &Judge<'_>,
    minimal: &Solved,
    full: &Solved,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let unions = full
        .asked
        .iter()
        .filter(|asked| matches!(asked.question, Question::Branch(_) | Question::Type));
    for asked in unions {
        for answer in (0..asked.answers).filter(|answer| *answer != asked.taken) {
            if found.len() >= MAX_BRANCHES {
                return found;
            }
            let key = (asked.at.clone(), asked.question);
            let mut fixed = Choices::default();
            fixed.0.insert(key.clone(), answer);
            let about = match asked.at.as_str() {
                "" => format!("alternative {}", answer + 1),
                at => format!("`{at}`: alternative {}", answer + 1),
            };
            let taken = |solved: &Solved| {
                let mut asked = solved.asked.iter();
                asked.any(|a| a.at == key.0 && a.question == key.1 && a.taken == answer)
            };
            let least = solve(schemas, judge, Size::Minimal, &fixed, BRANCH_ATTEMPTS).filter(taken);
            let value = least.map(|least| least.value).or_else(|| {
                let full = solve(schemas, judge, Size::Full, &fixed, BRANCH_ATTEMPTS)?;
                let mut value = minimal.value.clone();
                graft(&mut value, &full.value, &tokens(&asked.at));
                Some(if judge.accepts(&value) {
                    value
                } else {
                    full.value
                })
            });
            found.extend(value.map(|value| Candidate {
                kind: "branch",
                about,
                value,
            }));
        }
    }
    found
}

fn tokens(pointer: &str) -> Vec<String> {
    let tokens = toolcontract_schema::pointer::tokens(pointer).unwrap_or_default();
    tokens.into_iter().map(|token| token.into_owned()).collect()
}
