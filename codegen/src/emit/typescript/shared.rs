//! The shared types as the modules that use them see them: which there are, what they export, and
//! how that is imported.

use std::collections::{BTreeMap, BTreeSet};

use toolcontract_schema::{Formats, Normal};

use super::{
    defaults::fillable,
    depth::shallow,
    form::{Form, Target},
    lower::Lowering,
    names::ModuleNames,
    refs::{each, reachable},
};
use crate::model::{SharedType, circle::circular};

/// What every module may need to know of the shared types.
#[derive(Debug)]
pub(super) struct Package<'a> {
    types: &'a [SharedType],
    /// The shared types that have defaults to fill in.
    fillable: BTreeSet<&'a str>,
    /// What inferring the type of each one's schema costs.
    depths: BTreeMap<&'a str, usize>,
    /// By shared type, those that it names and that lead back to it.
    circular: BTreeMap<String, BTreeSet<String>>,
}

impl<'a> Package<'a> {
    /// With the modules of these types.
    pub(super) fn new(types: &'a [SharedType]) -> Self {
        let mut package = Self {
            types,
            fillable: BTreeSet::new(),
            depths: BTreeMap::new(),
            circular: BTreeMap::new(),
        };
        let forms: Vec<(&str, Vec<(Target, Form)>)> = types
            .iter()
            .map(|ty| {
                let lowering = package.lowering(&ty.schema.normal, Formats::Assert);
                (ty.reference.as_str(), reachable(&lowering))
            })
            .collect();
        package.circular = circular(&named(&forms));
        // A type may use another one that comes later; each round settles at least one more.
        for _ in types {
            let mut settled = true;
            for (reference, forms) in &forms {
                let later = package.later(reference);
                let shared = |target: &Target| package.depth(&later, target);
                let depth = shallow(forms.clone(), reference, true, &shared).depth;
                settled &= package.depths.insert(reference, depth) == Some(depth);
            }
            if settled {
                break;
            }
        }
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

    /// Reads the schemas of a module.
    pub(super) fn lowering<'n>(&self, normal: &'n Normal, formats: Formats) -> Lowering<'n> {
        Lowering::new(normal, &|reference| self.find(reference).is_some(), formats)
    }

    /// The type that a reference names.
    pub(super) fn find(&self, reference: &str) -> Option<&'a SharedType> {
        self.types.iter().find(|ty| ty.reference == reference)
    }

    /// The shared types that the module of one imports and that import it in turn.
    pub(super) fn later(&self, reference: &str) -> BTreeSet<String> {
        self.circular.get(reference).cloned().unwrap_or_default()
    }

    /// What inferring the type of a shared type's schema costs where those of `later` are lazy.
    pub(super) fn depth(&self, later: &BTreeSet<String>, target: &Target) -> usize {
        match target {
            Target::Shared(reference) if later.contains(reference) => 0,
            Target::Shared(reference) => self.depths.get(reference.as_str()).copied().unwrap_or(0),
            Target::Root | Target::Local(_) | Target::Part(_) => 0,
        }
    }

    /// Whether a shared type has defaults to fill in.
    pub(super) fn is_fillable(&self, target: &Target) -> bool {
        match target {
            Target::Shared(reference) => self.fillable.contains(reference.as_str()),
            Target::Root | Target::Local(_) | Target::Part(_) => false,
        }
    }
}

/// The shared types that each shared type names.
fn named<'a>(forms: &[(&'a str, Vec<(Target, Form)>)]) -> BTreeMap<&'a str, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    for (reference, forms) in forms {
        let named: &mut BTreeSet<String> = all.entry(*reference).or_default();
        for (_, form) in forms {
            each(form, &mut |target| {
                if let Target::Shared(other) = target {
                    named.insert(other.clone());
                }
            });
        }
    }
    all
}

/// What the module of a shared type exports.
#[derive(Debug)]
pub(super) struct Exported {
    pub(super) ty: String,
    pub(super) value: String,
    pub(super) with_defaults: String,
}

impl Exported {
    /// What the module of `ty` exports.
    pub(super) fn of(ty: &SharedType) -> Self {
        Self::allocate(ty, &mut ModuleNames::new())
    }

    /// The names, allocated before all others of the type's own module.
    pub(super) fn allocate(ty: &SharedType, names: &mut ModuleNames) -> Self {
        let value = names.value(&ty.type_name);
        Self {
            ty: names.exact_type(&ty.type_name),
            with_defaults: with_defaults(&value),
            value,
        }
    }
}

/// What the function is called that fills in the defaults of a schema.
pub(super) fn with_defaults(value: &str) -> String {
    format!("{value}WithDefaults")
}

/// Local names of what one module of a shared type exports.
#[derive(Debug, Default)]
pub(super) struct Imports {
    pub(super) ty: Option<String>,
    pub(super) value: Option<String>,
    pub(super) with_defaults: Option<String>,
}

impl Imports {
    /// The import, under other names where its own are taken.
    pub(super) fn text(&self, ty: &SharedType) -> String {
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
