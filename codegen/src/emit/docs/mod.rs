//! Markdown for people: an index, a page for each tool, event and shared type, the rules, the keys.
//!
//! Plain CommonMark with GFM tables and YAML front matter. Text of manifests is escaped, links are
//! relative and resolve inside the folder, anchors are names that never change.

mod bounds;
mod catalog;
mod facts;
mod keys;
mod lowering;
mod markdown;
mod navigation;
mod rules;
mod schema;
mod tool;
mod vocabulary;

use super::{Emitter, FileSet, folder};
use crate::lint::CheckedModel;
use navigation::Navigation;

/// Markdown pages for people.
#[derive(Debug)]
pub struct Docs;

impl Emitter for Docs {
    fn id(&self) -> &'static str {
        "docs"
    }

    fn about(&self) -> &'static str {
        "Markdown pages for people, with an index for navigation."
    }

    fn out(&self, model: &CheckedModel) -> Option<String> {
        let surface = model.project.surfaces.docs.as_ref()?;
        Some(folder(model, surface.out.as_ref(), self.id()))
    }

    fn emit(&self, model: &CheckedModel, out: &mut FileSet) {
        let mut navigation = Navigation::default();
        catalog::emit(model, &mut navigation, out);
        let oxagen = match &model.project.surfaces.oxagen {
            Some(_) => super::oxagen::lowering_notes(model),
            None => lowering::OxagenNotes::new(),
        };
        tool::emit(model, &oxagen, &mut navigation, out);
        vocabulary::emit(model, &mut navigation, out);
        keys::emit(&mut navigation, out);
        lowering::slots(model, &mut navigation, out);
        rules::emit(&mut navigation, out);
        navigation.emit(model, out);
    }
}
