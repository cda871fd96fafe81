//! What a person should look at before the tools of a server are let in: claims that do not fit,
//! text that speaks to a model, what a reader does not see, names that others have, and what has
//! changed since somebody looked.
//!
//! Reads definitions and calls nothing. A list without findings is not a promise: text can mislead
//! in ways that no rule knows.

mod claims;
mod fold;
mod names;
mod pins;
mod rules;
mod text;

use std::sync::Arc;

use toolcontract_manifest::{
    Diagnostic, Document, Node,
    document::NodeValue,
    import::{Finding, Imported, Oddity, Subject, Tool},
    sort,
};

use crate::text::one_line;
pub use fold::folded;
pub use pins::{Pins, PinsError};
pub use rules::{RULES, Rule, about};

/// The most characters of a name in a message, and of a reason.
const MAX_NAME: usize = 128;
const MAX_REASON: usize = 500;

/// One list of tools.
#[derive(Debug)]
pub struct Listed {
    /// Its name in findings: a file, or what a server is called.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What was read of it.
    pub imported: Imported,
    /// Whether a server was asked for it. Its text is nowhere, so findings show no line of it.
    pub is_live: bool,
}

/// Everything that there is to say about `lists`, in the order of names and places.
#[must_use]
pub fn scan(lists: &[Listed], pins: Option<&Pins>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut pages = Vec::with_capacity(lists.len());
    for list in lists {
        let page = Page::new(list);
        of_import(&page, &mut findings);
        for tool in &list.imported.tools {
            names::served(&page, tool, &mut findings);
            claims::check(&page, tool, &mut findings);
            text::check(&page, tool, &mut findings);
        }
        if let Some(pins) = pins {
            pins::check(&page, pins, &mut findings);
        }
        pages.push(page);
    }
    names::check(&pages, &mut findings);
    sort(&mut findings);
    findings
}

/// A list whose lines findings can point at.
struct Page<'l> {
    list: &'l Listed,
    document: Arc<Document>,
    /// Where each line starts, in bytes.
    lines: Vec<usize>,
}

impl<'l> Page<'l> {
    fn new(list: &'l Listed) -> Self {
        let ends = list.text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            document: Arc::new(Document::new(
                list.name.clone(),
                list.text.clone(),
                Node {
                    span: 0..list.text.len(),
                    value: NodeValue::Null,
                },
            )),
            lines: std::iter::once(0).chain(ends).collect(),
            list,
        }
    }

    /// A finding about the definition of `subject`. Of level error: it should not be let in as it
    /// is.
    fn error(&self, rule: &Rule, subject: Option<&Subject>, message: String) -> Diagnostic {
        let at = self.start(subject);
        self.placed(Diagnostic::error(rule.id, &self.document, at..at + 1, message).help(rule.help))
    }

    /// A finding that a person should weigh.
    fn warning(&self, rule: &Rule, subject: Option<&Subject>, message: String) -> Diagnostic {
        let at = self.start(subject);
        self.placed(
            Diagnostic::warning(rule.id, &self.document, at..at + 1, message).help(rule.help),
        )
    }

    fn placed(&self, mut finding: Diagnostic) -> Diagnostic {
        if self.list.is_live {
            finding.document = None;
        }
        finding
    }

    fn start(&self, subject: Option<&Subject>) -> usize {
        let line = subject.map_or(1, |subject| subject.line);
        let starts = self.lines.get(line.saturating_sub(1));
        starts.copied().unwrap_or_default()
    }
}

/// The name as served.
fn called(tool: &Tool) -> &str {
    tool.manifest.wire_name.as_deref().unwrap_or_default()
}

/// A name as messages show it.
fn shown(name: &str) -> String {
    one_line(name, MAX_NAME)
}

/// What reading the list has told already.
fn of_import(page: &Page<'_>, findings: &mut Vec<Diagnostic>) {
    for quarantined in &page.list.imported.quarantined {
        let name = shown(quarantined.subject.name.as_deref().unwrap_or("(no name)"));
        let reason = one_line(&quarantined.reason.to_string(), MAX_REASON);
        let message = format!("`{name}` cannot be let in: {reason}");
        findings.push(page.error(&rules::UNUSABLE, Some(&quarantined.subject), message));
    }
    // A name outside of the protocol is told with those that are not served.
    let told = |finding: &&Finding| {
        !finding.what.is_of_protocol() && !matches!(finding.what, Oddity::NameOutsideProtocol(_))
    };
    for finding in page.list.imported.findings.iter().filter(told) {
        let subject = finding.subject.as_ref();
        let what = one_line(&finding.what.to_string(), MAX_REASON);
        let message = match subject.and_then(|subject| subject.name.as_deref()) {
            Some(name) => format!("`{}`: {what}", shown(name)),
            None => what,
        };
        findings.push(match rules::of_oddity(&finding.what) {
            (rule, true) => page.error(rule, subject, message),
            (rule, false) => page.warning(rule, subject, message),
        });
    }
}
