//! Schemas that nobody here wrote: no input makes a rule panic, and what is imported is told
//! about but stops nothing that could be generated.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use toolcontract_codegen::model::Lock;
use toolcontract_manifest::{Level, Source};

use super::{data, found, names, read};
use crate::schema::shared;

/// What may stop an imported tool: without these nothing can be made of it.
const STOPS: &[&str] = &[
    "input-not-an-object",
    "invalid-schema",
    "unresolved-reference",
];

#[test]
fn real_tools_stop_nothing_when_imported() {
    let Some(folder) = shared("corpus") else {
        return;
    };
    let mut tools = Vec::new();
    for path in files(&folder) {
        if let Ok(value) = serde_json::from_slice::<Value>(&read(&path)) {
            definitions(&value, &mut tools);
        }
    }
    assert!(tools.len() > 800, "only {} tools were found", tools.len());
    let mut told: BTreeMap<&str, usize> = BTreeMap::new();
    for tool in &tools {
        let schemas = [tool.get("inputSchema"), tool.get("outputSchema")];
        for finding in judge(tool.get("description"), schemas, true) {
            let stops = finding.1 == Level::Error;
            assert!(
                !stops || STOPS.contains(&finding.0),
                "{}: {}",
                finding.0,
                tool
            );
            *told.entry(finding.0).or_default() += 1;
        }
        // Held as strictly as our own, it must not bring a rule down either.
        judge(tool.get("description"), schemas, false);
    }
    assert!(told.contains_key("unknown-keyword"), "{told:?}");
}

#[test]
fn hard_schemas_bring_no_rule_down() {
    let Some(folder) = shared("cases") else {
        return;
    };
    let mut seen = 0;
    for path in files(&folder) {
        let case: Value = serde_json::from_slice(&read(&path)).expect("JSON");
        let schema = case.get("schema").expect("a schema");
        for imported in [true, false] {
            judge(None, [Some(schema), Some(schema)], imported);
        }
        seen += 1;
    }
    assert!(seen > 60, "only {seen} cases were found");
}

#[test]
fn no_keyword_brings_a_rule_down() {
    let Some(folder) = shared("json-schema-test-suite/tests/draft2020-12") else {
        return;
    };
    let mut seen = 0;
    for path in files(&folder) {
        let groups: Vec<Value> = serde_json::from_slice(&read(&path)).expect("JSON");
        for schema in groups.iter().filter_map(|group| group.get("schema")) {
            for imported in [true, false] {
                judge(None, [Some(schema), Some(schema)], imported);
            }
            seen += 1;
        }
    }
    assert!(seen > 300, "only {seen} schemas were found");
}

/// Every file below `folder`, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for name in names(folder) {
        let path = folder.join(name);
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// Every tool definition in `value`.
fn definitions(value: &Value, tools: &mut Vec<Value>) {
    match value {
        Value::Object(map) if map.contains_key("inputSchema") => tools.push(value.clone()),
        Value::Object(map) => map.values().for_each(|value| definitions(value, tools)),
        Value::Array(items) => items.iter().for_each(|value| definitions(value, tools)),
        _ => {}
    }
}

/// What is found in a project that holds one tool with these schemas.
fn judge(
    description: Option<&Value>,
    [input, output]: [Option<&Value>; 2],
    imported: bool,
) -> Vec<(&'static str, Level)> {
    let mut manifest = json!({
        "name": "read_page",
        "description": description.and_then(Value::as_str).unwrap_or("Read a page."),
        "group": "file",
        "risk": "high",
        "oxagen": { "sensitivity": "low", "agent_approval": true },
    });
    let keys = [("input_schema", input), ("output_schema", output)];
    for (key, schema) in keys {
        if let Some(schema) = schema.filter(|schema| schema.is_object()) {
            manifest[key] = schema.clone();
        }
    }
    if imported {
        manifest["origin"] = json!("mcp:elsewhere");
    }
    let source = |path: &str, bytes| Source {
        path: format!("manifests/{path}"),
        bytes,
    };
    let sources = vec![
        source("toolcontract.toml", read(&data().join("toolcontract.toml"))),
        source("tools/read_page.json", manifest.to_string().into_bytes()),
    ];
    let findings = found(sources, Lock::default());
    findings.iter().map(|f| (f.rule, f.level)).collect()
}
