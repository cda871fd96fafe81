//! `index.json`: every page with its title and section, in reading order, for a docs site.

use serde::Serialize;

use crate::{
    emit::{FileSet, text},
    lint::CheckedModel,
};

/// The pages so far.
#[derive(Debug, Default)]
pub(super) struct Navigation {
    pages: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct Entry {
    path: String,
    title: String,
    section: &'static str,
    description: String,
}

#[derive(Debug, Serialize)]
struct Index<'a> {
    title: &'a str,
    description: &'a str,
    pages: &'a [Entry],
}

impl Navigation {
    /// Adds a page. `section` is its heading in a sidebar.
    pub(super) fn add(
        &mut self,
        section: &'static str,
        path: &str,
        title: &str,
        description: &str,
    ) {
        self.pages.push(Entry {
            path: path.to_owned(),
            title: title.to_owned(),
            section,
            description: description.to_owned(),
        });
    }

    /// Writes `index.json`.
    pub(super) fn emit(&self, model: &CheckedModel, out: &mut FileSet) {
        let index = Index {
            title: &model.project.name,
            description: &model.project.description,
            pages: &self.pages,
        };
        out.add("index.json", text::pretty(&index));
    }
}
