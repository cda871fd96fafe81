//! Alternatives: told apart by a member, by their types, or only by trying.

use serde_json::{Map, Value};
use toolcontract_schema::keyword::names;

use super::Lowering;
use crate::{
    emit::{
        javascript::INHERITED,
        typescript::{
            form::{Form, Kind},
            text,
        },
    },
    model::shape::TypeSet,
};

impl<'a> Lowering<'a> {
    /// At least one of `forms`, or exactly one. They are the forms of `schemas`, in order.
    pub(super) fn union(&self, schemas: &[&'a Value], forms: Vec<Form>, exactly_one: bool) -> Form {
        let tag = self.discriminator(schemas);
        let apart = tag.is_some() || self.are_disjoint(schemas);
        if let (Some(tag), true) = (tag, forms.len() > 1) {
            return Form::of(Kind::Tagged(tag, forms));
        }
        let mut forms: Vec<Form> = forms
            .into_iter()
            .filter(|form| form.kind != Kind::Never)
            .collect();
        if forms.len() == 1 {
            return forms.swap_remove(0);
        }
        if forms.is_empty() {
            return Form::of(Kind::Never);
        }
        if let Some(merged) = literals(&forms, exactly_one) {
            return merged;
        }
        if exactly_one && !apart {
            return Form::of(Kind::OneOf(forms));
        }
        let mut flat = Vec::new();
        for form in forms {
            match form.kind {
                Kind::Union(inner) if form.checks.is_empty() => flat.extend(inner),
                _ => flat.push(form),
            }
        }
        flat.sort_by_key(|form| form.kind == Kind::Null && form.checks.is_empty());
        flat.dedup_by(|b, a| *a == *b);
        Form::of(Kind::Union(flat))
    }

    /// Whether no value has a type that two of the schemas accept.
    fn are_disjoint(&self, schemas: &[&Value]) -> bool {
        let mut seen = TypeSet::NONE;
        schemas.iter().all(|schema| {
            let types = self.types(schema);
            let apart = !seen.meets(types);
            seen = seen | types;
            apart
        })
    }

    /// The member that tells the schemas apart: required in each, with texts that no two share.
    fn discriminator(&self, schemas: &[&'a Value]) -> Option<String> {
        let maps: Vec<&Map<String, Value>> = schemas
            .iter()
            .map(|schema| match self.behind(schema).0 {
                Value::Object(map) if self.is_plain_object(map) => Some(map),
                _ => None,
            })
            .collect::<Option<_>>()?;
        let candidates = maps.first()?.get("properties")?.as_object()?.keys();
        candidates
            .filter(|key| {
                let mut seen = std::collections::BTreeSet::new();
                maps.iter().all(|map| {
                    tags(map, key).is_some_and(|tags| tags.into_iter().all(|tag| seen.insert(tag)))
                })
            })
            .map(String::clone)
            .next()
    }

    /// Whether the schema becomes a `z.ZodObject`.
    fn is_plain_object(&self, map: &Map<String, Value>) -> bool {
        let made_of_others = ["$ref", "allOf", "anyOf", "oneOf", "enum", "const"];
        TypeSet::from_keyword(map.get("type").unwrap_or(&Value::Null)) == TypeSet::OBJECT
            && !made_of_others
                .iter()
                .any(|keyword| map.contains_key(*keyword))
            && map
                .get("properties")
                .and_then(Value::as_object)
                .is_some_and(|members| !members.keys().any(|k| INHERITED.contains(&k.as_str())))
    }
}

/// The texts that a required member may be; none where it may be anything else.
fn tags<'a>(map: &'a Map<String, Value>, key: &str) -> Option<Vec<&'a str>> {
    if !names(map.get("required")).any(|name| name == key) {
        return None;
    }
    let member = map.get("properties")?.get(key)?.as_object()?;
    let only_lists = member.keys().all(|keyword| {
        matches!(keyword.as_str(), "type" | "enum" | "const")
            || (super::reach::is_note(keyword) && !keyword.starts_with("x-"))
    });
    let stated = member.get("type").and_then(Value::as_str);
    if !only_lists || stated.is_some_and(|t| t != "string") {
        return None;
    }
    match (member.get("const"), member.get("enum")) {
        (Some(Value::String(tag)), None) => Some(vec![tag]),
        (None, Some(Value::Array(tags))) => tags.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// One list of values, where every form is one and no two share a value that must not be shared.
fn literals(forms: &[Form], exactly_one: bool) -> Option<Form> {
    let mut seen = std::collections::BTreeSet::new();
    let mut all = Vec::new();
    for form in forms {
        let Form {
            kind: Kind::Literals(values),
            checks,
        } = form
        else {
            return None;
        };
        if !checks.is_empty() {
            return None;
        }
        for value in values {
            if seen.insert(text::canonical(value)) {
                all.push(value.clone());
            } else if exactly_one {
                return None;
            }
        }
    }
    Some(Form::of(Kind::Literals(all)))
}
