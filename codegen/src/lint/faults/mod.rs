//! Pages for the faults that are found before or after linting: by the loader, while references
//! are resolved, by the lock. They are no rules: a file with such a fault has no contract to
//! except, so none of them can be allowed.

mod folder;
mod output;
mod reference;
mod shape;
mod text;

use super::page::Page;

/// Every fault that is not a rule, in the order of the docs.
pub fn faults() -> impl Iterator<Item = &'static Page> {
    [
        text::PAGES,
        shape::PAGES,
        folder::PAGES,
        reference::PAGES,
        output::PAGES,
    ]
    .into_iter()
    .flatten()
}
