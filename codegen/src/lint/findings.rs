//! What a rule reports to: it puts the rule's id and level on each finding and drops what the
//! posture switches off.

use std::{ops::Range, sync::Arc};

use toolcontract_manifest::{Diagnostic, Document, Level};
use toolcontract_protocol::manifest::Posture;

use super::rule::Rule;
use crate::model::{Event, Model, SharedType, Tool};

/// The place of a finding.
#[derive(Debug, Clone)]
pub(super) struct Place {
    document: Arc<Document>,
    posture: Posture,
    span: Range<usize>,
}

/// Something that a finding can be about: a file, held in one posture.
pub(super) trait Located {
    /// The file.
    fn document(&self) -> &Arc<Document>;

    /// How strictly it is held.
    fn posture(&self) -> Posture {
        Posture::Authored
    }

    /// The file as a whole.
    fn file(&self) -> Place {
        Place {
            document: self.document().clone(),
            posture: self.posture(),
            span: 0..0,
        }
    }

    /// The value at a JSON pointer into the file.
    fn at(&self, pointer: &str) -> Place {
        Place {
            document: self.document().clone(),
            posture: self.posture(),
            span: self.document().span(pointer),
        }
    }

    /// The key at a JSON pointer into the file.
    fn key(&self, pointer: &str) -> Place {
        Place {
            document: self.document().clone(),
            posture: self.posture(),
            span: self.document().key_span(pointer),
        }
    }
}

impl Located for Tool {
    fn document(&self) -> &Arc<Document> {
        &self.document
    }

    fn posture(&self) -> Posture {
        self.manifest.posture()
    }
}

impl Located for Event {
    fn document(&self) -> &Arc<Document> {
        &self.document
    }
}

impl Located for SharedType {
    fn document(&self) -> &Arc<Document> {
        &self.document
    }
}

/// The project file.
impl Located for Model {
    fn document(&self) -> &Arc<Document> {
        &self.project_document
    }
}

/// Collects what one rule finds.
#[derive(Debug)]
pub(super) struct Findings {
    rule: &'static Rule,
    found: Vec<Diagnostic>,
}

impl Findings {
    /// For the findings of `rule`.
    #[must_use]
    pub(super) fn of(rule: &'static Rule) -> Self {
        Self {
            rule,
            found: Vec::new(),
        }
    }

    /// The id of the rule.
    #[must_use]
    pub(super) fn id(&self) -> &'static str {
        self.rule.id()
    }

    /// Reports a finding: what is wrong, and what to do about it.
    pub(super) fn report(
        &mut self,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let Some(level) = self.rule.level(place.posture) else {
            return;
        };
        let found = match level {
            Level::Error => Diagnostic::error,
            Level::Warning => Diagnostic::warning,
        };
        self.found
            .push(found(self.rule.id(), &place.document, place.span, message).help(help));
    }

    /// What was found.
    #[must_use]
    pub(super) fn into_found(self) -> Vec<Diagnostic> {
        self.found
    }
}

/// What to do about a word that is not known: the one that was probably meant, else `otherwise`.
#[must_use]
pub(super) fn meant(nearest: Option<&str>, otherwise: &str) -> String {
    match nearest {
        Some(word) => format!("did you mean `{word}`? Otherwise {otherwise}"),
        None => otherwise.to_owned(),
    }
}
