//! Schemas made of schemas: `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if`, `dependentSchemas`.
//!
//! What adds members or values to the type becomes part of it; what only rules out becomes a check.

use serde_json::{Map, Value};

use super::{Lowering, plain, reach::is_true};
use crate::{
    emit::typescript::form::{Check, Form, Kind, Object},
    model::shape::TypeSet,
};

/// A schema in the making.
struct Parts {
    /// What the schema itself says.
    base: Option<Form>,
    /// What else the type says, and the types that each part leaves.
    parts: Vec<(Form, TypeSet)>,
    checks: Vec<Check>,
}

impl<'a> Lowering<'a> {
    /// The form of a schema whose values are of these types.
    pub(super) fn compose(&self, map: &'a Map<String, Value>, types: TypeSet) -> Form {
        let mut parts = Parts {
            base: self.base(map, types),
            parts: Vec::new(),
            checks: Vec::new(),
        };
        if let Some(form) = self.reference(map) {
            let left = self.reference_types(map);
            parts.parts.push((form, left));
        }
        self.all_of(map, types, &mut parts);
        self.any_of(map, types, &mut parts);
        self.rules(map, types, &mut parts.checks);
        parts.into_form(types)
    }

    fn reference(&self, map: &'a Map<String, Value>) -> Option<Form> {
        let reference = map.get("$ref")?.as_str()?;
        Some(match self.resolve(reference) {
            Some((target, _)) => Form::of(Kind::Ref(target)),
            None => Form::of(Kind::Refused(format!(
                "the contract refers to `{reference}`, which is not part of it"
            ))),
        })
    }

    fn reference_types(&self, map: &'a Map<String, Value>) -> TypeSet {
        map.get("$ref")
            .and_then(Value::as_str)
            .and_then(|reference| self.resolve(reference))
            .map_or(TypeSet::NONE, |(_, schema)| self.types(schema))
    }

    fn all_of(&self, map: &'a Map<String, Value>, types: TypeSet, parts: &mut Parts) {
        for schema in list(map, "allOf").filter(|schema| !is_true(schema)) {
            let form = self.lower(schema, types);
            if form.is_unknown() {
                continue;
            }
            let Some(form) = absorb(parts.base.as_mut(), form) else {
                continue;
            };
            if parts.base.as_ref().is_none_or(|base| adds(&form, base)) {
                parts.parts.push((form, self.types(schema)));
            } else {
                parts.checks.push(Check::Also(form));
            }
        }
    }

    fn any_of(&self, map: &'a Map<String, Value>, types: TypeSet, parts: &mut Parts) {
        for (keyword, exactly_one) in [("anyOf", false), ("oneOf", true)] {
            let schemas: Vec<&Value> = list(map, keyword).collect();
            if schemas.is_empty() || (!exactly_one && schemas.iter().any(|s| is_true(s))) {
                continue;
            }
            let forms: Vec<Form> = schemas.iter().map(|s| self.lower(s, types)).collect();
            let known = parts.base.as_ref();
            if known.is_some_and(|base| !forms.iter().any(|form| adds(form, base))) {
                parts.checks.push(if exactly_one {
                    Check::ExactlyOne(forms)
                } else {
                    Check::AnyOf(forms)
                });
                continue;
            }
            let left = schemas
                .iter()
                .map(|schema| self.types(schema))
                .fold(TypeSet::NONE, |all, one| all | one);
            let form = self.union(&schemas, forms, exactly_one);
            parts.parts.push((form, left));
        }
    }

    /// The keywords that only rule out.
    fn rules(&self, map: &'a Map<String, Value>, types: TypeSet, checks: &mut Vec<Check>) {
        if let Some(schema) = map.get("not") {
            match self.lower(schema, types) {
                form if form.kind == Kind::Never => {}
                form => checks.push(Check::Not(form)),
            }
        }
        if let Some(condition) = map.get("if") {
            let branch = |keyword| {
                let schema = map.get(keyword).filter(|schema| !is_true(schema))?;
                Some(self.lower(schema, types))
            };
            let (then, otherwise) = (branch("then"), branch("else"));
            if then.is_some() || otherwise.is_some() {
                checks.push(Check::When {
                    condition: self.lower(condition, types),
                    then,
                    otherwise,
                });
            }
        }
        let dependent = map.get("dependentSchemas").and_then(Value::as_object);
        for (key, schema) in dependent.into_iter().flatten() {
            if !is_true(schema) && types.meets(TypeSet::OBJECT) {
                let form = self.lower(schema, TypeSet::OBJECT);
                checks.push(Check::DependentSchema(key.clone(), form));
            }
        }
        if types.meets(TypeSet::OBJECT) {
            checks.extend(self.unevaluated_properties(map));
        }
        if types.meets(TypeSet::ARRAY) {
            checks.extend(self.unevaluated_items(map));
        }
    }
}

impl Parts {
    fn into_form(self, types: TypeSet) -> Form {
        let implied = self.parts.iter().any(|(_, left)| types.contains(*left));
        let base = match self.base {
            Some(base) => Some(base),
            None if implied => None,
            None if self.parts.is_empty() || types != TypeSet::ALL => Some(plain(types)),
            None => None,
        };
        let mut all: Vec<Form> = base.into_iter().collect();
        for (form, _) in self.parts {
            if let Some(form) = absorb(all.last_mut(), form) {
                all.push(form);
            }
        }
        let mut form = if all.len() == 1 {
            all.swap_remove(0)
        } else {
            Form::of(Kind::AllOf(all))
        };
        form.checks.extend(self.checks);
        form
    }
}

/// Makes `form` part of `last` where both are numbers or both are strings; gives it back where not.
fn absorb(last: Option<&mut Form>, mut form: Form) -> Option<Form> {
    let Some(last) = last else {
        return Some(form);
    };
    match (&mut last.kind, &mut form.kind) {
        (Kind::Number(known), Kind::Number(more)) if known.wide == more.wide => {
            known.integer |= more.integer;
            known.bounds.append(&mut more.bounds);
        }
        (Kind::String(known), Kind::String(more))
            if known.regex.is_none() || more.regex.is_none() =>
        {
            known.not_empty |= more.not_empty;
            known.regex = known.regex.take().or(more.regex.take());
        }
        _ => return Some(form),
    }
    last.checks.append(&mut form.checks);
    None
}

/// Whether `form` says more about the type than `base` does, which holds as well.
fn adds(form: &Form, base: &Form) -> bool {
    match &form.kind {
        Kind::Unknown
        | Kind::Never
        | Kind::Null
        | Kind::Boolean
        | Kind::Number(_)
        | Kind::String(_) => base.kind == Kind::Unknown,
        Kind::Refused(_) => false,
        Kind::Literals(_) | Kind::OpenEnum(_) | Kind::Equal(_) => !matches!(
            base.kind,
            Kind::Literals(_) | Kind::OpenEnum(_) | Kind::Equal(_)
        ),
        Kind::Array(_) | Kind::Tuple(_) => match &base.kind {
            Kind::Array(array) => array.items.is_unknown(),
            other => *other == Kind::Unknown,
        },
        Kind::Object(object) => match &base.kind {
            Kind::Object(known) => has_more_members(object, known),
            other => *other == Kind::Unknown,
        },
        Kind::Ref(_) => true,
        Kind::Union(forms) | Kind::OneOf(forms) | Kind::AllOf(forms) | Kind::Tagged(_, forms) => {
            forms.iter().any(|form| adds(form, base))
        }
    }
}

fn has_more_members(object: &Object, known: &Object) -> bool {
    object
        .members
        .iter()
        .any(|member| known.members.iter().all(|k| k.key != member.key))
}

/// The schemas under a keyword.
fn list<'a>(map: &'a Map<String, Value>, keyword: &str) -> impl Iterator<Item = &'a Value> {
    map.get(keyword)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}
