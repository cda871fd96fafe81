//! Definitions for MCP servers, judged by the published schema of each revision.

use std::path::Path;

use serde_json::{Map, Value, json};
use toolcontract_codegen::{
    emit::mcp::{Mcp, lowering_notes},
    lint::CheckedModel,
};
use toolcontract_protocol::{ToolContract, mcp::Hints};
use toolcontract_schema::walk::walk;

use crate::catalog::{CATALOG, files, project, text};

const REVISIONS: [&str; 3] = ["2025-06-18", "2025-11-25", "2026-07-28"];

/// The tools of one file.
fn tools(model: &CheckedModel, revision: &str) -> Vec<Value> {
    let files = files(&Mcp, model);
    let list: Value =
        serde_json::from_str(text(&files, &format!("tools.{revision}.json"))).unwrap();
    list["tools"].as_array().unwrap().clone()
}

/// The published schema of a revision, pointed at its `ListToolsResult`.
fn judge(revision: &str) -> Option<jsonschema::Validator> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../shared/mcp-schema/{revision}/schema.json"));
    let Ok(text) = std::fs::read_to_string(&path) else {
        assert!(
            std::env::var_os("CI").is_none(),
            "`../shared/mcp-schema` is missing"
        );
        println!("not run: `../shared/mcp-schema` is missing");
        return None;
    };
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    let defs = if schema.get("$defs").is_some() {
        "$defs"
    } else {
        "definitions"
    };
    // Draft-07 ignores what stands beside a `$ref`, so the reference stands in an `allOf`.
    schema["allOf"] = json!([{ "$ref": format!("#/{defs}/ListToolsResult") }]);
    Some(jsonschema::validator_for(&schema).unwrap())
}

/// What a server of the revision would send: the newest one adds how long the list may be kept.
fn result(tools: Vec<Value>) -> Value {
    json!({ "tools": tools, "resultType": "complete", "ttlMs": 0, "cacheScope": "private" })
}

#[test]
fn every_revision_accepts_its_list() {
    for revision in REVISIONS {
        let Some(judge) = judge(revision) else { return };
        let tools = tools(&CATALOG, revision);
        assert_eq!(tools.len(), CATALOG.tools.len());
        let list = result(tools);
        let faults: Vec<String> = judge
            .iter_errors(&list)
            .map(|e| format!("{}: {e}", e.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{revision}: {faults:#?}");

        let mut broken = list;
        broken["tools"][0]["annotations"] = Value::Null;
        assert!(!judge.is_valid(&broken), "{revision}: the judge judges");
    }
}

#[test]
fn no_null_no_foreign_keyword_no_boolean_property() {
    for revision in REVISIONS {
        for tool in tools(&CATALOG, revision) {
            let name = &tool["name"];
            let fields: Vec<&str> = tool
                .as_object()
                .unwrap()
                .keys()
                .map(String::as_str)
                .collect();
            assert!(
                tool.as_object().unwrap().values().all(|v| !v.is_null()),
                "{name}"
            );
            let known = [
                "name",
                "title",
                "description",
                "inputSchema",
                "outputSchema",
                "annotations",
                "_meta",
            ];
            assert!(
                fields.iter().all(|f| known.contains(f)),
                "{name}: {fields:?}"
            );
            for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
                walk(schema, &mut |at, node| {
                    let node = node.as_object().cloned().unwrap_or_default();
                    let odd = node
                        .keys()
                        .find(|k| k.starts_with("x-") || matches!(k.as_str(), "$schema" | "$id"));
                    assert!(odd.is_none(), "{name} {at}: {odd:?}");
                    let properties = node.get("properties").and_then(Value::as_object);
                    assert!(
                        properties
                            .into_iter()
                            .flat_map(Map::values)
                            .all(Value::is_object),
                        "{name} {at}"
                    );
                });
            }
        }
    }
}

#[test]
fn hints_follow_from_the_contract() {
    // read_only, additive, idempotent, open_world: the four hints.
    for (facts, expected) in [
        ([false, false, false, true], [false, true, false, true]),
        ([true, false, true, false], [true, false, true, false]),
        ([false, true, false, false], [false, false, false, false]),
        ([true, true, true, true], [true, false, true, true]),
    ] {
        let mut contract = ToolContract::declared("t", "", json!({ "type": "object" }));
        [
            contract.read_only,
            contract.additive,
            contract.idempotent,
            contract.open_world,
        ] = facts;
        let hints = Hints::of(&contract);
        let found = [
            hints.read_only_hint,
            hints.destructive_hint,
            hints.idempotent_hint,
            hints.open_world_hint,
        ];
        assert_eq!(found, expected, "{facts:?}");
    }
}

#[test]
fn each_tool_states_its_hints_and_facts() {
    for (tool, shown) in CATALOG.tools.iter().zip(tools(&CATALOG, "2025-11-25")) {
        let contract = &tool.contract;
        assert_eq!(shown["name"], contract.name.as_str());
        let mut annotations = shown["annotations"].as_object().unwrap().clone();
        assert_eq!(
            annotations.remove("title"),
            tool.manifest.title.clone().map(Value::from)
        );
        assert_eq!(
            Value::Object(annotations),
            serde_json::to_value(Hints::of(contract)).unwrap()
        );

        let meta = shown["_meta"].as_object().unwrap();
        let facts = &meta[&CATALOG.project.surfaces.mcp.as_ref().unwrap().meta_key];
        assert_eq!(meta.len(), 1, "{}", contract.name);
        assert_eq!(facts["version"], contract.version);
        assert_eq!(facts["risk"], contract.risk.as_str());
        assert_eq!(facts["requires_approval"], contract.requires_approval);
        assert_eq!(facts["speculation_safe"], contract.speculation_safe);
        assert_eq!(facts["idempotent"], contract.idempotent);
        assert_eq!(facts.get("additive").is_some(), contract.additive);
        assert_eq!(facts["events"], json!(contract.events));
        assert_eq!(facts["provenance"], "builtin");
    }
}

/// Shapes that only other people's tools have.
const ODD: &str = r#"
name = "list_things"
origin = "a server of someone else"
description = "List things. Returns their names."
group = "file"
risk = "low"

[input_schema]
type = "object"
additionalProperties = false
[input_schema.properties]
anything = true

[output_schema]
type = "array"
items = { type = "string" }

[oxagen]
sensitivity = "low"
"#;

#[test]
fn an_output_that_is_no_object_waits_for_the_revision_that_takes_it() {
    let model = project(&[("tools/list_things.toml", ODD)]);
    let has_output = |revision| tools(&model, revision)[0].get("outputSchema").is_some();
    assert_eq!(REVISIONS.map(has_output), [false, false, true]);
    assert_eq!(
        tools(&model, "2025-06-18")[0]["inputSchema"]["properties"]["anything"],
        json!({})
    );
    assert_eq!(lowering_notes(&model.tools[0]).len(), 2);
    for revision in REVISIONS {
        let Some(judge) = judge(revision) else { return };
        assert!(
            judge.is_valid(&result(tools(&model, revision))),
            "{revision}"
        );
    }
}
