//! The lists that models are shown: form, order, and what does not get into them.

use std::collections::BTreeMap;

use serde_json::Value;
use toolcontract_codegen::emit::{
    FileSet,
    advertised::{Advertised, advertised_bytes, told},
};
use toolcontract_schema::dialect::Dialect;

use crate::catalog::{CATALOG, files, project, text};

fn lists() -> FileSet {
    files(&Advertised, &CATALOG)
}

fn tools(files: &FileSet, path: &str) -> Vec<Value> {
    let value: Value = serde_json::from_str(text(files, path)).unwrap();
    let declared = value.pointer("/0/functionDeclarations");
    declared.unwrap_or(&value).as_array().unwrap().clone()
}

#[test]
fn the_canonical_list_is_the_advertised_bytes() {
    let files = lists();
    let lines: Vec<Vec<u8>> = CATALOG.tools.iter().map(advertised_bytes).collect();
    let mut expected = b"[\n".to_vec();
    expected.extend(lines.join(&b",\n"[..]));
    expected.extend_from_slice(b"\n]\n");
    assert_eq!(files.get("canonical.json"), Some(expected.as_slice()));
    for (tool, line) in CATALOG.tools.iter().zip(lines) {
        let text = String::from_utf8(line).unwrap();
        assert!(
            text.starts_with(&format!(
                "{{\"name\":\"{}\",\"description\":",
                tool.contract.name
            )),
            "{text}"
        );
        let shown: Value = serde_json::from_str(&text).unwrap();
        let fields: Vec<&String> = shown.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["name", "description", "input_schema"]);
        assert_eq!(shown["input_schema"], tool.contract.input_schema);
    }
}

#[test]
fn every_list_has_every_tool_on_its_own_line_by_name() {
    let files = lists();
    let names: Vec<&str> = CATALOG
        .tools
        .iter()
        .map(|t| t.contract.name.as_str())
        .collect();
    assert!(names.is_sorted());
    for path in [
        "canonical.json",
        "index.json",
        "openai.json",
        "openai-strict.json",
        "anthropic.json",
        "gemini.json",
    ] {
        let text = text(&files, path);
        assert_eq!(text.lines().count(), names.len() + 2, "{path}");
        assert!(text.ends_with("]\n") || text.ends_with("]}]\n"), "{path}");
        let shown: Vec<Value> = tools(&files, path)
            .iter()
            .map(|t| t["name"].clone())
            .collect();
        assert_eq!(shown, names, "{path}");
    }
}

/// Risk, approval and their like are for policies; a model that reads them reasons about them.
#[test]
fn no_governance_fact_gets_in() {
    let files = lists();
    for path in [
        "canonical.json",
        "openai.json",
        "openai-strict.json",
        "anthropic.json",
        "gemini.json",
    ] {
        for tool in tools(&files, path) {
            for field in tool.as_object().unwrap().keys() {
                let known = [
                    "type",
                    "name",
                    "description",
                    "input_schema",
                    "parameters",
                    "strict",
                ];
                assert!(known.contains(&field.as_str()), "{path}: {field}");
            }
        }
    }
}

#[test]
fn the_index_tells_enough_to_choose() {
    let files = lists();
    for (tool, entry) in CATALOG.tools.iter().zip(tools(&files, "index.json")) {
        assert_eq!(entry["availability"], tool.manifest.availability.as_str());
        assert_eq!(
            entry.get("group").and_then(Value::as_str),
            tool.manifest.group.as_deref()
        );
        let summary = entry["summary"].as_str().unwrap();
        assert!(
            tool.contract.description.starts_with(summary) && summary.ends_with('.'),
            "{summary}"
        );
    }
}

#[test]
fn aliases_lead_back_and_name_only_what_differs() {
    let files = lists();
    let aliases: BTreeMap<String, Value> =
        serde_json::from_str(text(&files, "aliases.json")).unwrap();
    let dialects: Vec<&str> = aliases.keys().map(String::as_str).collect();
    assert_eq!(dialects, ["anthropic", "gemini", "openai", "openai-strict"]);
    for (dialect, entry) in &aliases {
        assert_eq!(
            entry["names"],
            serde_json::json!({}),
            "{dialect}: our names fit every provider"
        );
        let arguments = entry["arguments"].as_object().unwrap();
        assert_eq!(
            arguments.is_empty(),
            dialect != "openai-strict",
            "{dialect}"
        );
    }
}

#[test]
fn what_a_provider_is_not_told_is_listed() {
    let grep = CATALOG
        .tools
        .iter()
        .find(|t| t.contract.name == "grep")
        .unwrap();
    assert!(told(grep, Dialect::Openai).is_empty());
    let said = told(grep, Dialect::Gemini);
    let rule =
        "If `context`, `context_before` or `context_after` is given, `output_mode` is \"content\".";
    assert!(
        said.iter()
            .any(|t| t.parts.contains(&("input".to_owned(), rule.to_owned()))),
        "{said:#?}"
    );
}

const RECURSIVE: &str = r##"
name = "draw_tree"
description = "Draw a tree. Returns nothing."
group = "file"
risk = "low"

[input_schema]
type = "object"
additionalProperties = false
required = ["root"]
properties.root = { "$ref" = "#/$defs/node", description = "Where it starts." }

[input_schema."$defs".node]
type = "object"
additionalProperties = false
required = ["name"]
properties.name = { type = "string", description = "Its name." }
properties.children = { type = "array", items = { "$ref" = "#/$defs/node" }, description = "Below it." }

[oxagen]
name = "render_tree"
sensitivity = "low"
"##;

#[test]
fn recursion_is_kept_or_cut_with_a_note() {
    let model = project(&[("tools/draw_tree.toml", RECURSIVE)]);
    let files = files(&Advertised, &model);
    let strict = &tools(&files, "openai-strict.json")[0];
    assert_eq!(strict["strict"], true);
    assert_eq!(
        strict.pointer("/parameters/$defs/node/properties/children/items/$ref"),
        Some(&"#/$defs/node".into())
    );
    let gemini = &tools(&files, "gemini.json")[0];
    assert_eq!(
        gemini.pointer("/parameters/properties/root/properties/children/items/type"),
        Some(&"object".into())
    );
    let said = told(&model.tools[0], Dialect::Gemini);
    assert!(
        said.iter()
            .any(|t| t.parts.iter().any(|(_, text)| text.contains("recursion"))),
        "{said:#?}"
    );
}
