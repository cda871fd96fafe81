//! The members of an object that is meant to fit: those that must be there, what they bring along,
//! and in a full sample the optional ones.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use toolcontract_schema::{keyword::names, pointer::join};

use super::{MAX_FILL, Sampler, Spot};
use crate::model::vectors::{place::Place, text};

/// How many optional members one object of a full sample gets.
const MAX_OPTIONAL: usize = 24;

impl<'s> Sampler<'_, 's> {
    pub(super) fn object(&mut self, place: &Place<'s>, spot: Spot<'_>) -> Option<Value> {
        let mut place = Place {
            all: place.all.clone(),
            refused: false,
        };
        let mut wanted: BTreeSet<&str> = BTreeSet::new();
        let declared: Vec<&'s String> = place
            .each("properties")
            .filter_map(Value::as_object)
            .flat_map(Map::keys)
            .collect();
        let most = place.at_most("maxProperties").unwrap_or(usize::MAX);
        if self.levels(spot.depth) > 0 {
            wanted.extend(declared.iter().take(MAX_OPTIONAL).map(|name| name.as_str()));
            if wanted.len() > most {
                wanted.clear();
            }
        }
        let optional = wanted.clone();
        self.complete(&mut place, &mut wanted, spot);
        let required = required(&place);
        let least = place.at_least("minProperties").unwrap_or(0);
        for name in &declared {
            if wanted.len() >= least {
                break;
            }
            wanted.insert(name);
        }

        let mut members = Map::new();
        let order = declared.iter().map(|name| name.as_str());
        let undeclared = wanted.iter().copied();
        let order: Vec<&str> = order.chain(undeclared).collect();
        for name in order {
            if !wanted.contains(name) || members.contains_key(name) {
                continue;
            }
            let schemas = place.member(self.schemas, name);
            let optional = optional.contains(name) && !required.contains(name);
            match self.below(&schemas, name, spot, spot.nth) {
                Some(value) => {
                    members.insert(name.to_owned(), value);
                }
                None if optional => {}
                None => return None,
            }
        }
        self.fill(&place, &mut members, least, spot)?;
        Some(Value::Object(members))
    }

    /// Adds to `wanted` what must be there, and to `place` what applies because of what is there.
    fn complete<'w>(
        &mut self,
        place: &mut Place<'s>,
        wanted: &mut BTreeSet<&'w str>,
        spot: Spot<'_>,
    ) where
        's: 'w,
    {
        for _ in 0..8 {
            let before = (wanted.len(), place.all.len());
            wanted.extend(required(place));
            for keywords in place.all.clone() {
                let lists = keywords.get("dependentRequired").and_then(Value::as_object);
                for (name, needs) in lists.into_iter().flatten() {
                    if wanted.contains(name.as_str()) {
                        wanted.extend(names(Some(needs)));
                    }
                }
                let schemas = keywords.get("dependentSchemas").and_then(Value::as_object);
                for (name, schema) in schemas.into_iter().flatten() {
                    if wanted.contains(name.as_str()) {
                        let levels = self.levels(spot.depth);
                        let at = join(spot.at, &format!("{name} needs"));
                        let more = self.schemas.open(
                            &[schema],
                            &at,
                            levels,
                            self.choices,
                            &mut self.asked,
                        );
                        for keywords in more.all {
                            if !place.all.iter().any(|k| std::ptr::eq(*k, keywords)) {
                                place.all.push(keywords);
                            }
                        }
                    }
                }
            }
            if before == (wanted.len(), place.all.len()) {
                return;
            }
        }
    }

    /// Adds members that nobody named until there are `least`, and in a full sample one for each
    /// pattern.
    fn fill(
        &mut self,
        place: &Place<'s>,
        members: &mut Map<String, Value>,
        least: usize,
        spot: Spot<'_>,
    ) -> Option<()> {
        if least > MAX_FILL {
            return None;
        }
        let mut names: Vec<String> = Vec::new();
        if self.levels(spot.depth) > 0 {
            let patterns = place.each("patternProperties").filter_map(Value::as_object);
            names.extend(
                patterns
                    .flat_map(Map::keys)
                    .filter_map(|pattern| text::of_pattern(pattern, 0)),
            );
        }
        let optional = names.len();
        let rules: Vec<&'s Value> = place.each("propertyNames").collect();
        for nth in 0..least.saturating_sub(members.len()) {
            names.push(if rules.is_empty() {
                format!("member_{}", nth + 1)
            } else {
                let at = join(spot.at, &format!("name {nth}"));
                let depth = spot.depth;
                let spot = Spot {
                    at: &at,
                    depth,
                    nth,
                };
                self.at(&rules, spot)?.as_str()?.to_owned()
            });
        }
        for (nth, name) in names.into_iter().enumerate() {
            if members.contains_key(&name) {
                continue;
            }
            let schemas = place.member(self.schemas, &name);
            match self.below(&schemas, &name, spot, spot.nth) {
                Some(value) => {
                    members.insert(name, value);
                }
                None if nth < optional => {}
                None => return None,
            }
        }
        Some(())
    }
}

fn required<'s>(place: &Place<'s>) -> BTreeSet<&'s str> {
    place
        .each("required")
        .flat_map(|listed| names(Some(listed)))
        .collect()
}
