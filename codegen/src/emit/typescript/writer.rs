//! What printing one module needs to know: names, what is declared already, what it imports.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

use super::{
    form::{Form, Kind, Target},
    layout::{Doc, Style},
};

/// The names of a schema.
#[derive(Debug, Clone)]
pub(super) struct Name {
    /// Its type: `SearchHit`.
    pub(super) ty: String,
    /// Its zod schema: `searchHit`.
    pub(super) value: String,
}

/// Prints the forms of one document.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    names: &'a BTreeMap<Target, Name>,
    /// What stands above in the module, or is imported.
    ready: RefCell<BTreeSet<Target>>,
    /// What is declared as something that was not.
    early: RefCell<BTreeSet<Target>>,
    /// What has a type annotation.
    annotated: BTreeSet<Target>,
    types: RefCell<BTreeSet<Target>>,
    values: RefCell<BTreeSet<Target>>,
    json: Cell<bool>,
}

impl<'a> Writer<'a> {
    /// With names for everything that the forms refer to; the schemas of `annotated` have a type
    /// annotation. Those of `later` are imported from modules that import this one, so they may
    /// not be there yet while it loads.
    pub(super) fn new(
        names: &'a BTreeMap<Target, Name>,
        annotated: BTreeSet<Target>,
        later: &BTreeSet<String>,
    ) -> Self {
        let imported = names
            .keys()
            .filter(|target| match target {
                Target::Shared(reference) => !later.contains(reference),
                Target::Root | Target::Local(_) | Target::Part(_) => false,
            })
            .cloned()
            .collect();
        Self {
            names,
            ready: RefCell::new(imported),
            early: RefCell::default(),
            annotated,
            types: RefCell::default(),
            values: RefCell::default(),
            json: Cell::new(false),
        }
    }

    /// From here on `target` is declared, as `form`.
    pub(super) fn declare(&self, target: Target, form: &Form) {
        if self.is_early(form) {
            self.early.borrow_mut().insert(target.clone());
        }
        self.ready.borrow_mut().insert(target);
    }

    /// The name of a type, which the module then needs.
    pub(super) fn type_name(&self, target: &Target) -> String {
        self.types.borrow_mut().insert(target.clone());
        self.names
            .get(target)
            .map_or_else(|| "unknown".to_owned(), |name| name.ty.clone())
    }

    /// The name of a zod schema, which the module then needs.
    pub(super) fn value_name(&self, target: &Target) -> String {
        self.values.borrow_mut().insert(target.clone());
        self.names
            .get(target)
            .map_or_else(|| "z.never()".to_owned(), |name| name.value.clone())
    }

    /// Whether the name is declared above.
    fn is_ready(&self, target: &Target) -> bool {
        self.ready.borrow().contains(target)
    }

    /// Whether the form is, or may be, what a name stands for that is not declared yet.
    pub(super) fn is_early(&self, form: &Form) -> bool {
        match &form.kind {
            Kind::Ref(target) => !self.is_ready(target) || self.early.borrow().contains(target),
            Kind::Union(forms)
            | Kind::OneOf(forms)
            | Kind::AllOf(forms)
            | Kind::Tagged(_, forms) => forms.iter().any(|form| self.is_early(form)),
            _ => false,
        }
    }

    /// The schema of a name; later where it is not declared yet.
    pub(super) fn reference(&self, target: &Target) -> Doc {
        let value = self.value_name(target);
        if self.is_ready(target) {
            return Doc::text(value);
        }
        let ty = self.type_name(target);
        Doc::text(format!("z.lazy((): z.ZodType<{ty}> => {value})"))
    }

    /// The type annotation of a schema that needs one.
    pub(super) fn annotation(&self, target: &Target, name: &Name) -> Option<String> {
        let annotated = self.annotated.contains(target);
        annotated.then(|| format!(": z.ZodType<{}>", name.ty))
    }

    /// Whether zod sees that the form is an object, which `z.lazy` and an annotation hide.
    pub(super) fn is_seen(&self, form: &Form) -> bool {
        match &form.kind {
            Kind::Ref(target) => self.is_ready(target) && !self.annotated.contains(target),
            _ => true,
        }
    }

    /// A call of a word of ours.
    pub(super) fn json(&self, name: &str, arguments: Vec<Doc>) -> Doc {
        self.json.set(true);
        Doc::call(format!("json.{name}"), arguments)
    }

    /// A call of a word of ours with a type argument.
    pub(super) fn json_typed(&self, name: &str, ty: Doc, arguments: Vec<Doc>) -> Doc {
        self.json.set(true);
        Doc::seq([
            Doc::text(format!("json.{name}<")),
            ty,
            Doc::text(">"),
            Doc::list(Style::Parens, arguments),
        ])
    }

    /// Whether the module needs our words.
    pub(super) fn needs_json(&self) -> bool {
        self.json.get()
    }

    /// The shared types that the module needs: reference, and the names of type and value.
    pub(super) fn imports(&self) -> Vec<(&str, Option<&str>, Option<&str>)> {
        let (types, values) = (self.types.borrow(), self.values.borrow());
        self.names
            .iter()
            .filter_map(|(target, name)| {
                let Target::Shared(reference) = target else {
                    return None;
                };
                let ty = types.contains(target).then_some(name.ty.as_str());
                let value = values.contains(target).then_some(name.value.as_str());
                (ty.is_some() || value.is_some()).then_some((reference.as_str(), ty, value))
            })
            .collect()
    }
}
