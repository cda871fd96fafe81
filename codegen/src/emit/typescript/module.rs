//! One module of the package: imports, and for each schema its definitions, type, zod schema and
//! parse function.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use toolcontract_schema::{Formats, Normal};

use super::{
    defaults::{Defaults, fillable},
    form::{Form, Kind, Rest, Target},
    layout::{Doc, Printer, Style},
    lower::Lowering,
    names::ModuleNames,
    refs, text,
    writer::{Name, Writer},
};
use crate::{emit::text::banner, model::SharedType};

/// What every module may need to know of the others.
#[derive(Debug)]
pub(super) struct Package<'a> {
    types: &'a [SharedType],
    /// The shared types that have defaults to fill in.
    fillable: BTreeSet<&'a str>,
}

impl<'a> Package<'a> {
    /// With the modules of these types.
    pub(super) fn new(types: &'a [SharedType]) -> Self {
        let mut package = Self {
            types,
            fillable: BTreeSet::new(),
        };
        let forms: Vec<(&str, Vec<(Target, Form)>)> = types
            .iter()
            .map(|ty| {
                let lowering = package.lowering(&ty.schema.normal, Formats::Assert);
                (ty.reference.as_str(), reachable(&lowering))
            })
            .collect();
        // A type may use another one that comes later; each round finds at least one more.
        loop {
            let found: Vec<&str> = forms
                .iter()
                .filter(|(reference, forms)| {
                    !package.fillable.contains(reference)
                        && fillable(forms, &|t| package.is_fillable(t)).contains(&Target::Root)
                })
                .map(|(reference, _)| *reference)
                .collect();
            if found.is_empty() {
                return package;
            }
            package.fillable.extend(found);
        }
    }

    fn lowering<'n>(&self, normal: &'n Normal, formats: Formats) -> Lowering<'n> {
        Lowering::new(normal, &|reference| self.find(reference).is_some(), formats)
    }

    fn find(&self, reference: &str) -> Option<&'a SharedType> {
        self.types.iter().find(|ty| ty.reference == reference)
    }

    fn is_fillable(&self, target: &Target) -> bool {
        match target {
            Target::Shared(reference) => self.fillable.contains(reference.as_str()),
            Target::Root | Target::Local(_) => false,
        }
    }
}

/// A module under construction.
#[derive(Debug)]
pub(super) struct Module<'a> {
    package: &'a Package<'a>,
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

/// Local names of what one module of a shared type exports.
#[derive(Debug, Default)]
struct Imports {
    ty: Option<String>,
    value: Option<String>,
    with_defaults: Option<String>,
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
}

impl<'a> Module<'a> {
    /// A module that declares nothing yet.
    pub(super) fn new(package: &'a Package<'a>) -> Self {
        Self {
            package,
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
        let forms = reachable(&lowering);
        let names = self.name(&lowering, &forms, declared);
        let writer = Writer::new(&names);
        let defaults = self.defaults(&forms, &names);
        for (target, form) in &forms {
            let Some(name) = names.get(target) else {
                continue;
            };
            let about = match target {
                Target::Root => Some(declared.about.clone()),
                Target::Local(_) | Target::Shared(_) => lowering
                    .schema(target)
                    .and_then(|schema| schema.get("description")?.as_str())
                    .map(str::to_owned),
            };
            self.add(&type_declaration(&writer, name, form, about.as_deref()));
            let schema = writer.zod(form);
            self.needs_zod |= Printer::text_of(&schema).contains("z.");
            self.add(&Doc::seq([
                Doc::text(format!("export const {} = ", name.value)),
                schema,
                Doc::text(";"),
            ]));
            writer.declare(target.clone());
            if *target == Target::Root {
                self.needs_zod = true;
                self.needs_json = true;
                self.add(&assertion(name));
            }
            if let Some(function) = defaults.function(target, name, form) {
                self.add(&function);
            }
        }
        self.needs_json |= writer.needs_json() || defaults.says_keys();
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
                let function = format!("{}WithDefaults", name.value);
                functions.insert(target, self.names.exact_value(&function));
            }
        }
        for (target, name) in names {
            if self.package.is_fillable(target) {
                functions.insert(target.clone(), format!("{}WithDefaults", name.value));
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

impl Imports {
    /// The import, under other names where its own are taken.
    fn text(&self, ty: &SharedType) -> String {
        let exported = Exported::of(ty);
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.value.as_deref().map(|v| renamed(&exported.value, v)));
        let function = self.with_defaults.as_deref();
        parts.extend(function.map(|f| renamed(&exported.with_defaults, f)));
        let named = self.ty.as_deref().map(|t| renamed(&exported.ty, t));
        let module = &ty.module;
        match (parts.is_empty(), named) {
            (true, named) => {
                let named = named.unwrap_or_default();
                format!("import type {{ {named} }} from \"../types/{module}.js\";\n")
            }
            (false, named) => {
                parts.extend(named.map(|named| format!("type {named}")));
                let parts = parts.join(", ");
                format!("import {{ {parts} }} from \"../types/{module}.js\";\n")
            }
        }
    }
}

fn renamed(own: &str, local: &str) -> String {
    if own == local {
        own.to_owned()
    } else {
        format!("{own} as {local}")
    }
}

/// What the module of a shared type exports.
#[derive(Debug)]
pub(super) struct Exported {
    pub(super) ty: String,
    pub(super) value: String,
    pub(super) with_defaults: String,
}

impl Exported {
    /// The names, as the type's own module allocates them.
    pub(super) fn of(ty: &SharedType) -> Self {
        let mut names = ModuleNames::new();
        let value = names.value(&ty.type_name);
        Self {
            ty: names.exact_type(&ty.type_name),
            with_defaults: format!("{value}WithDefaults"),
            value,
        }
    }
}

/// The root and every definition that it needs, those that others need first.
fn reachable(lowering: &Lowering<'_>) -> Vec<(Target, Form)> {
    let mut done = Vec::new();
    let mut seen = BTreeSet::from([Target::Root]);
    let mut open = vec![(Target::Root, lowering.root(), Vec::new(), false)];
    while let Some((target, form, mut needed, listed)) = open.pop() {
        if !listed {
            refs::each(&form, &mut |t| needed.push(t.clone()));
            needed.reverse();
        }
        let next = loop {
            match needed.pop() {
                None => break None,
                Some(Target::Shared(_)) => {}
                Some(next) => {
                    if seen.insert(next.clone()) {
                        break Some(next);
                    }
                }
            }
        };
        match next {
            None => done.push((target, form)),
            Some(next) => {
                open.push((target, form, needed, true));
                let below = match &next {
                    Target::Local(key) => lowering.definition(key),
                    Target::Root | Target::Shared(_) => None,
                };
                if let Some(below) = below {
                    open.push((next, below, Vec::new(), false));
                }
            }
        }
    }
    done
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
