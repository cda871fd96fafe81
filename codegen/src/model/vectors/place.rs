//! What a schema in normal form asks of one place of a value: every schema that applies there,
//! with one alternative taken of each union. Linear: a reference is followed once a place.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Map, Value};
use toolcontract_schema::{Formats, Validator, normal::definition_name, walk::each};

use crate::model::shape::TypeSet;

/// How many schemas may apply to one place.
const MAX_APPLIED: usize = 256;
/// How often heights are worked out anew; more only for long chains of references.
const MAX_ROUNDS: usize = 40;

/// The keywords of one schema object.
pub(super) type Keywords = Map<String, Value>;

/// A schema in normal form, and what is known of its parts.
pub(super) struct Schemas<'s> {
    pub(super) root: &'s Value,
    /// Each schema by where it stands in memory: the levels that its smallest value has; none when
    /// it has no value.
    heights: HashMap<*const Value, Option<u32>>,
    /// Compiled patterns; none for one that does not compile.
    patterns: HashMap<&'s str, Option<Validator>>,
}

/// Which alternative is taken, by place and union.
#[derive(Debug, Clone, Default)]
pub(super) struct Choices(pub(super) BTreeMap<(String, Question), usize>);

/// What is open at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Question {
    /// The nth union of the place, in reading order.
    Branch(usize),
    /// Which type, of several.
    Type,
    /// Which value, of those that fit equally.
    Value,
}

/// A question that came up, and how many answers it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) at: String,
    pub(super) question: Question,
    pub(super) answers: usize,
    pub(super) taken: usize,
}

/// Everything that applies to one value.
#[derive(Debug, Default)]
pub(super) struct Place<'s> {
    pub(super) all: Vec<&'s Keywords>,
    /// `false` applies.
    pub(super) refused: bool,
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
        match definition_name(reference.as_str()?)? {
            name if name.is_empty() => Some(self.root),
            name => self.root.get("$defs")?.get(name),
        }
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
                ("required", Value::Array(names)) if may_be(keywords, TypeSet::OBJECT) => {
                    let properties = keywords.get("properties");
                    let mut most = 0;
                    for name in names.iter().filter_map(Value::as_str) {
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

/// Asks a question: what `choices` say, else `usual`.
pub(super) fn ask(
    at: &str,
    question: Question,
    answers: usize,
    usual: usize,
    choices: &Choices,
    asked: &mut Vec<Asked>,
) -> usize {
    let key = (at.to_owned(), question);
    let taken = choices.0.get(&key).copied().unwrap_or(usual);
    let taken = taken.min(answers.saturating_sub(1));
    asked.push(Asked {
        at: key.0,
        question,
        answers,
        taken,
    });
    taken
}

impl<'s> Place<'s> {
    /// The values of a keyword, wherever it stands.
    pub(super) fn each(&self, keyword: &'static str) -> impl Iterator<Item = &'s Value> {
        self.all.iter().filter_map(move |k| k.get(keyword))
    }

    /// The largest count that a keyword asks for.
    pub(super) fn at_least(&self, keyword: &'static str) -> Option<usize> {
        self.each(keyword).filter_map(count).max()
    }

    /// The smallest count that a keyword allows.
    pub(super) fn at_most(&self, keyword: &'static str) -> Option<usize> {
        self.each(keyword).filter_map(count).min()
    }

    /// The types that all allow.
    pub(super) fn types(&self) -> TypeSet {
        self.each("type")
            .map(TypeSet::from_keyword)
            .fold(TypeSet::ALL, |all, one| all & one)
    }

    /// Whether numbers have to be whole.
    pub(super) fn is_whole(&self) -> bool {
        self.each("type").any(|word| match word {
            Value::String(word) => word == "integer",
            Value::Array(words) => {
                words.iter().any(|w| w == "integer") && !words.iter().any(|w| w == "number")
            }
            _ => false,
        })
    }

    /// The values that all lists have; none when nothing is listed.
    pub(super) fn listed(&self) -> Option<Vec<&'s Value>> {
        let lists = self.all.iter().filter_map(|keywords| {
            match (keywords.get("const"), keywords.get("enum")) {
                (Some(one), _) => Some(std::slice::from_ref(one)),
                (None, Some(Value::Array(many))) => Some(many.as_slice()),
                _ => None,
            }
        });
        let mut found: Option<Vec<&'s Value>> = None;
        for list in lists {
            found = Some(match found {
                None => list.iter().collect(),
                Some(mut both) => {
                    both.retain(|value| list.contains(value));
                    both
                }
            });
        }
        found
    }

    /// The schemas of the member `name`.
    pub(super) fn member(&self, schemas: &Schemas<'_>, name: &str) -> Vec<&'s Value> {
        let mut found = Vec::new();
        let mut spoken = false;
        for keywords in &self.all {
            let mut own = false;
            if let Some(schema) = keywords.get("properties").and_then(|p| p.get(name)) {
                own = true;
                found.push(schema);
            }
            let patterns = keywords.get("patternProperties").and_then(Value::as_object);
            for (pattern, schema) in patterns.into_iter().flatten() {
                if schemas.fits(pattern, name) {
                    own = true;
                    found.push(schema);
                }
            }
            if !own && let Some(schema) = keywords.get("additionalProperties") {
                own = true;
                found.push(schema);
            }
            spoken |= own;
        }
        if !spoken {
            found.extend(self.each("unevaluatedProperties"));
        }
        found
    }

    /// The schemas of the item at `index`.
    pub(super) fn item(&self, index: usize) -> Vec<&'s Value> {
        let mut found = Vec::new();
        let mut spoken = false;
        for keywords in &self.all {
            let own = keywords
                .get("prefixItems")
                .and_then(|items| items.get(index));
            let schema = own.or_else(|| keywords.get("items"));
            spoken |= schema.is_some();
            found.extend(schema);
        }
        if !spoken {
            found.extend(self.each("unevaluatedItems"));
        }
        found
    }
}

fn may_be(keywords: &Keywords, types: TypeSet) -> bool {
    keywords
        .get("type")
        .is_none_or(|word| TypeSet::from_keyword(word) == types)
}

fn least(keywords: &Keywords, keyword: &str) -> usize {
    keywords.get(keyword).and_then(count).unwrap_or(0)
}

fn prefix(keywords: &Keywords) -> usize {
    let items = keywords.get("prefixItems").and_then(Value::as_array);
    items.map_or(0, Vec::len)
}

/// A count, also when it is spelled `2.0`.
pub(super) fn count(value: &Value) -> Option<usize> {
    let count = value.as_u64().or_else(|| {
        let float = value.as_f64()?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates"
        )]
        (float.fract() == 0.0 && float >= 0.0).then_some(float as u64)
    })?;
    usize::try_from(count).ok()
}
