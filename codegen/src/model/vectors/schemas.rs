//! A schema in normal form, and which of its parts apply to one place of a value: every schema that
//! speaks of it, with one alternative taken of each union. Linear: a reference is followed once a
//! place.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};
use toolcontract_schema::{Formats, Validator, keyword::names, normal::Target, walk::each};

use super::{
    place::{Keywords, Place, count},
    question::{Asked, Choices, Question, ask},
};
use crate::model::shape::TypeSet;

/// How many schemas may apply to one place.
const MAX_APPLIED: usize = 256;
/// How often heights are worked out anew; more only for long chains of references.
const MAX_ROUNDS: usize = 40;

/// A schema in normal form, and what is known of its parts.
pub(super) struct Schemas<'s> {
    pub(super) root: &'s Value,
    /// Each schema by where it stands in memory: the levels that its smallest value has; none when
    /// it has no value.
    heights: HashMap<*const Value, Option<u32>>,
    /// Compiled patterns; none for one that does not compile.
    patterns: HashMap<&'s str, Option<Validator>>,
}

impl<'s> Schemas<'s> {
    pub(super) fn new(root: &'s Value) -> Self {
        let mut patterns = HashMap::new();
        each(root, &mut |node| {
            let own = node.get("pattern").and_then(Value::as_str);
            let names = node.get("patternProperties").and_then(Value::as_object);
            let names = names.into_iter().flat_map(Map::keys).map(String::as_str);
            for pattern in own.into_iter().chain(names) {
                patterns.entry(pattern).or_insert_with(|| {
                    let schema = serde_json::json!({ "pattern": pattern });
                    Validator::compile(&schema, Formats::Annotate).ok()
                });
            }
        });
        let mut schemas = Self {
            root,
            heights: HashMap::new(),
            patterns,
        };
        schemas.measure();
        schemas
    }

    /// Whether `text` fits `pattern`; a pattern that nobody can read fits nothing.
    pub(super) fn fits(&self, pattern: &str, text: &str) -> bool {
        let compiled = self.patterns.get(pattern).and_then(Option::as_ref);
        compiled.is_some_and(|validator| validator.is_valid(&Value::from(text)))
    }

    pub(super) fn target(&self, reference: &Value) -> Option<&'s Value> {
        Target::of(reference.as_str()?)?.within(self.root)
    }

    pub(super) fn height(&self, schema: &Value) -> Option<u32> {
        match schema {
            Value::Bool(accepts) => accepts.then_some(0),
            _ => self
                .heights
                .get(&std::ptr::from_ref(schema))
                .copied()
                .flatten(),
        }
    }

    /// Works out all heights, from the leaves up until nothing changes.
    fn measure(&mut self) {
        let mut nodes = Vec::new();
        each(self.root, &mut |node| nodes.push(node));
        nodes.reverse();
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            for node in &nodes {
                let known = self.height(node);
                let now = self.height_of(node);
                if now.is_some() && (known.is_none() || now < known) {
                    self.heights.insert(std::ptr::from_ref(*node), now);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The height of `schema` as far as those of its parts are known.
    fn height_of(&self, schema: &Value) -> Option<u32> {
        let Value::Object(keywords) = schema else {
            return self.height(schema);
        };
        if keywords.contains_key("const") || keywords.contains_key("enum") {
            return Some(0);
        }
        let mut height = 0;
        for (keyword, value) in keywords {
            let one = match (keyword.as_str(), value) {
                ("$ref", _) => self.height(self.target(value)?)?,
                ("allOf", Value::Array(parts)) => {
                    let mut most = 0;
                    for part in parts {
                        most = most.max(self.height(part)?);
                    }
                    most
                }
                ("anyOf" | "oneOf", Value::Array(branches)) => {
                    branches.iter().filter_map(|b| self.height(b)).min()?
                }
                ("required", listed) if may_be(keywords, TypeSet::OBJECT) => {
                    let properties = keywords.get("properties");
                    let mut most = 0;
                    for name in names(Some(listed)) {
                        if let Some(member) = properties.and_then(|p| p.get(name)) {
                            most = most.max(self.height(member)?);
                        }
                    }
                    most.saturating_add(1)
                }
                ("items", item) if least(keywords, "minItems") > prefix(keywords) => {
                    self.height(item)?.saturating_add(1)
                }
                ("prefixItems", Value::Array(items)) => {
                    let mut most = 0;
                    for item in items.iter().take(least(keywords, "minItems")) {
                        most = most.max(self.height(item)?.saturating_add(1));
                    }
                    most
                }
                _ => 0,
            };
            height = height.max(one);
        }
        Some(height)
    }

    /// Everything that applies where `schemas` do. `levels` says how deep the value may go on from
    /// here; a branch that needs more is taken only when all do.
    pub(super) fn open(
        &self,
        schemas: &[&'s Value],
        at: &str,
        levels: u32,
        choices: &Choices,
        asked: &mut Vec<Asked>,
    ) -> Place<'s> {
        let mut place = Place::default();
        let mut seen: HashSet<*const Value> = HashSet::new();
        let mut open: Vec<&'s Value> = schemas.iter().rev().copied().collect();
        let mut unions = 0;
        while let Some(schema) = open.pop() {
            if !seen.insert(std::ptr::from_ref(schema)) || place.all.len() >= MAX_APPLIED {
                continue;
            }
            let keywords = match schema {
                Value::Bool(false) => {
                    place.refused = true;
                    continue;
                }
                Value::Object(keywords) => keywords,
                _ => continue,
            };
            place.all.push(keywords);
            for (keyword, value) in keywords {
                match (keyword.as_str(), value) {
                    ("$ref", reference) => open.extend(self.target(reference)),
                    ("allOf", Value::Array(parts)) => open.extend(parts.iter().rev()),
                    ("anyOf" | "oneOf", Value::Array(branches)) if !branches.is_empty() => {
                        let question = Question::Branch(unions);
                        unions += 1;
                        let usual = self.usual(branches, levels);
                        let taken = ask(at, question, branches.len(), usual, choices, asked);
                        open.extend(branches.get(taken));
                    }
                    ("if", condition)
                        if keywords.contains_key("then") || keywords.contains_key("else") =>
                    {
                        let question = Question::Branch(unions);
                        unions += 1;
                        match ask(at, question, 2, 0, choices, asked) {
                            0 => open.extend(keywords.get("else")),
                            _ => open.extend([condition].into_iter().chain(keywords.get("then"))),
                        }
                    }
                    _ => {}
                }
            }
        }
        place
    }

    /// The first branch that fits into `levels`, else the one of least height.
    fn usual(&self, branches: &[Value], levels: u32) -> usize {
        let heights = || branches.iter().map(|branch| self.height(branch));
        let fits = |height: Option<u32>| height.is_some_and(|height| height <= levels);
        heights().position(fits).unwrap_or_else(|| {
            let least = heights()
                .enumerate()
                .min_by_key(|(_, height)| height.unwrap_or(u32::MAX));
            least.map_or(0, |(at, _)| at)
        })
    }
}

fn may_be(keywords: &Keywords, types: TypeSet) -> bool {
    keywords
        .get("type")
        .is_none_or(|word| TypeSet::from_keyword(word) == types)
}

fn least(keywords: &Keywords, keyword: &str) -> usize {
    count(keywords.get(keyword)).unwrap_or(0)
}

fn prefix(keywords: &Keywords) -> usize {
    let items = keywords.get("prefixItems").and_then(Value::as_array);
    items.map_or(0, Vec::len)
}
