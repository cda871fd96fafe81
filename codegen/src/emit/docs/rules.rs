//! The page of the lint rules and load faults: the same text that `explain` prints.

use toolcontract_manifest::Level;

use super::{
    markdown::{Page as Markdown, inline},
    navigation::Navigation,
};
use crate::{
    emit::FileSet,
    lint::{Page, RULES, faults},
};

/// Adds `lint-rules.md`.
pub(super) fn emit(navigation: &mut Navigation, out: &mut FileSet) {
    let title = "Lint rules";
    let about = "What a catalog must keep, by rule id.";
    let mut page = Markdown::new(title, &[("description", about)], "the program itself");
    page.paragraph(
        "A finding names its rule. `toolcontract explain RULE` prints the text below \
         (`cargo xtask explain RULE` where a repository builds the generator itself). A manifest excepts itself \
         from a rule with `allow = [{ rule, reason }]`, where the rule says that it can.",
    );
    page.paragraph(
        "Two levels: one for contracts that were written here, one for those that were imported.",
    );
    let rows: Vec<Vec<String>> = RULES
        .iter()
        .map(|rule| {
            vec![
                format!("[{id}](#{id})", id = rule.id()),
                level(rule.authored).to_owned(),
                level(rule.declared).to_owned(),
                if rule.allowable { "yes" } else { "no" }.to_owned(),
                inline(rule.page.about),
            ]
        })
        .collect();
    page.table(
        &["Rule", "Authored", "Declared", "Can be allowed", "Fault"],
        &rows,
    );
    page.paragraph("Faults of the text itself, which no manifest can except itself from:");
    let rows: Vec<Vec<String>> = faults()
        .map(|fault| vec![format!("[{id}](#{id})", id = fault.id), inline(fault.about)])
        .collect();
    page.table(&["Fault", "What"], &rows);
    for text in RULES.iter().map(|rule| &rule.page).chain(faults()) {
        section(&mut page, text);
    }
    navigation.add("Reference", "lint-rules.md", title, about);
    out.add("lint-rules.md", page.into_text());
}

fn section(page: &mut Markdown, text: &Page) {
    page.heading(2, text.id);
    page.paragraph(text.about);
    let mut sections = String::new();
    text.sections(&mut sections, "###");
    page.paragraph(sections.trim());
}

fn level(level: Option<Level>) -> &'static str {
    match level {
        Some(Level::Error) => "error",
        Some(Level::Warning) => "warning",
        None => "off",
    }
}
