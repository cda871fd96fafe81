//! Prints a form as a TypeScript type.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    form::{Form, Kind, Member, Numeric, Object, Rest, Tuple, Wide},
    layout::{Doc, Printer, Style},
    refs, text,
    writer::Writer,
};
use crate::emit::javascript;

impl Writer<'_> {
    /// The type of `form`.
    pub(super) fn ts(&self, form: &Form) -> Doc {
        self.kind_type(&form.kind)
    }

    /// The type of values of this kind.
    pub(super) fn kind_type(&self, kind: &Kind) -> Doc {
        match kind {
            Kind::Unknown | Kind::Refused(_) => Doc::text("unknown"),
            Kind::Never => Doc::text("never"),
            Kind::Null => Doc::text("null"),
            Kind::Boolean => Doc::text("boolean"),
            Kind::Number(Numeric { wide, .. }) => Doc::text(match wide {
                None => "number",
                Some(Wide::BigInt) => "number | bigint",
                Some(Wide::String) => "number | string",
            }),
            Kind::String(_) => Doc::text("string"),
            Kind::Literals(values) => alternatives(values.iter().map(constant_type).collect()),
            Kind::OpenEnum(values) => {
                let mut known: Vec<Doc> = values
                    .iter()
                    .map(|v| Doc::text(javascript::string(v)))
                    .collect();
                known.push(Doc::text("(string & {})"));
                alternatives(known)
            }
            Kind::Equal(value) => constant_type(value),
            Kind::Array(array) => self.array_type(&array.items),
            Kind::Tuple(tuple) => self.tuple_type(tuple),
            Kind::Object(object) => self.object_type(object),
            Kind::Ref(target) => Doc::text(self.type_name(target)),
            Kind::Union(forms) | Kind::OneOf(forms) | Kind::Tagged(_, forms) => {
                alternatives(forms.iter().map(|form| self.ts(form)).collect())
            }
            Kind::AllOf(forms) => {
                let parts = forms
                    .iter()
                    .filter(|form| !says_only_its_type(form))
                    .map(|form| match self.ts(form) {
                        doc if is_joined(form) => Doc::seq([Doc::text("("), doc, Doc::text(")")]),
                        doc => doc,
                    })
                    .collect();
                joined(Style::Intersection, parts, "unknown")
            }
        }
    }

    fn array_type(&self, items: &Form) -> Doc {
        let item = self.ts(items);
        if is_word(&item) {
            item.then("[]")
        } else {
            Doc::seq([Doc::text("Array<"), item, Doc::text(">")])
        }
    }

    fn tuple_type(&self, tuple: &Tuple) -> Doc {
        let mut items: Vec<Doc> = tuple
            .prefix
            .iter()
            .enumerate()
            .map(|(index, item)| match self.ts(item) {
                doc if index < tuple.required => doc,
                doc if is_word(&doc) => doc.then("?"),
                doc => Doc::seq([Doc::text("("), doc, Doc::text(")?")]),
            })
            .collect();
        if let Some(rest) = &tuple.rest {
            // `...Array<T>` would be looked into at once, and a tuple that holds itself has no end.
            let rest = match self.ts(rest) {
                doc if is_word(&doc) => doc,
                doc => Doc::seq([Doc::text("("), doc, Doc::text(")")]),
            };
            items.push(Doc::seq([Doc::text("..."), rest.then("[]")]));
        }
        Doc::list(Style::Brackets, items)
    }

    fn object_type(&self, object: &Object) -> Doc {
        if object.members.is_empty() {
            return match &object.rest {
                Rest::Closed => Doc::text("Record<string, never>"),
                Rest::Unsaid | Rest::Open => Doc::text("Record<string, unknown>"),
                // A `Record` is looked into at once, and a type that holds itself in one has no end.
                Rest::Typed(rest) if names_any(rest) => {
                    let key = Doc::text("{ [key: string]: ");
                    Doc::seq([key, self.ts(rest), Doc::text(" }")])
                }
                Rest::Typed(rest) => {
                    Doc::seq([Doc::text("Record<string, "), self.ts(rest), Doc::text(">")])
                }
            };
        }
        Doc::list(Style::Members, self.members(object))
    }

    /// The members of an object type, with what their descriptions say.
    pub(super) fn members(&self, object: &Object) -> Vec<Doc> {
        let mut members: Vec<Doc> = object
            .members
            .iter()
            .map(|member| {
                let key = javascript::member(&member.key);
                let mark = if member.required { "" } else { "?" };
                let ty = self.ts(&member.form);
                // A member that is `undefined` is absent, as in `JSON.stringify`.
                let ty = match (&member.form.kind, member.required) {
                    (_, true) | (Kind::Unknown | Kind::Refused(_), false) => ty,
                    (_, false) => alternatives(vec![ty, Doc::text("undefined")]),
                };
                Doc::seq([note(member), Doc::text(format!("{key}{mark}: ")), ty])
            })
            .collect();
        members.extend(self.index(object));
        members
    }

    /// The index signature for members that are not named.
    fn index(&self, object: &Object) -> Option<Doc> {
        let value = match &object.rest {
            Rest::Closed | Rest::Unsaid => return None,
            Rest::Open => Doc::text("unknown"),
            Rest::Typed(rest) => {
                let optional = object.members.iter().any(|member| !member.required);
                let mut types = vec![self.ts(rest)];
                types.extend(object.members.iter().map(|member| self.ts(&member.form)));
                types.extend(optional.then(|| Doc::text("undefined")));
                // What is long here repeats the members; a reader gains nothing from it.
                let all = alternatives(types);
                if Printer::text_of(&all).len() <= 60 {
                    all
                } else {
                    Doc::text("unknown")
                }
            }
        };
        Some(Doc::seq([Doc::text("[key: string]: "), value]))
    }
}

fn note(member: &Member) -> Doc {
    let mut tags = Vec::new();
    if let Some(default) = &member.default {
        tags.push(format!("@defaultValue `{default}`"));
    }
    if member.deprecated {
        tags.push("@deprecated".to_owned());
    }
    text::comment(member.description.as_deref(), tags)
}

/// The type of one JSON value.
pub(super) fn constant_type(value: &Value) -> Doc {
    match value {
        Value::Array(items) => {
            Doc::list(Style::Brackets, items.iter().map(constant_type).collect())
        }
        Value::Object(map) if map.is_empty() => Doc::text("Record<string, never>"),
        Value::Object(map) => Doc::list(
            Style::Members,
            map.iter()
                .map(|(key, value)| {
                    Doc::seq([
                        Doc::text(format!("{}: ", javascript::member(key))),
                        constant_type(value),
                    ])
                })
                .collect(),
        ),
        _ => text::constant(value),
    }
}

/// A union without repetitions.
fn alternatives(types: Vec<Doc>) -> Doc {
    joined(Style::Union, types, "never")
}

fn joined(style: Style, types: Vec<Doc>, none: &str) -> Doc {
    let mut seen = BTreeSet::new();
    let mut distinct = Vec::new();
    for ty in types.into_iter().flat_map(|ty| ty.into_items(style)) {
        let text = Printer::text_of(&ty);
        if text != none && seen.insert(text) {
            distinct.push(ty);
        }
    }
    match (distinct.pop(), distinct.is_empty()) {
        (None, _) => Doc::text(none),
        (Some(only), true) => only,
        (Some(last), false) => {
            distinct.push(last);
            // One long part among short ones reads best with the others behind it.
            let long = distinct
                .iter()
                .filter(|part| part.flat(20).is_none())
                .count();
            if long == 1 && distinct.len() <= 3 {
                Doc::joined(style, distinct)
            } else {
                Doc::list(style, distinct)
            }
        }
    }
}

/// Whether an intersection says the same without it: any array, or any object.
fn says_only_its_type(form: &Form) -> bool {
    match &form.kind {
        Kind::Array(array) => array.items.is_unknown(),
        Kind::Object(object) => object.members.is_empty() && object.rest == Rest::Unsaid,
        _ => false,
    }
}

/// Whether a name stands in the form.
fn names_any(form: &Form) -> bool {
    let mut any = false;
    refs::each(form, &mut |_| any = true);
    any
}

/// Whether something may stand right behind the type.
fn is_word(doc: &Doc) -> bool {
    matches!(doc, Doc::Text(text) if !text.contains(' '))
}

fn is_joined(form: &Form) -> bool {
    match &form.kind {
        Kind::Union(_) | Kind::OneOf(_) | Kind::Tagged(..) | Kind::OpenEnum(_) => true,
        Kind::Literals(values) => values.len() > 1,
        _ => false,
    }
}
