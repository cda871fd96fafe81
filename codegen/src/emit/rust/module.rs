//! The text of a generated module: banner, docs, imports, items with a blank line between.

use std::{collections::BTreeSet, fmt::Write as _};

use proc_macro2::TokenStream;

use super::{doc, render::Use};
use crate::emit::text::banner;

/// A module under construction.
pub(super) struct Module {
    text: String,
}

impl Module {
    /// A module that is made from the file `source`.
    pub(super) fn new(source: &str) -> Self {
        Self {
            text: format!("// {}\n", banner(source)),
        }
    }

    /// What the module is, as inner doc comments.
    pub(super) fn about(&mut self, text: &str) {
        for line in doc::lines(text, 0) {
            let _ = writeln!(self.text, "//! {line}");
            if line.is_empty() {
                self.text.truncate(self.text.trim_end().len());
                self.text.push('\n');
            }
        }
    }

    /// The imports, in groups: the standard library, other crates, this crate.
    pub(super) fn uses(&mut self, uses: &BTreeSet<Use>) {
        for group in GROUPS {
            let mut lines = String::new();
            for (path, names) in group {
                let names: Vec<&str> = names
                    .iter()
                    .filter(|(wanted, _)| uses.contains(wanted))
                    .map(|(_, name)| *name)
                    .collect();
                let _ = match names.as_slice() {
                    [] => Ok(()),
                    [name] => writeln!(lines, "use {path}::{name};"),
                    names => writeln!(lines, "use {path}::{{{}}};", names.join(", ")),
                };
            }
            if !lines.is_empty() {
                self.text.push('\n');
                self.text.push_str(&lines);
            }
        }
    }

    /// Items, a blank line before each.
    pub(super) fn items<P: Into<Part>>(&mut self, items: impl IntoIterator<Item = P>) {
        for item in items {
            self.text.push('\n');
            match item.into() {
                Part::Tokens(item) => self.text.push_str(&formatted(item)),
                Part::Text(text) => self.text.push_str(text),
            }
        }
    }

    /// Lines that stand as they are, a blank line before them.
    pub(super) fn lines<'l>(&mut self, lines: impl IntoIterator<Item = &'l str>) {
        self.text.push('\n');
        for line in lines {
            let _ = writeln!(self.text, "{line}");
        }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// An item of a module.
pub(super) enum Part {
    /// To be laid out.
    Tokens(TokenStream),
    /// The same in every module, and laid out already.
    Text(&'static str),
}

impl From<TokenStream> for Part {
    fn from(item: TokenStream) -> Self {
        Self::Tokens(item)
    }
}

/// The imports of one crate: its path, and what may be taken from it.
type Import = (&'static str, &'static [(Use, &'static str)]);

/// Each group in the order in which it is written.
const GROUPS: [&[Import]; 3] = [
    &[("std::collections", &[(Use::BTreeMap, "BTreeMap")])],
    &[
        (
            "serde",
            &[
                (Use::Deserialize, "Deserialize"),
                (Use::Serialize, "Serialize"),
            ],
        ),
        (
            "serde_json",
            &[
                (Use::Map, "Map"),
                (Use::Number, "Number"),
                (Use::Value, "Value"),
            ],
        ),
        (
            "toolcontract_protocol",
            &[
                (Use::Embedded, "Embedded"),
                (Use::NoEvent, "NoEvent"),
                (Use::ToolContract, "ToolContract"),
            ],
        ),
        (
            "toolcontract_protocol::typed",
            &[(Use::Exact, "exact"), (Use::Present, "present")],
        ),
        (
            "toolcontract_schema",
            &[
                (Use::Formats, "Formats"),
                (Use::ParseError, "ParseError"),
                (Use::Schema, "Schema"),
            ],
        ),
    ],
    &[("crate", &[(Use::Events, "events"), (Use::Types, "types")])],
];

/// One item as a person would lay it out. Tokens that are no item stand as they are, for rustc to refuse.
fn formatted(item: TokenStream) -> String {
    // A clone shares the tokens; their text is asked for only where they are no item.
    let Ok(parsed) = syn::parse2::<syn::Item>(item.clone()) else {
        return item.to_string();
    };
    let item = parsed;
    let methods = matches!(item, syn::Item::Impl(_));
    let text = prettyplease::unparse(&syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![item],
    });
    if methods { spaced(&text) } else { text }
}

/// A blank line around the methods of an `impl`.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 8);
    let mut before = "";
    for line in text.lines() {
        let method = before == "    }" && line != "}";
        let after_constant = before.starts_with("    const ") && !line.starts_with("    const ");
        let first_constant = before.starts_with("    type ") && line.starts_with("    const ");
        if method || after_constant || first_constant {
            spaced.push('\n');
        }
        spaced.push_str(line);
        spaced.push('\n');
        before = line;
    }
    spaced
}
