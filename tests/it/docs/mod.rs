//! The docs read well as plain Markdown: links resolve, text stays text, nothing is left out.

use std::{collections::BTreeSet, path::Path};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use toolcontract_codegen::{
    emit::{Emitter as _, FileSet, docs::Docs},
    lint::{self, CheckedModel, RULES},
    model::{self, Lock},
};

/// The project of this repository.
fn catalog() -> CheckedModel {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (folder, findings) = toolcontract_manifest::load(&root).expect("the disk works");
    let folder = folder.unwrap_or_else(|| panic!("the catalog loads: {findings:?}"));
    let (model, findings) = model::build(folder, Lock::default());
    assert!(findings.is_empty(), "{findings:?}");
    lint::check(model).0.expect("the catalog is clean")
}

fn pages(model: &CheckedModel) -> FileSet {
    let mut files = FileSet::default();
    Docs.emit(model, &mut files);
    files
}

/// The body of a page, without front matter.
fn body(text: &str) -> &str {
    let rest = text.strip_prefix("---\n").expect("front matter opens");
    rest.split_once("\n---\n").expect("front matter closes").1
}

fn parse(text: &str) -> Parser<'_> {
    Parser::new_ext(body(text), Options::ENABLE_TABLES)
}

/// The slug that plain Markdown sites give a heading of one plain word.
fn headings(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut heading: Option<String> = None;
    for event in parse(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => found.extend(heading.take()),
            Event::Text(t) | Event::Code(t) => {
                if let Some(h) = &mut heading {
                    h.push_str(&t);
                }
            }
            _ => {}
        }
    }
    found
}

fn links(text: &str) -> Vec<String> {
    parse(text)
        .filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.to_string()),
            _ => None,
        })
        .collect()
}

fn text_of<'a>(files: &'a FileSet, path: &str) -> &'a str {
    std::str::from_utf8(
        files
            .get(path)
            .unwrap_or_else(|| panic!("no page `{path}`")),
    )
    .expect("UTF-8")
}

#[test]
fn every_link_resolves() {
    let model = catalog();
    let files = pages(&model);
    let mut count = 0;
    for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".md")) {
        let text = std::str::from_utf8(bytes).expect("UTF-8");
        for link in links(text) {
            let (file, anchor) = link
                .split_once('#')
                .map_or((link.as_str(), None), |(f, a)| (f, Some(a)));
            let target = if file.is_empty() {
                path.to_owned()
            } else {
                join(path, file)
            };
            let target_text = text_of(&files, &target);
            if let Some(anchor) = anchor {
                assert!(
                    headings(target_text).contains(anchor),
                    "{path}: no heading for `{link}`"
                );
            }
            count += 1;
        }
    }
    assert!(count > 200, "only {count} links were checked");
}

/// `../types/x.md` seen from `tools/grep.md`.
fn join(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn every_tool_event_type_and_rule_has_its_place() {
    let model = catalog();
    let files = pages(&model);
    for tool in &model.tools {
        let page = text_of(&files, &format!("tools/{}.md", tool.contract.name));
        let rendered: String = parse(page)
            .filter_map(|e| match e {
                Event::Text(t) => Some(t.to_string()),
                Event::Code(t) => Some(format!("`{t}`")),
                _ => None,
            })
            .collect();
        assert!(
            rendered.contains(&tool.contract.description),
            "{}: the description is not readable",
            tool.contract.name
        );
    }
    for event in &model.events {
        text_of(&files, &format!("events/{}.md", event.manifest.name));
    }
    for shared in &model.types {
        text_of(&files, &format!("types/{}.md", shared.module));
    }
    let rules = headings(text_of(&files, "lint-rules.md"));
    for rule in RULES {
        assert!(rules.contains(rule.id()), "{}", rule.id());
    }
}

#[test]
fn navigation_lists_every_page_once() {
    let model = catalog();
    let files = pages(&model);
    let index: serde_json::Value =
        serde_json::from_str(text_of(&files, "index.json")).expect("JSON");
    let listed: Vec<&str> = index["pages"]
        .as_array()
        .expect("pages")
        .iter()
        .filter_map(|p| p["path"].as_str())
        .collect();
    let unique: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!(listed.len(), unique.len(), "a page is listed twice");
    let written: BTreeSet<&str> = files
        .iter()
        .map(|(path, _)| path)
        .filter(|path| path.ends_with(".md"))
        .collect();
    assert_eq!(unique, written);
}

#[test]
fn text_of_a_manifest_is_never_markup() {
    let hostile = "<script>alert(1)</script> [x](javascript:1) | *a* _b_ # c `d|e` &amp; ![i](j)";
    let mut model = hostile_model(hostile);
    let files = pages(&model);
    let page = text_of(&files, "tools/grep.md");
    let mut shown = String::new();
    for event in parse(page) {
        match event {
            Event::InlineHtml(html) => panic!("markup got through: {html}"),
            Event::Html(html) => assert!(
                html.starts_with("<!-- @generated"),
                "markup got through: {html}"
            ),
            Event::Start(Tag::Image { .. }) => panic!("an image got through"),
            Event::Start(Tag::Link { dest_url, .. }) => {
                assert!(dest_url.ends_with(".md"), "a link got through: {dest_url}")
            }
            Event::Text(t) => shown.push_str(&t),
            Event::Code(t) => shown.push_str(&format!("`{t}`")),
            _ => {}
        }
    }
    assert!(
        shown.contains(hostile),
        "the text is not shown as written: {shown}"
    );
    model = hostile_model("plain words");
    assert!(text_of(&pages(&model), "tools/grep.md").contains("plain words"));
}

fn hostile_model(description: &str) -> CheckedModel {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (folder, _) = toolcontract_manifest::load(&root).expect("the disk works");
    let mut folder = folder.expect("the catalog loads");
    let grep = folder
        .tools
        .iter_mut()
        .find(|t| t.value.name == "grep")
        .expect("grep is there");
    grep.value.description = description.to_owned();
    let (model, _) = model::build(folder, Lock::default());
    lint::check(model).0.expect("the catalog is clean")
}
