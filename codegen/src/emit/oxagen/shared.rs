//! What several modules import: shared types, the text wrapper, the checks. None of these modules
//! makes a declaration.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use toolcontract_manifest::project::OxagenSurface;

use super::{
    barrel::{Capability, capabilities},
    module::{self, Package, Rendered, TEXT_OUTPUT},
    ts,
    zod::{self, Module, Shared},
};
use crate::{
    emit::{
        FileSet,
        text::{banner, fill},
    },
    model::{Model, names},
};

/// Stem of the checks.
const CHECKS_STEM: &str = "checks";

const CHECKS: &str = include_str!("../../../../templates/oxagen/checks.ts");
const TEXT: &str = include_str!("../../../../templates/oxagen/text_output.ts");

/// The shared types of a project, by reference.
pub(super) struct Types<'a> {
    shared: BTreeMap<String, Shared<'a>>,
    text_output: String,
}

impl<'a> Types<'a> {
    pub(super) fn of(model: &'a Model) -> Self {
        let mut stems = names::Scope::with_reserved([CHECKS_STEM]);
        let mut constants = names::Scope::with_reserved(["z", TEXT_OUTPUT]);
        let shared = model
            .types
            .iter()
            .map(|source| {
                let shared = Shared {
                    source,
                    constant: constants.allocate(&constant(&source.type_name), ""),
                    stem: stems.allocate(&source.module, "_"),
                };
                (source.reference.clone(), shared)
            })
            .collect();
        Self {
            shared,
            text_output: stems.allocate("text_output", "_"),
        }
    }

    pub(super) fn package(&'a self, surface: &'a OxagenSurface) -> Package<'a> {
        Package {
            surface,
            shared: &self.shared,
            text_output: &self.text_output,
        }
    }

    /// Adds `shared/`: the shared types, and of what is fixed that which `imported` asks for.
    pub(super) fn emit(&self, mut imported: BTreeSet<String>, out: &mut FileSet) {
        for (reference, shared) in &self.shared {
            let rendered = self.render(reference, shared);
            imported.extend(rendered.imports);
            out.add(format!("shared/{}.ts", shared.stem), rendered.text);
        }
        let generated = banner("the program itself");
        for (stem, template) in [(CHECKS_STEM, CHECKS), (&self.text_output, TEXT)] {
            if imported.contains(stem) {
                let text = fill(template, &[("banner", &generated)]);
                out.add(format!("shared/{stem}.ts"), text);
            }
        }
    }

    /// What is noted of shared types, by stem; with it what is noted of those that they import.
    pub(super) fn notes(&self) -> BTreeMap<&str, Vec<String>> {
        let rendered: BTreeMap<&str, Rendered> = self
            .shared
            .iter()
            .map(|(reference, shared)| (shared.stem.as_str(), self.render(reference, shared)))
            .collect();
        rendered
            .keys()
            .map(|&stem| {
                let mut seen = BTreeSet::from([stem]);
                let mut open = vec![stem];
                let mut notes = Vec::new();
                while let Some(module) = open.pop().and_then(|stem| rendered.get(stem)) {
                    notes.extend(module.notes.iter().cloned());
                    let imports = module.imports.iter().map(String::as_str);
                    open.extend(imports.filter(|s| rendered.contains_key(s) && seen.insert(s)));
                }
                (stem, notes)
            })
            .collect()
    }

    fn render(&self, reference: &str, shared: &Shared<'_>) -> Rendered {
        let name = &shared.constant;
        let mut module = Module::new(&self.shared, Some(reference), true, [name.as_str()]);
        let expr = zod::shared(&mut module, &shared.source.schema, name);
        let mut out = format!(
            "// {}\n",
            ts::comment(&banner(&shared.source.document.path))
        );
        out.push_str("import { z } from \"zod\";\n");
        for line in module.imports() {
            let _ = writeln!(out, "{line}");
        }
        for statement in module.statements() {
            let _ = write!(out, "\n{statement}\n");
        }
        let code = expr.print(0, "export const  = ".len() + name.len());
        let _ = write!(out, "\nexport const {name} = {code};\n");
        let _ = write!(
            out,
            "\nexport type {} = z.output<typeof {name}>;\n",
            shared.source.type_name
        );
        Rendered {
            text: out,
            imports: module.shared_stems(),
            notes: module.notes(),
        }
    }
}

/// `WorkspacePath` as `workspacePath`; a word that TypeScript keeps gets a tail.
fn constant(type_name: &str) -> String {
    let camel = names::camel(type_name);
    match toolcontract_manifest::names::reserved(&camel) {
        Some(_) => format!("{camel}Schema"),
        None => camel,
    }
}

/// What Oxagen is told otherwise than each contract reads, or not told: by the tool's own name, for
/// every tool that Oxagen is told of.
#[must_use]
pub fn lowering_notes(model: &Model) -> BTreeMap<&str, Vec<String>> {
    let Some(surface) = model.project.surfaces.oxagen.as_ref() else {
        return BTreeMap::new();
    };
    let shared = Types::of(model);
    let package = shared.package(surface);
    let of_types = shared.notes();
    capabilities(model)
        .iter()
        .map(|capability| {
            let tool = capability.tool;
            let work_out = || {
                let rendered = module::render(capability, &package);
                notes(capability, &rendered, &of_types)
            };
            let kept = tool.kept.oxagen.get().cloned();
            (tool.contract.name.as_str(), kept.unwrap_or_else(work_out))
        })
        .collect()
}

/// What Oxagen is told otherwise of one capability. `of_types` are the notes of shared types, by stem.
pub(super) fn notes(
    capability: &Capability<'_>,
    rendered: &Rendered,
    of_types: &BTreeMap<&str, Vec<String>>,
) -> Vec<String> {
    let mut notes = rendered.notes.clone();
    for stem in &rendered.imports {
        for note in of_types.get(stem.as_str()).into_iter().flatten() {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
    }
    notes.extend(decisions(capability));
    notes
}

/// What differs by what Oxagen has, and by what the manifest decides.
fn decisions(capability: &Capability<'_>) -> Vec<String> {
    let Capability {
        tool, declaration, ..
    } = capability;
    let mut notes = Vec::new();
    if tool.output.is_none() {
        notes.push("no output is promised; Oxagen gets the text as `{ content }`".to_owned());
    }
    if tool.contract.risk > declaration.agent.risk_level {
        notes.push("risk `destructive` is `high` there".to_owned());
    }
    match (
        tool.contract.requires_approval,
        declaration.agent.requires_approval,
    ) {
        (false, true) => notes.push("by its manifest's decision the agent surface asks".to_owned()),
        (true, false) => {
            notes.push("by its manifest's decision the agent surface does not ask".to_owned());
        }
        (true, true) | (false, false) => {}
    }
    notes
}
