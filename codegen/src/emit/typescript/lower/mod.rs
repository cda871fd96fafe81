//! Turns a schema in normal form into a [`Form`]. Total: what has no form accepts nothing and says why.
//!
//! A schema without `type` speaks of any type; below an applicator it is read within the types that
//! the schema around it leaves, so that `{ "required": ["a"] }` inside an object is an object.

mod arrays;
mod composition;
mod evaluated;
mod objects;
mod reach;
mod scalars;
mod union;

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use toolcontract_schema::{Formats, Normal, keyword::is_integer, normal};

use super::form::{Check, Form, Kind, Target};
use crate::model::shape::TypeSet;

/// Turns the schemas of one document into forms.
#[derive(Debug)]
pub(super) struct Lowering<'a> {
    root: &'a Value,
    shared: BTreeMap<&'a str, &'a str>,
    formats: Formats,
}

impl<'a> Lowering<'a> {
    /// For the schemas of `normal`. Definitions that `named` knows have a module of their own.
    pub(super) fn new(normal: &'a Normal, named: &dyn Fn(&str) -> bool, formats: Formats) -> Self {
        let shared = normal
            .shared
            .iter()
            .filter(|(_, reference)| named(reference))
            .map(|(key, reference)| (key.as_str(), reference.as_str()))
            .collect();
        Self {
            root: &normal.schema,
            shared,
            formats,
        }
    }

    /// The form of the whole schema.
    pub(super) fn root(&self) -> Form {
        self.lower(self.root, TypeSet::ALL)
    }

    /// The form of a definition.
    pub(super) fn definition(&self, key: &str) -> Option<Form> {
        self.defs()?
            .get(key)
            .map(|schema| self.lower(schema, TypeSet::ALL))
    }

    /// The keys of the definitions that stay in this module, in the author's order.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &'a str> {
        self.defs()
            .into_iter()
            .flat_map(Map::keys)
            .map(String::as_str)
            .filter(|key| !self.shared.contains_key(key))
    }

    /// The schema of a definition, or the whole one.
    pub(super) fn schema(&self, target: &Target) -> Option<&'a Value> {
        match target {
            Target::Root => Some(self.root),
            Target::Local(key) => self.defs()?.get(key),
            Target::Part(_) => None,
            Target::Shared(reference) => {
                let (key, _) = self.shared.iter().find(|(_, r)| *r == reference)?;
                self.defs()?.get(*key)
            }
        }
    }

    fn defs(&self) -> Option<&'a Map<String, Value>> {
        self.root.get("$defs")?.as_object()
    }

    /// Where a reference leads, and the schema there.
    fn resolve(&self, reference: &str) -> Option<(Target, &'a Value)> {
        let target = match normal::Target::of(reference)? {
            normal::Target::Root => Target::Root,
            normal::Target::Definition(key) => match self.shared.get(key.as_str()) {
                Some(reference) => Target::Shared((*reference).to_owned()),
                None => Target::Local(key),
            },
        };
        let schema = self.schema(&target)?;
        Some((target, schema))
    }

    /// The form of `schema` where only values of the types `within` arrive.
    fn lower(&self, schema: &'a Value, within: TypeSet) -> Form {
        let Value::Object(map) = schema else {
            return if *schema == Value::Bool(false) {
                Form::of(Kind::Never)
            } else {
                plain(within)
            };
        };
        if map.contains_key("$dynamicRef") || map.contains_key("$recursiveRef") {
            return Form::of(Kind::Refused(
                "the contract uses a dynamic reference, which has no form in TypeScript".to_owned(),
            ));
        }
        let types = self.types(schema) & within;
        if types == TypeSet::NONE || self.is_false(map) {
            return Form::of(Kind::Never);
        }
        self.compose(map, types)
    }

    /// What the schema itself says, without the schemas that it is made of. None when it says
    /// nothing that `types` does not.
    fn base(&self, map: &'a Map<String, Value>, types: TypeSet) -> Option<Form> {
        if map.contains_key("enum") || map.contains_key("const") {
            return Some(self.listed(map, types));
        }
        let spoken = self.spoken_of(map);
        let integers = is_integer(map.get("type")) && types.meets(TypeSet::NUMBER);
        if !types.meets(spoken) && !integers {
            return None;
        }
        Some(if types == TypeSet::ALL {
            Form {
                kind: Kind::Unknown,
                checks: self.by_type(map, spoken),
            }
        } else {
            one_of_types(
                ordered(map, types)
                    .into_iter()
                    .map(|one| self.typed(map, one))
                    .collect(),
            )
        })
    }

    /// The form of values of the one type `one`.
    fn typed(&self, map: &'a Map<String, Value>, one: TypeSet) -> Form {
        match one {
            TypeSet::NULL => Form::of(Kind::Null),
            TypeSet::BOOL => Form::of(Kind::Boolean),
            TypeSet::NUMBER => self.number(map),
            TypeSet::STRING => self.string(map),
            TypeSet::ARRAY => self.array(map),
            _ => self.object(map),
        }
    }

    /// The assertions for each type that the schema speaks of, as checks on a value of any type.
    fn by_type(&self, map: &'a Map<String, Value>, spoken: TypeSet) -> Vec<Check> {
        TypeSet::EACH
            .into_iter()
            .filter_map(|one| Some((one, type_name(one)?)))
            .filter(|(one, _)| spoken.contains(*one))
            .map(|(one, name)| Check::WhenType(name, self.typed(map, one)))
            .collect()
    }
}

/// Any value of these types.
fn plain(types: TypeSet) -> Form {
    if types == TypeSet::ALL {
        return Form::unknown();
    }
    one_of_types(
        TypeSet::EACH
            .into_iter()
            .filter(|one| types.contains(*one))
            .map(|one| match one {
                TypeSet::NULL => Form::of(Kind::Null),
                TypeSet::BOOL => Form::of(Kind::Boolean),
                TypeSet::NUMBER => scalars::any_number(),
                TypeSet::STRING => scalars::any_string(),
                TypeSet::ARRAY => arrays::any_array(),
                _ => objects::any_object(),
            })
            .collect(),
    )
}

/// A union of forms of different types, `null` last.
fn one_of_types(mut forms: Vec<Form>) -> Form {
    forms.sort_by_key(|form| form.kind == Kind::Null);
    match (forms.pop(), forms.is_empty()) {
        (None, _) => Form::of(Kind::Never),
        (Some(only), true) => only,
        (Some(last), false) => {
            forms.push(last);
            Form::of(Kind::Union(forms))
        }
    }
}

/// The types one by one, in the author's order where there is one.
fn ordered(map: &Map<String, Value>, types: TypeSet) -> Vec<TypeSet> {
    let mut order: Vec<TypeSet> = match map.get("type") {
        Some(Value::Array(words)) => words.iter().map(TypeSet::from_keyword).collect(),
        _ => Vec::new(),
    };
    order.extend(TypeSet::EACH);
    let mut seen = TypeSet::NONE;
    order.retain(|one| {
        let first = one.is_single() && types.contains(*one) && !seen.meets(*one);
        seen = seen | *one;
        first
    });
    order
}

/// The word for a type that assertions can speak of.
fn type_name(one: TypeSet) -> Option<&'static str> {
    Some(match one {
        TypeSet::STRING => "string",
        TypeSet::NUMBER => "number",
        TypeSet::ARRAY => "array",
        TypeSet::OBJECT => "object",
        _ => return None,
    })
}
