//! Real tools that nobody here wrote: all lower, and every provider takes the result.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde_json::Value;
use toolcontract_schema::dialect::lower;

use super::provider::PROVIDERS;

/// Every tool of every file in `../shared/corpus`; none where it is not there.
fn corpus() -> Option<Vec<(String, Value)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    if !root.is_dir() {
        assert!(
            std::env::var_os("CI").is_none(),
            "`../shared/corpus` is missing"
        );
        println!("not run: `../shared/corpus` is missing");
        return None;
    }
    let mut tools = Vec::new();
    for path in files(&root) {
        let text = std::fs::read_to_string(&path).expect("a corpus file is text");
        let value: Value = serde_json::from_str(&text).expect("a corpus file is JSON");
        let list = value
            .as_array()
            .cloned()
            .or_else(|| value.get("tools")?.as_array().cloned());
        for tool in list.into_iter().flatten() {
            if let Some(schema) = tool.get("inputSchema") {
                let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
                tools.push((format!("{} {name}", path.display()), schema.clone()));
            }
        }
    }
    Some(tools)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("an entry is readable").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "json") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_provider_takes_the_tools_of_others() {
    let Some(tools) = corpus() else { return };
    assert!(tools.len() >= 800, "{} tools", tools.len());
    let mut table: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for provider in PROVIDERS {
        for (place, schema) in &tools {
            let lowered = lower(schema, provider.dialect);
            let reader = if provider.dialect.as_str() == "openai-strict" && !lowered.strict {
                &PROVIDERS[0]
            } else {
                provider
            };
            let refusals = reader.refusals(&lowered.schema);
            assert!(
                refusals.is_empty(),
                "{place} {}: {refusals:#?}\n{schema:#}\n{:#}",
                provider.dialect,
                lowered.schema
            );
            let row = table.entry(provider.dialect.to_string()).or_default();
            row.0 += usize::from(lowered.notes.is_empty());
            row.1 += usize::from(lowered.strict);
        }
    }
    for (dialect, (plain, strict)) in table {
        println!(
            "{dialect}: {} tools, {plain} without a note, {strict} strict",
            tools.len()
        );
    }
}
