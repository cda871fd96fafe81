//! A page of the rule book: the text that `explain` prints and the docs show, from one place.

use std::fmt::Write as _;

/// What there is to know about one id that a diagnostic can carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Stable kebab-case id that names the fault. It never changes meaning.
    pub id: &'static str,
    /// The fault in one sentence, for lists.
    pub about: &'static str,
    /// What it checks. Markdown.
    pub what: &'static str,
    /// Why it matters. Markdown.
    pub why: &'static str,
    /// A manifest, or a piece of one, that has the fault. TOML.
    pub example: &'static str,
    /// The same without the fault. TOML.
    pub instead: &'static str,
}

impl Page {
    /// The page as Markdown below a heading of level one, ending in a newline.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut out = format!("# {}\n\n{}\n", self.id, self.about);
        self.sections(&mut out, "##");
        out
    }

    /// Adds the four sections, each under a heading that starts with `marks`.
    pub fn sections(&self, out: &mut String, marks: &str) {
        let _ = write!(
            out,
            "\n{marks} What it checks\n\n{}\n\n{marks} Why it matters\n\n{}\n\n{marks} Example\n\n```toml\n{}\n```\n\n{marks} Use instead\n\n```toml\n{}\n```\n",
            self.what.trim(),
            self.why.trim(),
            self.example.trim(),
            self.instead.trim(),
        );
    }
}
