//! Keeps what the compiler must infer shallow: TypeScript gives up at a hundred nested
//! instantiations, which is about a dozen objects of zod in each other.
//!
//! A form that nests deeper is taken apart: the inner part gets a name, and its zod schema a type
//! annotation, behind which nothing is inferred. Annotations are dear, so nothing else has one.

use std::collections::{BTreeMap, BTreeSet};

use super::form::{Form, Kind, Object, Rest, Target};

/// How deep an inferred type may be, in the costs below. The compiler gives up beyond 100.
const LIMIT: usize = 80;

/// A shared type may be used anywhere, so it takes up no more than this without an annotation.
const SHARED: usize = LIMIT / 2;

/// What one level costs; found by trying both versions of zod.
const OBJECT: usize = 6;
const OPTIONAL: usize = 3;
const ARRAY: usize = 4;
const UNION: usize = 6;
const ALL_OF: usize = 8;

/// Named forms in the order of their declaration.
#[derive(Debug)]
pub(super) struct Shallow {
    pub(super) forms: Vec<(Target, Form)>,
    /// Which of them need an annotation.
    pub(super) annotated: BTreeSet<Target>,
    /// What the last one, the root, costs where it is used.
    pub(super) depth: usize,
}

/// Takes apart what nests too deep. `forms` come in the order of their declaration, the root last;
/// `shared` tells what a shared type costs.
pub(super) fn shallow(
    forms: Vec<(Target, Form)>,
    root: &str,
    is_shared: bool,
    shared: &dyn Fn(&Target) -> usize,
) -> Shallow {
    let mut split = Split {
        forms: Vec::new(),
        annotated: BTreeSet::new(),
        depths: BTreeMap::new(),
        shared,
    };
    for (target, form) in forms {
        let label = match &target {
            Target::Root => root.to_owned(),
            Target::Local(name) | Target::Part(name) | Target::Shared(name) => name.clone(),
        };
        let (form, depth) = split.visit(form, &label);
        split.declare(target, form, depth);
    }
    if is_shared
        && split
            .depths
            .get(&Target::Root)
            .is_some_and(|depth| *depth > SHARED)
    {
        split.annotate(Target::Root);
    }
    Shallow {
        depth: split.depths.get(&Target::Root).copied().unwrap_or(0),
        forms: split.forms,
        annotated: split.annotated,
    }
}

struct Split<'a> {
    forms: Vec<(Target, Form)>,
    annotated: BTreeSet<Target>,
    depths: BTreeMap<Target, usize>,
    shared: &'a dyn Fn(&Target) -> usize,
}

impl Split<'_> {
    fn declare(&mut self, target: Target, form: Form, depth: usize) {
        self.depths.insert(target.clone(), depth);
        self.forms.push((target, form));
    }

    /// Behind an annotation nothing is inferred.
    fn annotate(&mut self, target: Target) {
        self.depths.insert(target.clone(), 0);
        self.annotated.insert(target);
    }

    /// The form with its inner parts taken out where they are too deep, and how deep it is now.
    fn visit(&mut self, form: Form, label: &str) -> (Form, usize) {
        let Form { kind, checks } = form;
        let (kind, depth) = match kind {
            Kind::Ref(target) => {
                let depth = match &target {
                    Target::Shared(_) => (self.shared)(&target),
                    // What is not declared yet is annotated where it is used.
                    _ => self.depths.get(&target).copied().unwrap_or(0),
                };
                (Kind::Ref(target), depth)
            }
            Kind::Array(mut array) => {
                let (items, depth) = self.inner(array.items, ARRAY, &format!("{label} item"));
                array.items = items;
                (Kind::Array(array), depth)
            }
            Kind::Tuple(mut tuple) => {
                let (prefix, mut depth) = self.all(tuple.prefix, UNION, label);
                tuple.prefix = prefix;
                if let Some(rest) = tuple.rest.take() {
                    let (rest, deeper) = self.inner(rest, UNION, &format!("{label} rest"));
                    tuple.rest = Some(rest);
                    depth = depth.max(deeper);
                }
                (Kind::Tuple(tuple), depth)
            }
            Kind::Object(object) => {
                let (object, depth) = self.object(*object, label);
                (Kind::Object(Box::new(object)), depth)
            }
            Kind::Union(forms) => {
                let (forms, depth) = self.all(forms, UNION, label);
                (Kind::Union(forms), depth)
            }
            Kind::OneOf(forms) => {
                let (forms, depth) = self.all(forms, UNION, label);
                (Kind::OneOf(forms), depth)
            }
            Kind::Tagged(tag, forms) => {
                let (forms, depth) = self.all(forms, UNION, label);
                (Kind::Tagged(tag, forms), depth)
            }
            Kind::AllOf(forms) => {
                let (forms, depth) = self.all(forms, ALL_OF, label);
                (Kind::AllOf(forms), depth)
            }
            scalar => (scalar, 1),
        };
        (Form { kind, checks }, depth)
    }

    fn object(&mut self, object: Object, label: &str) -> (Object, usize) {
        let mut deepest = OBJECT;
        let mut members = Vec::with_capacity(object.members.len());
        for mut member in object.members {
            let cost = if member.required {
                OBJECT
            } else {
                OBJECT + OPTIONAL
            };
            let (form, depth) = self.inner(member.form, cost, &format!("{label} {}", member.key));
            member.form = form;
            deepest = deepest.max(depth);
            members.push(member);
        }
        let rest = match object.rest {
            Rest::Typed(form) => {
                let (form, depth) = self.inner(form, OBJECT, &format!("{label} value"));
                deepest = deepest.max(depth);
                Rest::Typed(form)
            }
            rest => rest,
        };
        let object = Object {
            members,
            rest,
            plain: object.plain,
        };
        (object, deepest)
    }

    fn all(&mut self, forms: Vec<Form>, cost: usize, label: &str) -> (Vec<Form>, usize) {
        let mut deepest = cost;
        let mut kept = Vec::with_capacity(forms.len());
        for (index, form) in forms.into_iter().enumerate() {
            let (form, depth) = self.inner(form, cost, &format!("{label} {}", index + 1));
            deepest = deepest.max(depth);
            kept.push(form);
        }
        (kept, deepest)
    }

    /// A form one level down, which costs `cost`; taken out where that is too deep. A shared type
    /// never is.
    fn inner(&mut self, form: Form, cost: usize, label: &str) -> (Form, usize) {
        let (form, depth) = self.visit(form, label);
        if depth + cost <= LIMIT {
            return (form, depth + cost);
        }
        if let Kind::Ref(target) = &form.kind {
            self.annotate(target.clone());
            return (form, cost);
        }
        let target = self.unused(label);
        self.declare(target.clone(), form, depth);
        self.annotate(target.clone());
        (Form::of(Kind::Ref(target)), cost)
    }

    /// A name for a part that no other part has.
    fn unused(&self, label: &str) -> Target {
        let mut target = Target::Part(label.to_owned());
        let mut number = 2;
        while self.depths.contains_key(&target) {
            target = Target::Part(format!("{label} {number}"));
            number += 1;
        }
        target
    }
}
