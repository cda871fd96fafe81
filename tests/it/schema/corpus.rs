//! Tools that nobody here wrote: every schema of the corpus compiles and has a normal form that
//! compiles, or is listed with its reason.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use serde_json::Value;
use toolcontract_schema::{
    Formats, Validator, bundle::bundle, meta::accepts_nothing, normal::normalize,
};

#[test]
fn every_tool_compiles_or_has_a_reason() {
    let Some(folder) = super::shared("corpus") else {
        return;
    };
    let mut report = String::new();
    let (mut tools, mut schemas, mut refused) = (0, 0, 0);
    let mut folders = vec![folder.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        files.extend(super::json_files(&folder));
        let inner = std::fs::read_dir(&folder)
            .unwrap()
            .map(|e| e.unwrap().path());
        folders.extend(inner.filter(|path| path.is_dir()));
    }
    files.sort();
    for file in &files {
        for (index, tool) in tools_of(file).iter().enumerate() {
            tools += 1;
            for key in ["inputSchema", "outputSchema"] {
                let Some(schema) = tool.get(key).filter(|s| !s.is_null()) else {
                    continue;
                };
                schemas += 1;
                if let Err(reason) = judge(schema) {
                    refused += 1;
                    let file = file.strip_prefix(&folder).unwrap().display();
                    let name = tool["name"].as_str().unwrap_or_default();
                    writeln!(report, "{file}[{index}] {name} {key}\n    {reason}").unwrap();
                }
            }
        }
    }
    let head = format!("{tools} tools, {schemas} schemas, {refused} refused\n\n");
    println!("corpus: {head}");
    super::check_text("corpus.txt", &format!("{head}{report}"));
}

/// The tools of a file that holds an array of them; anything else is input for the importer.
fn tools_of(file: &Path) -> Vec<Value> {
    match super::read(file) {
        Value::Array(items) => items
            .into_iter()
            .filter(|item| item.get("inputSchema").is_some())
            .collect(),
        _ => Vec::new(),
    }
}

fn judge(schema: &Value) -> Result<(), String> {
    let told = |pointer: &str, error: &dyn std::fmt::Display| format!("{pointer}: {error}");
    let original = Validator::compile(schema, Formats::Annotate);
    let bundled = bundle(schema, &BTreeMap::new()).map_err(|errors| {
        let told: Vec<String> = errors.iter().map(|e| told(&e.pointer, e)).collect();
        told.join("; ")
    })?;
    let normal = normalize(&bundled).map_err(|errors| {
        let told: Vec<String> = errors.iter().map(|e| told(&e.pointer, e)).collect();
        told.join("; ")
    })?;
    original.map_err(|e| told(&e.pointer, &e))?;
    Validator::compile(&normal.schema, Formats::Assert)
        .map_err(|e| format!("normal form: {}", told(&e.pointer, &e)))?;
    if accepts_nothing(schema) {
        return Err("accepts nothing".to_owned());
    }
    Ok(())
}
