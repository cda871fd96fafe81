//! Reads the shape of a schema: what its own keywords say, met with what `$ref` and `allOf` say,
//! then with the alternatives of `anyOf` and `oneOf`.
//!
//! Bounded: nesting beyond [`MAX_DEPTH`] is anything, and so is what a chain of merged references
//! would copy beyond [`MAX_COPIES`] nodes.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use toolcontract_schema::{Normal, normal::Target, vocabulary::TS, walk::each};

use super::{
    Numbers, Ref, Shape, Shapes, TypeSet, Variant, json_type,
    scalar::{is_open, listed},
    types::MAX_STEPS,
};

/// How deep reading and merging may recurse. Documents nest to 64; the rest is for merging.
const MAX_DEPTH: usize = 128;

/// How many schema nodes are read again because a reference had to be merged.
const MAX_COPIES: usize = 20_000;

/// Reads one schema.
pub(super) struct Reader<'a> {
    root: &'a Value,
    defs: Option<&'a Map<String, Value>>,
    shared: &'a BTreeMap<String, String>,
    /// Integers beyond ±(2^53 - 1) are refused before a value gets here.
    pub(super) narrow: bool,
    copies: usize,
    pub(super) depth: usize,
    /// The references whose targets are being read, innermost last.
    pub(super) reading: Vec<Ref>,
    /// The pairs of references that are being merged, innermost last.
    pub(super) meeting: Vec<(Ref, Ref)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(normal: &'a Normal, numbers: Numbers) -> Self {
        Self {
            root: &normal.schema,
            defs: normal.schema.get("$defs").and_then(Value::as_object),
            shared: &normal.shared,
            narrow: numbers == Numbers::Interoperable && !opts_in(&normal.schema),
            copies: MAX_COPIES,
            depth: MAX_DEPTH,
            reading: Vec::new(),
            meeting: Vec::new(),
        }
    }

    pub(super) fn read(mut self) -> Shapes {
        let root = self.target(&Ref::Root);
        let said = |schema: &Value| schema.as_object().and_then(description);
        let defs = self.defs.into_iter().flatten();
        let descriptions = defs
            .clone()
            .filter_map(|(key, schema)| Some((key.clone(), said(schema)?)))
            .collect();
        let defs = defs
            .map(|(key, _)| (key.clone(), self.target(&self.named(key))))
            .collect();
        Shapes {
            root,
            defs,
            description: said(self.root),
            descriptions,
        }
    }

    /// The shape of what `reference` names, read for the first time.
    fn target(&mut self, reference: &Ref) -> Shape {
        let Some(schema) = self.schema_of(reference) else {
            return Shape::Any;
        };
        self.reading.push(reference.clone());
        let shape = self.shape(schema, TypeSet::ALL);
        self.reading.pop();
        shape
    }

    /// The shape behind `reference`, to be merged with another: never a reference itself.
    /// Anything when the reference is being read already, which a conjunction may always assume.
    pub(super) fn behind(&mut self, reference: &Ref) -> Shape {
        if self.reading.contains(reference) {
            return Shape::Any;
        }
        match self.target(reference) {
            Shape::Ref(next) => {
                self.reading.push(reference.clone());
                let shape = self.behind(&next);
                self.reading.pop();
                shape
            }
            shape => shape,
        }
    }

    pub(super) fn schema_of(&self, reference: &Ref) -> Option<&'a Value> {
        match reference.key() {
            None => Some(self.root),
            Some(key) => self.defs.and_then(|defs| defs.get(key)),
        }
    }

    fn named(&self, key: &str) -> Ref {
        match self.shared.get(key) {
            Some(reference) => Ref::Shared {
                key: key.to_owned(),
                reference: reference.clone(),
            },
            None => Ref::Def(key.to_owned()),
        }
    }

    /// What a `$ref` in normal form names.
    pub(super) fn reference(&self, value: &Value) -> Option<Ref> {
        match Target::of(value.as_str()?)? {
            Target::Root => Some(Ref::Root),
            Target::Definition(key) => self.defs?.contains_key(&key).then(|| self.named(&key)),
        }
    }

    /// The shape of `schema`, of which the surrounding conjunction admits only `context`.
    pub(super) fn shape(&mut self, schema: &'a Value, context: TypeSet) -> Shape {
        let Value::Object(keywords) = schema else {
            return Shape::Any;
        };
        if self.reading.len() > 1 {
            match self.copies.checked_sub(1) {
                Some(left) => self.copies = left,
                None => return Shape::Any,
            }
        }
        let types = context & self.types(schema, &mut { MAX_STEPS });
        if types == TypeSet::NONE {
            return Shape::Any;
        }
        let Some(left) = self.depth.checked_sub(1) else {
            return Shape::Any;
        };
        self.depth = left;
        let shape = self.conjunction(keywords, types);
        self.depth = left + 1;
        shape
    }

    fn conjunction(&mut self, keywords: &'a Map<String, Value>, types: TypeSet) -> Shape {
        let mut shape = Shape::Any;
        let mut own = false;
        for (keyword, value) in keywords {
            match keyword.as_str() {
                "$ref" => {
                    if let Some(reference) = self.reference(value) {
                        shape = self.meet(shape, Shape::Ref(reference));
                    }
                }
                "allOf" => {
                    for part in value.as_array().into_iter().flatten() {
                        let part = self.shape(part, types);
                        shape = self.meet(shape, part);
                    }
                }
                "type"
                | "enum"
                | "const"
                | "properties"
                | "required"
                | "patternProperties"
                | "additionalProperties"
                | "items"
                | "prefixItems"
                    if !own =>
                {
                    own = true;
                    let part = self.own(keywords, types);
                    shape = self.meet(shape, part);
                }
                _ => {}
            }
        }
        for keyword in ["oneOf", "anyOf"] {
            if let Some(Value::Array(branches)) = keywords.get(keyword) {
                shape = self.alternatives(shape, branches, types);
            }
        }
        self.close(&mut shape, keywords);
        describe(&mut shape, description(keywords));
        shape
    }

    /// What `branches`, of which at least one must hold, make of `shape`.
    fn alternatives(&mut self, shape: Shape, branches: &'a [Value], types: TypeSet) -> Shape {
        let variants: Vec<Variant> = branches
            .iter()
            .filter(|branch| **branch != Value::Bool(false))
            .map(|branch| {
                let shape = self.shape(branch, types);
                Variant {
                    name: super::join::hint(&shape),
                    shape,
                    description: branch.as_object().and_then(description),
                }
            })
            .collect();
        self.distribute(shape, variants)
    }

    /// What the keywords beside `$ref` and the applicators say.
    fn own(&mut self, keywords: &'a Map<String, Value>, types: TypeSet) -> Shape {
        if let Some(shape) = listed(keywords, types) {
            return shape;
        }
        if types == TypeSet::ALL || !speaks_of(keywords, types) {
            return Shape::Any;
        }
        let mut variants = Vec::new();
        for one in TypeSet::EACH {
            if !types.contains(one) {
                continue;
            }
            let shape = match one {
                TypeSet::NULL => Shape::Null,
                TypeSet::BOOL => Shape::Bool,
                TypeSet::NUMBER => self.number(keywords),
                TypeSet::STRING => Shape::String,
                TypeSet::ARRAY => self.array(keywords),
                _ => self.object(keywords),
            };
            variants.push(Variant {
                name: super::join::hint(&shape),
                shape,
                description: None,
            });
        }
        self.join(variants)
    }

    /// The JSON types that `schema` may accept; every type when `steps` run out.
    pub(super) fn types(&self, schema: &Value, steps: &mut usize) -> TypeSet {
        let Some(left) = steps.checked_sub(1) else {
            return TypeSet::ALL;
        };
        *steps = left;
        let keywords = match schema {
            Value::Object(keywords) => keywords,
            Value::Bool(false) => return TypeSet::NONE,
            _ => return TypeSet::ALL,
        };
        let mut types = TypeSet::ALL;
        for (keyword, value) in keywords {
            let said = match (keyword.as_str(), value) {
                ("type", _) => TypeSet::from_keyword(value),
                ("const", _) => json_type(value),
                ("enum", Value::Array(_)) if is_open(keywords) && keywords.contains_key("type") => {
                    TypeSet::ALL
                }
                ("enum", Value::Array(values)) => values
                    .iter()
                    .fold(TypeSet::NONE, |all, v| all | json_type(v)),
                ("$ref", _) => match self.reference(value).and_then(|r| self.schema_of(&r)) {
                    Some(target) => self.types(target, steps),
                    None => TypeSet::ALL,
                },
                ("allOf", Value::Array(parts)) => parts
                    .iter()
                    .fold(TypeSet::ALL, |all, p| all & self.types(p, steps)),
                ("anyOf" | "oneOf", Value::Array(branches)) => branches
                    .iter()
                    .fold(TypeSet::NONE, |all, b| all | self.types(b, steps)),
                _ => TypeSet::ALL,
            };
            types = types & said;
        }
        types
    }
}

/// Whether `x-ts` admits integers beyond ±(2^53 - 1) somewhere in an authored schema.
#[must_use]
pub fn opts_in(schema: &Value) -> bool {
    let mut found = false;
    each(schema, &mut |node| found |= node.get(TS).is_some());
    found
}

/// Whether a keyword shapes values of one of `types`, so that there is more to say than the types themselves.
fn speaks_of(keywords: &Map<String, Value>, types: TypeSet) -> bool {
    let says = |words: &[&str]| words.iter().any(|word| keywords.contains_key(*word));
    says(&["type"])
        || (types.contains(TypeSet::ARRAY) && says(&["items", "prefixItems"]))
        || (types.contains(TypeSet::OBJECT)
            && says(&[
                "properties",
                "required",
                "patternProperties",
                "additionalProperties",
            ]))
}

pub(super) fn description(keywords: &Map<String, Value>) -> Option<String> {
    let text = keywords.get("description")?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Gives a shape that has a place for it its description.
fn describe(shape: &mut Shape, text: Option<String>) {
    let Some(text) = text else { return };
    match shape {
        Shape::Object(object) => object.description = Some(text),
        Shape::Enum(listed) => listed.description = Some(text),
        Shape::Union(union) => union.description = Some(text),
        Shape::Nullable(inner) => describe(inner, Some(text)),
        Shape::Any
        | Shape::Null
        | Shape::Bool
        | Shape::Integer(_)
        | Shape::Number { .. }
        | Shape::String
        | Shape::Array(_)
        | Shape::Tuple(_)
        | Shape::Ref(_) => {}
    }
}
