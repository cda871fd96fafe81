//! Picks the vectors that are kept: each kind of change once, then once more at another place,
//! until there are enough. The order is that of the schema.

use std::collections::{BTreeMap, HashSet};

use super::{Vector, change::Candidate, judge::Judge};

/// The longest value that is kept, as text; only a base may be longer.
const MAX_TEXT: usize = 4000;

/// The first `most` by rounds over the kinds. A value that is there already is dropped.
pub(super) fn select(candidates: Vec<Candidate>, judge: &Judge<'_>, most: usize) -> Vec<Vector> {
    let mut seen = HashSet::new();
    let mut rounds: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, usize, Candidate)> = Vec::new();
    for (at, candidate) in candidates.into_iter().enumerate() {
        let text = candidate.value.to_string();
        if !candidate.is_base() && text.len() > MAX_TEXT {
            continue;
        }
        if !seen.insert(text) {
            continue;
        }
        let round = if candidate.is_base() {
            0
        } else {
            let round = rounds.entry(candidate.kind).or_default();
            *round += 1;
            *round
        };
        ranked.push((round, at, candidate));
    }
    ranked.sort_by_key(|(round, at, _)| (*round, *at));
    ranked.truncate(most);
    ranked.sort_by_key(|(_, at, _)| *at);
    ranked
        .into_iter()
        .map(|(_, _, candidate)| Vector {
            valid: judge.accepts(&candidate.value),
            about: candidate.about,
            value: candidate.value,
        })
        .collect()
}
