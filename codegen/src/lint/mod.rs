//! The rules that a catalog must keep. The only maker of a [`CheckedModel`], so that emitting
//! has no error path: what a target cannot express is a rule here.

mod allow;
mod catalog;
mod compile;
mod contradictions;
mod dialects;
pub mod faults;
mod findings;
mod oxagen;
pub mod page;
mod possible;
pub mod rule;
mod rules;
mod site;
mod spot;

use std::{ops::Deref, sync::Arc};

use rayon::prelude::*;
use toolcontract_manifest::{
    Diagnostic, Document,
    diagnostic::{has_error, sort},
    document::{Node, NodeValue},
};

pub use faults::faults;
pub use page::Page;
pub use rule::Rule;
pub use rules::RULES;

use crate::model::Model;
use catalog::{Catalog, Shared};
use findings::Findings;

/// What `new` writes as descriptions of a tool and of a property. `placeholder-text` finds what
/// is left of them.
pub const PLACEHOLDERS: [&str; 2] = [rules::OF_TOOL, rules::OF_PROPERTY];

/// A model that no rule of level error refuses.
#[derive(Debug)]
pub struct CheckedModel(Model);

impl CheckedModel {
    /// Forgets the texts of the manifests and the schemas as they were written: findings need
    /// them, emitters do not, and they are a good part of what a large catalog takes in memory.
    #[must_use]
    pub fn without_sources(mut self) -> Self {
        let bare = |document: &mut Arc<Document>| {
            let nothing = Node {
                span: 0..0,
                value: NodeValue::Null,
            };
            *document = Arc::new(Document::new(document.path.as_str(), "", nothing));
        };
        for tool in &mut self.0.tools {
            bare(&mut tool.document);
            tool.manifest.input_schema = None;
            tool.manifest.output_schema = None;
        }
        for event in &mut self.0.events {
            bare(&mut event.document);
        }
        for shared in &mut self.0.types {
            bare(&mut shared.document);
        }
        self
    }

    /// Completes the lock with token estimates, of which no rule knows anything.
    pub(crate) fn set_estimates(&mut self, estimates: Vec<(String, u32)>) {
        self.0.set_estimates(estimates);
    }
}

impl Deref for CheckedModel {
    type Target = Model;

    fn deref(&self) -> &Model {
        &self.0
    }
}

/// Checks `model` against every rule.
///
/// Gives the checked model when no finding is an error, and all findings in any case, by file
/// and place.
#[must_use]
pub fn check(model: Model) -> (Option<CheckedModel>, Vec<Diagnostic>) {
    let shared = Shared::of(&model);
    let catalog = Catalog::new(&model, &shared);
    let mut found: Vec<Diagnostic> = RULES
        .par_iter()
        .flat_map_iter(|rule| {
            let mut findings = Findings::of(rule);
            (rule.check)(&catalog, &mut findings);
            findings.into_found()
        })
        .collect();
    let used = allow::apply(&model, &mut found);
    found.extend(rules::unused_allow(&catalog, &used));
    sort(&mut found);
    let clean = !has_error(&found);
    (clean.then_some(CheckedModel(model)), found)
}

/// The rule of this id.
#[must_use]
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id() == id)
}

/// The page of this id, of a rule or of a fault: all that a diagnostic can carry.
#[must_use]
pub fn page(id: &str) -> Option<&'static Page> {
    rule(id)
        .map(|rule| &rule.page)
        .or_else(|| faults().find(|page| page.id == id))
}
