//! One module of the package: imports, and for each schema its definitions, type, zod schema and
//! defaults.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use toolcontract_schema::{Formats, Normal};

use super::{
    defaults::{Defaults, fillable},
    depth::{Shallow, shallow},
    form::{Form, Kind, Rest, Target},
    layout::{Doc, Printer, Style},
    lower::Lowering,
    names::ModuleNames,
    refs::{self, reachable},
    shared::{Imports, Package, with_defaults},
    text,
    writer::{Name, Writer},
};
use crate::{emit::text::banner, model::SharedType};

/// A module under construction.
#[derive(Debug)]
pub(super) struct Module<'a> {
    package: &'a Package<'a>,
    /// The shared types of whose modules nothing is there while this one loads.
    later: BTreeSet<String>,
    names: ModuleNames,
    shared: BTreeMap<Target, Name>,
    /// What is imported from the modules of shared types.
    imports: BTreeMap<String, Imports>,
    needs_zod: bool,
    needs_json: bool,
    /// Types that are imported from `definition.ts`.
    definition: BTreeSet<&'static str>,
    needs_contract: bool,
    body: String,
}

/// A schema that a module declares.
#[derive(Debug)]
pub(super) struct Declared<'a> {
    pub(super) normal: &'a Normal,
    pub(super) formats: Formats,
    /// What the type is called.
    pub(super) ty: String,
    /// What the zod schema is called.
    pub(super) value: String,
    /// What it is.
    pub(super) about: String,
    /// Whether other modules use the schema.
    pub(super) is_shared: bool,
}

impl<'a> Module<'a> {
    /// A module that declares nothing yet.
    pub(super) fn new(package: &'a Package<'a>) -> Self {
        Self {
            package,
            later: BTreeSet::new(),
            names: ModuleNames::new(),
            shared: BTreeMap::new(),
            imports: BTreeMap::new(),
            needs_zod: false,
            needs_json: false,
            definition: BTreeSet::new(),
            needs_contract: false,
            body: String::new(),
        }
    }

    /// The module of a shared type.
    pub(super) fn of_type(package: &'a Package<'a>, ty: &SharedType) -> Self {
        Self {
            later: package.later(&ty.reference),
            ..Self::new(package)
        }
    }

    /// The names of the module.
    pub(super) fn names(&mut self) -> &mut ModuleNames {
        &mut self.names
    }

    /// Names a type of `definition.ts` that the module needs.
    pub(super) fn needs_definition(&mut self, name: &'static str) {
        self.definition.insert(name);
    }

    /// Says that the module needs the type of contracts.
    pub(super) fn needs_contract(&mut self) {
        self.needs_contract = true;
    }

    /// Adds a declaration, a blank line before it.
    pub(super) fn add(&mut self, doc: &Doc) {
        if !self.body.is_empty() {
            self.body.push('\n');
        }
        self.body.push_str(Printer::text_of(doc).trim_end());
        self.body.push('\n');
    }

    /// Adds the declarations of a schema.
    pub(super) fn declare(&mut self, declared: &Declared<'_>) {
        let lowering = self.package.lowering(declared.normal, declared.formats);
        let shared = |target: &Target| self.package.depth(&self.later, target);
        let Shallow {
            forms, annotated, ..
        } = shallow(
            reachable(&lowering),
            &declared.ty,
            declared.is_shared,
            &shared,
        );
        self.names.exact_value(&with_defaults(&declared.value));
        let names = self.name(&lowering, &forms, declared);
        let writer = Writer::new(&names, annotated, &self.later);
        let defaults = self.defaults(&forms, &names);
        for (target, form) in &forms {
            let Some(name) = names.get(target) else {
                continue;
            };
            let about = match target {
                Target::Root => Some(declared.about.clone()),
                Target::Local(_) | Target::Shared(_) | Target::Part(_) => lowering
                    .schema(target)
                    .and_then(|schema| schema.get("description")?.as_str())
                    .map(str::to_owned),
            };
            self.add(&type_declaration(&writer, name, form, about.as_deref()));
            let schema = writer.zod(form);
            let annotation = writer.annotation(target, name);
            self.needs_zod |= Printer::text_of(&schema).contains("z.") || annotation.is_some();
            let annotation = annotation.unwrap_or_default();
            self.add(&Doc::seq([
                Doc::text(format!("export const {}{annotation} = ", name.value)),
                schema,
                Doc::text(";"),
            ]));
            writer.declare(target.clone(), form);
            if *target == Target::Root {
                self.needs_zod = true;
                self.needs_json = true;
                self.add(&assertion(name));
            }
            if let Some(function) = defaults.function(target, name, form) {
                self.add(&function);
            }
        }
        self.needs_json |= writer.needs_json() || defaults.needs_json();
        for (reference, ty, value) in writer.imports() {
            let imports = self.imports.entry(reference.to_owned()).or_default();
            imports.ty = imports.ty.take().or(ty.map(str::to_owned));
            imports.value = imports.value.take().or(value.map(str::to_owned));
        }
        for (reference, function) in defaults.imports() {
            let imports = self.imports.entry(reference).or_default();
            imports.with_defaults = Some(function);
        }
    }

    /// The functions that fill in defaults, those of shared types imported.
    fn defaults(&mut self, forms: &[(Target, Form)], names: &BTreeMap<Target, Name>) -> Defaults {
        let mut functions = BTreeMap::new();
        for target in fillable(forms, &|t| self.package.is_fillable(t)) {
            if let Some(name) = names.get(&target) {
                let mut function = with_defaults(&name.value);
                // That of the root was kept free before anything else had a name.
                if target != Target::Root {
                    function = self.names.exact_value(&function);
                }
                functions.insert(target, function);
            }
        }
        for (target, name) in names {
            if self.package.is_fillable(target) {
                functions.insert(target.clone(), with_defaults(&name.value));
            }
        }
        Defaults::new(functions)
    }

    /// Names for everything that the forms refer to.
    fn name(
        &mut self,
        lowering: &Lowering<'_>,
        forms: &[(Target, Form)],
        declared: &Declared<'_>,
    ) -> BTreeMap<Target, Name> {
        let mut shared = BTreeSet::new();
        for (_, form) in forms {
            refs::each(form, &mut |target| {
                if matches!(target, Target::Shared(_)) {
                    shared.insert(target.clone());
                }
            });
        }
        for target in shared {
            if !self.shared.contains_key(&target)
                && let Target::Shared(reference) = &target
                && let Some(ty) = self.package.find(reference)
            {
                let name = Name {
                    ty: self.names.exact_type(&ty.type_name),
                    value: self.names.value(&ty.type_name),
                };
                self.shared.insert(target, name);
            }
        }
        let mut names = self.shared.clone();
        names.insert(
            Target::Root,
            Name {
                ty: declared.ty.clone(),
                value: declared.value.clone(),
            },
        );
        let used: BTreeSet<&Target> = forms.iter().map(|(target, _)| target).collect();
        for key in lowering.definitions() {
            let target = Target::Local(key.to_owned());
            if used.contains(&target) {
                let name = Name {
                    ty: self.names.ty(key),
                    value: self.names.value(key),
                };
                names.insert(target, name);
            }
        }
        for (target, _) in forms {
            if let Target::Part(place) = target {
                let name = Name {
                    ty: self.names.ty(place),
                    value: self.names.value(place),
                };
                names.insert(target.clone(), name);
            }
        }
        names
    }

    /// The text of the module, which stands in a folder below `src`.
    pub(super) fn into_text(self, source: &str) -> String {
        let mut own = String::new();
        if !self.definition.is_empty() {
            let names = self.definition.iter().copied().collect::<Vec<_>>();
            let names = names.join(", ");
            let _ = writeln!(own, "import type {{ {names} }} from \"../definition.js\";");
        }
        if self.needs_json {
            own.push_str("import * as json from \"../runtime/index.js\";\n");
        }
        for (reference, imports) in &self.imports {
            if let Some(ty) = self.package.find(reference) {
                own.push_str(&imports.text(ty));
            }
        }
        if self.needs_contract {
            own.push_str("import type { ToolContract } from \"../wire.js\";\n");
        }
        let zod = if self.needs_zod {
            "import * as z from \"zod/v4\";\n"
        } else {
            ""
        };
        let groups: Vec<&str> = [zod, &own, &self.body]
            .into_iter()
            .filter(|group| !group.is_empty())
            .collect();
        format!("// {}\n\n{}", banner(source), groups.join("\n"))
    }
}

fn type_declaration(writer: &Writer<'_>, name: &Name, form: &Form, about: Option<&str>) -> Doc {
    let comment = text::comment(about, Vec::new());
    let declaration = match &form.kind {
        Kind::Object(object)
            if !object.members.is_empty() || matches!(object.rest, Rest::Typed(_)) =>
        {
            Doc::seq([
                Doc::text(format!("export interface {} ", name.ty)),
                Doc::broken(Style::Members, writer.members(object)),
            ])
        }
        _ => Doc::seq([
            Doc::text(format!("export type {} = ", name.ty)),
            writer.ts(form),
            Doc::text(";"),
        ]),
    };
    Doc::seq([comment, declaration])
}

/// Holds the type to the schema. Annotating the schema with `z.ZodType<T>` would do so too, at ten
/// times the cost.
fn assertion(name: &Name) -> Doc {
    let Name { ty, value } = name;
    Doc::seq([
        Doc::Lines(vec![
            "// Does not compile where the schema gives what the type does not allow.".to_owned(),
        ]),
        Doc::text(format!("type _{ty} = json.Gives")),
        Doc::list(
            Style::Angles,
            vec![Doc::text(format!("z.infer<typeof {value}>")), Doc::text(ty)],
        ),
        Doc::text(";"),
    ])
}
