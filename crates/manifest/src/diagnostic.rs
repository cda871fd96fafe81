//! A finding: where, which rule, what is wrong, what to do.

use std::{ops::Range, sync::Arc};

use crate::document::Document;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Does not stop anything unless warnings are denied.
    Warning,
    /// Stops generation.
    Error,
}

/// One finding.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// Stable kebab-case id of the rule.
    pub rule: &'static str,
    /// How much it weighs.
    pub level: Level,
    /// The file; none when a file is missing altogether, then `path` names it.
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
