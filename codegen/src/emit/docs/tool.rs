//! The page of one tool.

use rayon::prelude::*;
use serde_json::Value;

use super::{
    facts, lowering,
    markdown::{Page, code, inline},
    navigation::Navigation,
    schema,
};
use crate::{
    emit::{FileSet, text::first_sentence},
    lint::CheckedModel,
    model::{Tool, oxagen_names},
};

/// Adds `tools/<name>.md` of every tool.
pub(super) fn emit(
    model: &CheckedModel,
    oxagen: &lowering::OxagenNotes<'_>,
    navigation: &mut Navigation,
    out: &mut FileSet,
) {
    let tools = model.tools.par_iter();
    let pages: Vec<String> = tools.map(|tool| page(model, oxagen, tool)).collect();
    for (tool, page) in model.tools.iter().zip(pages) {
        let path = format!("tools/{}.md", tool.contract.name);
        let about = first_sentence(&tool.contract.description);
        navigation.add("Tools", &path, title(tool), about);
        out.add(path, page);
    }
}

fn title(tool: &Tool) -> &str {
    tool.manifest
        .title
        .as_deref()
        .unwrap_or(&tool.contract.name)
}

fn page(model: &CheckedModel, oxagen: &lowering::OxagenNotes<'_>, tool: &Tool) -> String {
    let name = &tool.contract.name;
    let front = [
        ("name", name.as_str()),
        ("description", tool.contract.description.as_str()),
        ("group", tool.manifest.group.as_deref().unwrap_or_default()),
        ("risk", tool.contract.risk.as_str()),
    ];
    let mut page = Page::new(title(tool), &front, &tool.document.path);
    page.paragraph(&format!(
        "{}: {}",
        code(name),
        inline(&tool.contract.description)
    ));
    deprecation(&mut page, tool);
    page.heading(2, "Facts");
    page.table(&["Fact", "Value", "Meaning"], &facts::rows(model, tool));
    page.heading(2, "Input");
    schema::describe(&mut page, model, &tool.input, "../");
    page.heading(2, "Output");
    match &tool.output {
        Some(output) => schema::describe(&mut page, model, output, "../"),
        None => page.paragraph("Text for the model to read; no structured data is promised."),
    }
    events(&mut page, model, tool);
    examples(&mut page, tool);
    surfaces(&mut page, model, tool);
    lowering::section(&mut page, model, oxagen, tool);
    page.into_text()
}

fn deprecation(page: &mut Page, tool: &Tool) {
    let Some(deprecated) = &tool.manifest.deprecated else {
        return;
    };
    let mut text = format!("**Deprecated** since {}.", inline(&deprecated.since));
    if let Some(replacement) = &deprecated.replaced_by {
        text.push_str(&format!(
            " Use [{}]({replacement}.md) instead.",
            code(replacement)
        ));
    }
    if let Some(note) = &deprecated.note {
        text.push_str(&format!(" {}", inline(note)));
    }
    page.paragraph(&text);
}

fn events(page: &mut Page, model: &CheckedModel, tool: &Tool) {
    page.heading(2, "Events");
    if tool.contract.events.is_empty() {
        page.paragraph("None. The runtime drops whatever a call emits.");
        return;
    }
    let items: Vec<String> = tool
        .contract
        .events
        .iter()
        .filter_map(|name| model.events.iter().find(|e| &e.manifest.name == name))
        .map(|e| {
            format!(
                "[{}](../events/{}.md): {}",
                code(&e.manifest.name),
                e.manifest.name,
                inline(&e.manifest.description)
            )
        })
        .collect();
    page.list(items.iter().map(String::as_str));
}

fn examples(page: &mut Page, tool: &Tool) {
    if tool.manifest.examples.is_empty() {
        return;
    }
    page.heading(2, "Examples");
    for example in &tool.manifest.examples {
        page.paragraph(&inline(&example.summary));
        page.code("json", &pretty(&example.input));
        if let Some(output) = &example.output {
            page.paragraph("gives");
            page.code("json", &pretty(output));
        }
    }
}

fn surfaces(page: &mut Page, model: &CheckedModel, tool: &Tool) {
    let mut rows = Vec::new();
    let surfaces = &model.project.surfaces;
    if let Some(rust) = &surfaces.rust {
        let module = format!("{}::{}", rust.krate.replace('-', "_"), tool.names.module);
        rows.push(vec!["Rust".to_owned(), code(&module), String::new()]);
    }
    if let Some(typescript) = &surfaces.typescript {
        rows.push(vec![
            "TypeScript".to_owned(),
            code(&format!(
                "{}/tools/{}",
                typescript.package, tool.names.module
            )),
            String::new(),
        ]);
    }
    if let Some(mcp) = &surfaces.mcp {
        rows.push(vec![
            "MCP".to_owned(),
            code(&tool.contract.name),
            format!("facts under {}", code(&mcp.meta_key)),
        ]);
    }
    if surfaces.oxagen.is_some() {
        let section = tool.manifest.oxagen.as_ref();
        rows.push(match section.and_then(|o| o.skip.as_ref()) {
            Some(reason) => vec![
                "Oxagen".to_owned(),
                "not emitted".to_owned(),
                inline(reason),
            ],
            None => vec![
                "Oxagen".to_owned(),
                code(oxagen_names::name(&tool.manifest)),
                String::new(),
            ],
        });
    }
    if let Some(locked) = model.lock.tools.get(&tool.contract.name) {
        rows.push(vec![
            "Model".to_owned(),
            code(&tool.contract.name),
            format!("about {} tokens", locked.tokens),
        ]);
    }
    if rows.is_empty() {
        return;
    }
    page.heading(2, "Surfaces");
    page.table(&["Surface", "Name", "Note"], &rows);
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
