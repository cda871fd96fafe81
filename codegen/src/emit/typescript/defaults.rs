//! Functions that fill in the defaults of a schema.
//!
//! They go through members, items and named schemas. Where a value may be one of several things, or
//! must be several at once, nothing is filled in: which default holds there depends on the value.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

use serde_json::Value;

use super::{
    form::{Form, Kind, Member, Object, Rest, Target},
    layout::{Doc, Style},
    text,
    writer::Name,
};
use crate::emit::javascript::{self, INHERITED};

/// The schemas that have something to fill in, and what the functions that do it are called.
#[derive(Debug, Default)]
pub(super) struct Defaults {
    functions: BTreeMap<Target, String>,
    used: RefCell<BTreeSet<Target>>,
    needs_json: Cell<bool>,
}

/// The schemas among `forms` that have something to fill in. `known` tells it of other modules.
pub(super) fn fillable(
    forms: &[(Target, Form)],
    known: &dyn Fn(&Target) -> bool,
) -> BTreeSet<Target> {
    let mut found = BTreeSet::new();
    // A schema that needs another one may come first; each round finds at least one more.
    loop {
        let before = found.len();
        for (target, form) in forms {
            if !found.contains(target) && needs(form, &|t| found.contains(t) || known(t)) {
                found.insert(target.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn needs(form: &Form, known: &dyn Fn(&Target) -> bool) -> bool {
    match &form.kind {
        Kind::Object(object) => object.members.iter().any(|member| {
            is_filled(member) || (!is_inherited(member) && needs(&member.form, known))
        }),
        Kind::Array(array) => needs(&array.items, known),
        Kind::Ref(target) => known(target),
        Kind::Union(forms) => nullable(forms).is_some_and(|form| needs(form, known)),
        _ => false,
    }
}

/// Whether the member's absence stands for its default.
fn is_filled(member: &Member) -> bool {
    !member.required && member.default.is_some() && member.default_holds && !is_inherited(member)
}

/// Reading such a member where it is absent gives what every object inherits.
fn is_inherited(member: &Member) -> bool {
    INHERITED.contains(&member.key.as_str())
}

/// The form beside `null`.
fn nullable(forms: &[Form]) -> Option<&Form> {
    match forms {
        [form, null] if null.kind == Kind::Null => Some(form),
        _ => None,
    }
}

impl Defaults {
    /// With these functions.
    pub(super) fn new(functions: BTreeMap<Target, String>) -> Self {
        Self {
            functions,
            ..Self::default()
        }
    }

    /// Whether a function needs our words.
    pub(super) fn needs_json(&self) -> bool {
        self.needs_json.get()
    }

    /// The functions of shared types that are called, by reference.
    pub(super) fn imports(&self) -> Vec<(String, String)> {
        self.used
            .borrow()
            .iter()
            .filter_map(|target| match target {
                Target::Shared(reference) => {
                    Some((reference.clone(), self.functions.get(target)?.clone()))
                }
                Target::Root | Target::Local(_) | Target::Part(_) => None,
            })
            .collect()
    }

    /// The function that fills in the defaults of a schema.
    pub(super) fn function(&self, target: &Target, name: &Name, form: &Form) -> Option<Doc> {
        let function = self.functions.get(target)?;
        let body = self.fill(form, "input")?;
        let keys: Vec<Doc> = match &form.kind {
            Kind::Object(object) => object
                .members
                .iter()
                .filter(|member| is_filled(member))
                .map(|member| Doc::text(javascript::string(&member.key)))
                .collect(),
            _ => Vec::new(),
        };
        let result = if keys.is_empty() {
            Doc::text(&name.ty)
        } else {
            self.needs_json.set(true);
            let all = vec![Doc::text(&name.ty), Doc::list(Style::Union, keys)];
            let result = Doc::seq([
                Doc::text("json.WithDefaults"),
                Doc::list(Style::Angles, all),
            ]);
            // Where it fits on a line, the parameters are broken in front of it.
            result.flat(80).map_or(result, Doc::Text)
        };
        Some(Doc::seq([
            text::comment(["`input` with its defaults; fresh each time."], Vec::new()),
            Doc::text(format!("export function {function}")),
            Doc::list(
                Style::Parens,
                vec![Doc::text(format!("input: {}", name.ty))],
            ),
            Doc::text(": "),
            result,
            Doc::text(" "),
            Doc::block(Doc::seq([Doc::text("return "), body, Doc::text(";")])),
        ]))
    }

    /// `value` with its defaults. None where there is nothing to fill in.
    fn fill(&self, form: &Form, value: &str) -> Option<Doc> {
        match &form.kind {
            Kind::Object(object) => self.fill_object(object, value),
            Kind::Array(array) => {
                let item = self.fill(&array.items, "item")?;
                let item = match &array.items.kind {
                    Kind::Object(_) => Doc::seq([Doc::text("("), item, Doc::text(")")]),
                    _ => item,
                };
                Some(Doc::seq([
                    Doc::text(format!("{value}.map((item) => ")),
                    item,
                    Doc::text(")"),
                ]))
            }
            Kind::Ref(target) => {
                let function = self.functions.get(target)?;
                self.used.borrow_mut().insert(target.clone());
                Some(Doc::text(format!("{function}({value})")))
            }
            Kind::Union(forms) => {
                let filled = self.fill(nullable(forms)?, value)?;
                Some(Doc::seq([
                    Doc::text(format!("{value} === null ? null : ")),
                    filled,
                ]))
            }
            _ => None,
        }
    }

    fn fill_object(&self, object: &Object, value: &str) -> Option<Doc> {
        let mut entries = vec![Doc::text(format!("...{value}"))];
        entries.extend(
            object
                .members
                .iter()
                .filter_map(|member| self.fill_member(member, value)),
        );
        (entries.len() > 1).then(|| Doc::list(Style::Braces, entries))
    }

    /// A default as a value that TypeScript takes for one of the form.
    fn constant(&self, form: &Form, value: &Value) -> Doc {
        let constant = text::constant(value);
        if !has_more(form, value) {
            return constant;
        }
        // Members that an open object has beside those of its type are no slip here.
        self.needs_json.set(true);
        Doc::call("json.given", vec![constant])
    }

    fn fill_member(&self, member: &Member, value: &str) -> Option<Doc> {
        if is_inherited(member) {
            return None;
        }
        let place = format!("{value}{}", javascript::access(&member.key));
        let filled = self.fill(&member.form, &place);
        let default = member.default.as_ref().filter(|_| is_filled(member));
        let default = default.map(|value| self.constant(&member.form, value));
        match (default, filled) {
            (None, None) => None,
            (None, Some(filled)) if member.required => Some(text::property(&member.key, filled)),
            (None, Some(filled)) => Some(Doc::seq([
                Doc::text(format!("...({place} === undefined ? {{}} : ")),
                Doc::list(Style::Braces, vec![text::property(&member.key, filled)]),
                Doc::text(")"),
            ])),
            (Some(default), None) if is_never_null(&member.form) => Some(text::property(
                &member.key,
                Doc::seq([Doc::text(format!("{place} ?? ")), default]),
            )),
            (Some(default), filled) => Some(text::property(
                &member.key,
                Doc::seq([
                    Doc::text(format!("{place} === undefined ? ")),
                    default,
                    Doc::text(" : "),
                    filled.unwrap_or_else(|| Doc::text(&place)),
                ]),
            )),
        }
    }
}

/// Whether the value may have members that the type of the form does not name.
fn has_more(form: &Form, value: &Value) -> bool {
    match (&form.kind, value) {
        (Kind::Array(array), Value::Array(items)) => {
            items.iter().any(|item| has_more(&array.items, item))
        }
        (Kind::Tuple(tuple), Value::Array(items)) => {
            let rest = std::iter::repeat(tuple.rest.as_ref());
            let forms = tuple.prefix.iter().map(Some).chain(rest);
            let mut pairs = items.iter().zip(forms);
            pairs.any(|(item, form)| form.is_some_and(|form| has_more(form, item)))
        }
        (Kind::Object(object), Value::Object(members)) => {
            members.iter().any(|(key, value)| {
                match (object.members.iter().find(|m| m.key == *key), &object.rest) {
                    (Some(member), _) => has_more(&member.form, value),
                    (None, Rest::Typed(rest)) => has_more(rest, value),
                    (None, Rest::Open) => false,
                    (None, Rest::Closed | Rest::Unsaid) => !object.members.is_empty(),
                }
            })
        }
        (Kind::Unknown | Kind::Equal(_), _) => false,
        (_, Value::Array(items)) => items.iter().any(|item| has_more(form, item)),
        (_, value) => value.is_object(),
    }
}

/// Whether a value of the form is certainly not `null`, so that `??` is right for it.
fn is_never_null(form: &Form) -> bool {
    match &form.kind {
        Kind::Boolean
        | Kind::Number(_)
        | Kind::String(_)
        | Kind::OpenEnum(_)
        | Kind::Array(_)
        | Kind::Tuple(_)
        | Kind::Object(_) => true,
        Kind::Literals(values) => values.iter().all(|value| !value.is_null()),
        _ => false,
    }
}
