//! What the schemas of one TypeScript module need around them: constants, predicates, imports, and
//! notes on what zod was not told.

use std::collections::{BTreeMap, BTreeSet};

use toolcontract_manifest::names::reserved;

use super::expr::Expr;
use crate::model::{SharedType, names::Scope};

/// A shared type as modules import it.
#[derive(Debug, Clone)]
pub(in crate::emit::oxagen) struct Shared<'a> {
    pub(in crate::emit::oxagen) source: &'a SharedType,
    /// The constant: `workspacePath`.
    pub(in crate::emit::oxagen) constant: String,
    /// File stem.
    pub(in crate::emit::oxagen) stem: String,
}

/// What one module holds before its main export.
#[derive(Debug)]
pub(in crate::emit::oxagen) struct Module<'a> {
    /// Every shared type, by reference.
    pub(super) shared: &'a BTreeMap<String, Shared<'a>>,
    /// The shared type that this module is.
    pub(super) own: Option<&'a str>,
    /// Where the shared modules are, relative to this one.
    pub(super) shared_folder: &'static str,
    /// Whether formats are asserted.
    pub(super) asserts_formats: bool,
    names: Scope,
    imports: BTreeMap<String, BTreeSet<String>>,
    statements: Vec<String>,
    notes: BTreeMap<String, Vec<String>>,
}

impl<'a> Module<'a> {
    /// A module in which `reserved` names are taken.
    pub(in crate::emit::oxagen) fn new<'n>(
        shared: &'a BTreeMap<String, Shared<'a>>,
        own: Option<&'a str>,
        asserts_formats: bool,
        reserved: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let fixed = [
            "z",
            "v",
            "key",
            "registerCapability",
            "CapabilityDeclaration",
            "fits",
            "unique",
            "same",
            "membersFit",
            "itemsFit",
            "countFits",
        ];
        Self {
            shared,
            own,
            shared_folder: if own.is_some() { "." } else { "./shared" },
            asserts_formats,
            names: Scope::with_reserved(fixed.into_iter().chain(reserved)),
            imports: BTreeMap::new(),
            statements: Vec::new(),
            notes: BTreeMap::new(),
        }
    }

    /// A name that nothing in the module has.
    pub(super) fn allocate(&mut self, preferred: &str) -> String {
        let preferred = match preferred {
            "" => "part".to_owned(),
            word if reserved(word).is_some() => format!("{word}Schema"),
            word => word.to_owned(),
        };
        self.names.allocate(&preferred, "")
    }

    /// Imports `name` and gives it back.
    pub(in crate::emit::oxagen) fn import(&mut self, from: &str, name: &str) -> String {
        self.imports
            .entry(from.to_owned())
            .or_default()
            .insert(name.to_owned());
        name.to_owned()
    }

    /// Imports one of the checks.
    pub(super) fn check(&mut self, name: &str) -> String {
        let from = format!("{}/checks", self.shared_folder);
        self.import(&from, name)
    }

    /// Adds `const name = expr;`.
    pub(super) fn constant(&mut self, name: &str, expr: &Expr) {
        let before = "const  = ".len() + name.len();
        self.statements
            .push(format!("const {name} = {};", expr.print(0, before)));
    }

    pub(super) fn statement(&mut self, text: String) {
        self.statements.push(text);
    }

    /// Notes that zod was told `text` of the part at `place`.
    pub(super) fn note(&mut self, place: &str, text: impl Into<String>) {
        let places = self.notes.entry(text.into()).or_default();
        if !places.iter().any(|known| known == place) {
            places.push(place.to_owned());
        }
    }

    /// The import lines of this module beside zod and the registry.
    pub(in crate::emit::oxagen) fn imports(&self) -> Vec<String> {
        self.imports
            .iter()
            .map(|(from, names)| {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                format!("import {{ {} }} from \"{from}\";", names.join(", "))
            })
            .collect()
    }

    /// The stems of the shared modules that this one imports.
    pub(in crate::emit::oxagen) fn shared_stems(&self) -> BTreeSet<String> {
        self.imports
            .keys()
            .filter_map(|from| from.rsplit('/').next())
            .map(str::to_owned)
            .collect()
    }

    /// The statements before the main export.
    pub(in crate::emit::oxagen) fn statements(&self) -> &[String] {
        &self.statements
    }

    /// The notes as sentences with their places.
    pub(in crate::emit::oxagen) fn notes(&self) -> Vec<String> {
        self.notes
            .iter()
            .map(|(text, places)| {
                let places: Vec<String> = places.iter().map(|p| format!("`{p}`")).collect();
                format!("{text} ({})", places.join(", "))
            })
            .collect()
    }
}
