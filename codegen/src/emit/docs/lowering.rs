//! What a surface cannot say of a tool, on the tool's page, and where each key goes in Oxagen.

use std::collections::BTreeMap;

use super::{
    markdown::{Page, code, inline},
    navigation::Navigation,
};
use crate::{
    emit::{
        FileSet, advertised, mcp,
        oxagen::slots::{SLOTS, Slot},
    },
    lint::CheckedModel,
    model::Tool,
};

/// What Oxagen cannot say, by tool. Computed once for the catalog.
pub(super) type OxagenNotes<'a> = BTreeMap<&'a str, Vec<String>>;

/// Adds the section of one tool; nothing when every surface says all of its contract.
pub(super) fn section(
    page: &mut Page,
    model: &CheckedModel,
    oxagen: &OxagenNotes<'_>,
    tool: &Tool,
) {
    let surfaces = &model.project.surfaces;
    let mut rows = Vec::new();
    if surfaces.mcp.is_some() {
        rows.extend(
            mcp::lowering_notes(tool)
                .iter()
                .map(|note| row("MCP", note)),
        );
    }
    let notes = oxagen.get(tool.contract.name.as_str());
    rows.extend(notes.into_iter().flatten().map(|note| row("Oxagen", note)));
    for dialect in surfaces.advertised.iter().flat_map(|s| s.dialects.iter()) {
        for told in advertised::told(tool, *dialect) {
            let parts: Vec<String> = told
                .parts
                .iter()
                .map(|(place, text)| {
                    format!("{}: {}", code(place), inline(text.trim_end_matches('.')))
                })
                .collect();
            rows.push(vec![
                code(dialect.as_str()),
                format!("{} {}.", told.what, parts.join("; ")),
            ]);
        }
    }
    if rows.is_empty() {
        return;
    }
    page.heading(2, "Lowering");
    page.paragraph(
        "What a surface says otherwise, or cannot say. The contract is enforced all the same.",
    );
    page.table(&["Surface", "Note"], &rows);
}

fn row(surface: &str, note: &str) -> Vec<String> {
    vec![surface.to_owned(), inline(note)]
}

/// Adds `oxagen.md`.
pub(super) fn slots(model: &CheckedModel, navigation: &mut Navigation, out: &mut FileSet) {
    if model.project.surfaces.oxagen.is_none() {
        return;
    }
    let title = "Keys in Oxagen";
    let about = "Where each key of a manifest goes in Oxagen, or why it has no place there.";
    let mut page = Page::new(title, &[("description", about)], "the program itself");
    page.paragraph(about);
    let rows: Vec<Vec<String>> = SLOTS
        .iter()
        .map(|row| {
            let (place, how) = match row.slot {
                Slot::Field(field, how) => (code(field), how),
                Slot::Beside(how) => ("beside the declaration".to_owned(), how),
                Slot::None(why) => ("none".to_owned(), why),
            };
            vec![code(row.key), place, inline(how)]
        })
        .collect();
    page.table(&["Key", "Place", "How, or why not"], &rows);
    navigation.add("Reference", "oxagen.md", title, about);
    out.add("oxagen.md", page.into_text());
}
