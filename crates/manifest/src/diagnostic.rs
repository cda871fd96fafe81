//! A finding: where, which rule, what is wrong, what to do.
//!
//! Holds text as it was written; printers escape it for their target.

use std::{cmp::Ordering, ops::Range, sync::Arc};

use crate::{
    document::Document,
    position::{Position, clip},
};

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Does not stop anything unless warnings are denied.
    Warning,
    /// Stops generation.
    Error,
}

impl Level {
    /// The word that every printer uses.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One finding.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// Stable kebab-case id of the rule.
    pub rule: &'static str,
    /// How much it weighs.
    pub level: Level,
    /// The file; none when there is no text to show, then `path` names it.
    pub document: Option<Arc<Document>>,
    /// The file's path relative to the project, forward slashes.
    pub path: String,
    /// Byte range in the file's text.
    pub span: Range<usize>,
    /// What is wrong: lower case, no full stop, user text in backticks.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding of level error at a place in a file.
    #[must_use]
    pub fn error(
        rule: &'static str,
        document: &Arc<Document>,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            level: Level::Error,
            path: document.path.clone(),
            span: clip(&document.text, span),
            document: Some(Arc::clone(document)),
            message: message.into(),
            help: None,
        }
    }

    /// A finding of level warning at a place in a file.
    #[must_use]
    pub fn warning(
        rule: &'static str,
        document: &Arc<Document>,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            level: Level::Warning,
            ..Self::error(rule, document, span, message)
        }
    }

    /// A finding of level error about a file as a whole, whose text is not shown.
    #[must_use]
    pub fn about_file(
        rule: &'static str,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            level: Level::Error,
            document: None,
            path: path.into(),
            span: 0..0,
            message: message.into(),
            help: None,
        }
    }

    /// The same finding with what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Where it starts and ends; none when no text is shown.
    #[must_use]
    pub fn place(&self) -> Option<(Position, Position)> {
        let document = self.document.as_ref()?;
        Some((
            document.position(self.span.start),
            document.position(self.span.end),
        ))
    }

    /// The order in which findings are shown: path, place, rule, then what tells the rest apart.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        let key = |d: &Self| (d.span.start, d.rule, d.span.end, d.level);
        self.path
            .cmp(&other.path)
            .then_with(|| key(self).cmp(&key(other)))
            .then_with(|| self.message.cmp(&other.message))
            .then_with(|| self.help.cmp(&other.help))
    }
}

/// Brings findings into the order in which they are shown.
pub fn sort(findings: &mut [Diagnostic]) {
    findings.sort_by(Diagnostic::order);
}

/// Whether a finding stops generation.
#[must_use]
pub fn has_error(findings: &[Diagnostic]) -> bool {
    findings.iter().any(|f| f.level == Level::Error)
}
