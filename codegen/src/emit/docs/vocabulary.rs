//! The pages of events and of shared types.

use super::{
    markdown::{Page, code, inline},
    navigation::Navigation,
    schema,
};
use crate::{
    emit::{FileSet, text::first_sentence},
    lint::CheckedModel,
    model::Event,
};

/// Adds `events/` and `types/`.
pub(super) fn emit(model: &CheckedModel, navigation: &mut Navigation, out: &mut FileSet) {
    events(model, navigation, out);
    types(model, navigation, out);
}

fn events(model: &CheckedModel, navigation: &mut Navigation, out: &mut FileSet) {
    let mut index = Page::new("Events", &[], "manifests/events");
    index.paragraph(
        "What a call may emit while it runs, beside its output. A tool emits only what its contract \
         declares; the runtime drops and counts everything else.",
    );
    navigation.add(
        "Events",
        "events/README.md",
        "Events",
        "What a call may emit while it runs.",
    );
    let mut rows = Vec::new();
    for event in &model.events {
        let name = &event.manifest.name;
        let kind = if event.manifest.replayable {
            "fact"
        } else {
            "sign of life"
        };
        rows.push(vec![
            format!("[{}]({name}.md)", code(name)),
            kind.to_owned(),
            inline(&event.manifest.description),
        ]);

        let path = format!("events/{name}.md");
        navigation.add(
            "Events",
            &path,
            name,
            first_sentence(&event.manifest.description),
        );
        out.add(path, event_page(model, event).into_text());
    }
    index.table_or(
        &["Event", "Kind", "When"],
        &rows,
        "This catalog declares no event yet. Each would have a manifest in `manifests/events/`.",
    );
    out.add("events/README.md", index.into_text());
}

fn event_page(model: &CheckedModel, event: &Event) -> Page {
    let name = &event.manifest.name;
    let mut page = Page::new(
        name,
        &[("description", &event.manifest.description)],
        &event.document.path,
    );
    page.paragraph(&inline(&event.manifest.description));
    page.paragraph(if event.manifest.replayable {
        "A fact: a journal may replay it."
    } else {
        "A sign of life: it may be dropped or coalesced, and is never counted on."
    });
    page.heading(2, "Payload");
    schema::describe(&mut page, model, &event.payload, "../");
    page.heading(2, "Emitted by");
    let emitters: Vec<String> = model
        .tools
        .iter()
        .filter(|tool| tool.contract.events.contains(name))
        .map(|tool| {
            format!(
                "[{}](../tools/{}.md)",
                code(&tool.contract.name),
                tool.contract.name
            )
        })
        .collect();
    match emitters.is_empty() {
        true => page.paragraph("No tool yet."),
        false => page.list(emitters.iter().map(String::as_str)),
    }
    page
}

fn types(model: &CheckedModel, navigation: &mut Navigation, out: &mut FileSet) {
    let mut index = Page::new("Shared types", &[], "manifests/types");
    index.paragraph("Shapes that more than one schema uses. A `$ref` to a whole file is the type of that file, the same everywhere; one to a part of a file (`types/page.toml#/$defs/cursor`) becomes a type of each tool that writes it.");
    navigation.add(
        "Types",
        "types/README.md",
        "Shared types",
        "Shapes that more than one schema uses.",
    );
    let mut rows = Vec::new();
    for shared in &model.types {
        let about = shared
            .schema
            .wire
            .get("description")
            .and_then(|d| d.as_str())
            .unwrap_or_default();
        rows.push(vec![
            format!("[{}]({}.md)", code(&shared.module), shared.module),
            code(&shared.type_name),
            inline(about),
        ]);
        let path = format!("types/{}.md", shared.module);
        let mut page = Page::new(
            &shared.module,
            &[("description", about)],
            &shared.document.path,
        );
        page.paragraph(&format!(
            "{} in Rust and TypeScript. {}",
            code(&shared.type_name),
            inline(about)
        ));
        page.heading(2, "Shape");
        schema::describe(&mut page, model, &shared.schema, "../");
        navigation.add("Types", &path, &shared.module, about);
        out.add(path, page.into_text());
    }
    index.table_or(
        &["Type", "Name in code", "What it is"],
        &rows,
        "This catalog shares no type yet. Each would have a file in `manifests/types/`.",
    );
    out.add("types/README.md", index.into_text());
}
