//! Makes a value that is meant to fit. Whether it does, the validator says; `solve` asks it and
//! answers the open questions otherwise where it does not.

mod object;

use serde_json::Value;
use toolcontract_schema::pointer::join;

use super::{
    number,
    place::{Place, count},
    question::{Asked, Choices, Question, ask},
    schemas::Schemas,
    text,
};
use crate::model::shape::TypeSet;

/// The most values that one sample holds.
const MAX_VALUES: u32 = 400;
/// The deepest that a sample nests.
const MAX_LEVELS: u32 = 24;
/// The most members or items that are made only to reach a count.
const MAX_FILL: usize = 64;

/// How much of what may be absent is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// Only what must be there.
    Minimal,
    /// Everything, two levels deep.
    Full,
}

/// One attempt.
pub(super) struct Sampler<'a, 's> {
    pub(super) schemas: &'a Schemas<'s>,
    pub(super) choices: &'a Choices,
    pub(super) asked: Vec<Asked>,
    size: Size,
    left: u32,
}

/// Where a value stands.
#[derive(Clone, Copy)]
struct Spot<'p> {
    at: &'p str,
    /// Levels above it.
    depth: u32,
    /// Makes values that have to differ do so.
    nth: usize,
}

impl<'a, 's> Sampler<'a, 's> {
    pub(super) fn new(schemas: &'a Schemas<'s>, choices: &'a Choices, size: Size) -> Self {
        Self {
            schemas,
            choices,
            asked: Vec::new(),
            size,
            left: MAX_VALUES,
        }
    }

    /// A value for the place `at` where `schemas` apply; none when it would be too large, or when
    /// plainly nothing fits.
    pub(super) fn value(&mut self, schemas: &[&'s Value], at: &str, nth: usize) -> Option<Value> {
        let depth = u32::try_from(at.matches('/').count()).unwrap_or(u32::MAX);
        self.at(schemas, Spot { at, depth, nth })
    }

    fn at(&mut self, schemas: &[&'s Value], spot: Spot<'_>) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        if spot.depth > MAX_LEVELS {
            return None;
        }
        let levels = self.levels(spot.depth);
        let place = self
            .schemas
            .open(schemas, spot.at, levels, self.choices, &mut self.asked);
        if place.refused {
            return None;
        }
        if let Some(listed) = place.listed() {
            return self.one_of(&listed, spot).cloned();
        }
        let types = place.types();
        let likely: Vec<TypeSet> = likely(&place)
            .into_iter()
            .filter(|one| types.contains(*one))
            .collect();
        match *self.pick(&likely, Question::Type, spot)? {
            TypeSet::NULL => Some(Value::Null),
            TypeSet::BOOL => Some(Value::Bool(spot.nth.is_multiple_of(2))),
            TypeSet::NUMBER => number::fitting(&place, spot.nth).map(Value::Number),
            TypeSet::STRING => {
                let texts = text::fitting(&place, self.schemas, spot.nth);
                self.pick(&texts, Question::Value, spot)
                    .cloned()
                    .map(Value::String)
            }
            TypeSet::ARRAY => self.array(&place, spot),
            _ => self.object(&place, spot),
        }
    }

    /// How deep optional parts may go on.
    fn levels(&self, depth: u32) -> u32 {
        match self.size {
            Size::Minimal => 0,
            Size::Full => 3_u32.saturating_sub(depth),
        }
    }

    fn pick<'v, T>(&mut self, of: &'v [T], question: Question, spot: Spot<'_>) -> Option<&'v T> {
        if of.len() < 2 {
            return of.first();
        }
        let taken = ask(
            spot.at,
            question,
            of.len(),
            0,
            self.choices,
            &mut self.asked,
        );
        of.get(taken)
    }

    /// One of the listed values, another one for each `nth`.
    fn one_of<'v>(&mut self, of: &[&'v Value], spot: Spot<'_>) -> Option<&'v Value> {
        let usual = spot.nth.checked_rem(of.len())?;
        let taken = ask(
            spot.at,
            Question::Value,
            of.len(),
            usual,
            self.choices,
            &mut self.asked,
        );
        of.get(taken).copied()
    }

    fn array(&mut self, place: &Place<'s>, spot: Spot<'_>) -> Option<Value> {
        let most = place.at_most("maxItems").unwrap_or(usize::MAX);
        let mut wanted = place.at_least("minItems").unwrap_or(0);
        let prefix = place
            .each("prefixItems")
            .filter_map(Value::as_array)
            .map(Vec::len)
            .max()
            .unwrap_or(0);
        let is_full = self.levels(spot.depth) > 0;
        if is_full {
            wanted = wanted.max(prefix.max(1)).min(most);
        }
        if wanted > MAX_FILL {
            return None;
        }
        let unique = place.each("uniqueItems").any(|v| v == &Value::Bool(true));
        let mut items = Vec::new();
        for contains in place.all.iter().filter(|k| k.contains_key("contains")) {
            let least = match contains.get("minContains") {
                None => 1,
                least => count(least)?,
            };
            for nth in 0..least.min(MAX_FILL) {
                let mut schemas = place.item(items.len());
                schemas.extend(contains.get("contains"));
                let nth = if unique { items.len() } else { nth };
                items.push(self.below(&schemas, &items.len().to_string(), spot, nth)?);
            }
        }
        while items.len() < wanted {
            let nth = if unique { items.len() } else { spot.nth };
            let schemas = place.item(items.len());
            let item = self.below(&schemas, &items.len().to_string(), spot, nth);
            match item {
                Some(item) => items.push(item),
                None if is_full && items.len() >= place.at_least("minItems").unwrap_or(0) => break,
                None => return None,
            }
        }
        Some(Value::Array(items))
    }

    fn below(
        &mut self,
        schemas: &[&'s Value],
        token: &str,
        spot: Spot<'_>,
        nth: usize,
    ) -> Option<Value> {
        let at = join(spot.at, token);
        let spot = Spot {
            at: &at,
            depth: spot.depth.saturating_add(1),
            nth,
        };
        self.at(schemas, spot)
    }
}

/// The types, those first that the keywords speak of, then those that are plain to read.
fn likely(place: &Place<'_>) -> Vec<TypeSet> {
    let says = |words: &[&str]| {
        place
            .all
            .iter()
            .any(|keywords| words.iter().any(|word| keywords.contains_key(*word)))
    };
    let mut types = vec![
        (
            TypeSet::STRING,
            says(&["minLength", "maxLength", "pattern", "format"]),
        ),
        (
            TypeSet::OBJECT,
            says(&[
                "properties",
                "required",
                "patternProperties",
                "additionalProperties",
                "propertyNames",
                "minProperties",
                "maxProperties",
                "unevaluatedProperties",
            ]),
        ),
        (
            TypeSet::ARRAY,
            says(&[
                "items",
                "prefixItems",
                "contains",
                "minItems",
                "maxItems",
                "uniqueItems",
                "unevaluatedItems",
            ]),
        ),
        (
            TypeSet::NUMBER,
            says(&[
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
            ]),
        ),
        (TypeSet::BOOL, false),
        (TypeSet::NULL, false),
    ];
    types.sort_by_key(|(_, said)| !said);
    types.into_iter().map(|(one, _)| one).collect()
}
