//! How findings are shown: to a person, to a program, to GitHub, to a code scanner.
//!
//! All printers say the same in the same order. What a terminal would obey and a reader would
//! not see is escaped, never emitted.

mod github;
mod human;
mod json;
mod plain_json;
mod sarif;

use std::io::{self, Write};

use crate::diagnostic::Diagnostic;

/// A way to show findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// For a person: message, place, excerpt with the place underlined, help.
    Human,
    /// One JSON object a line.
    Json,
    /// Workflow commands, which GitHub shows beside the changed lines.
    Github,
    /// SARIF 2.1.0, one run.
    Sarif,
}

/// What a printer needs to know beside the findings.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The format.
    pub format: Format,
    /// Whether `human` may use colours.
    pub colors: bool,
    /// One sentence about a rule, by id; `sarif` lists it.
    pub about: fn(&str) -> Option<&'static str>,
}

/// Writes all findings, in the order of [`Diagnostic::order`].
///
/// # Errors
/// When `out` takes no more.
pub fn print(findings: &[Diagnostic], settings: Settings, out: &mut dyn Write) -> io::Result<()> {
    let mut sorted: Vec<&Diagnostic> = findings.iter().collect();
    sorted.sort_by(|a, b| a.order(b));
    match settings.format {
        Format::Human => human::print(&sorted, settings.colors, out),
        Format::Json => json::print(&sorted, out),
        Format::Github => github::print(&sorted, out),
        Format::Sarif => sarif::print(&sorted, settings.about, out),
    }
}
