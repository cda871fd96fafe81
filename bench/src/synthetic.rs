//! A seeded set of contracts: closed objects with about eight properties, shared definitions,
//! tagged unions, bounds, patterns and formats, as large as real ones.

use std::path::Path;

use fastrand::Rng;
use serde_json::{Map, Value, json};

use crate::Failure;

/// How many contracts.
pub const COUNT: usize = 500;

const WORDS: [&str; 24] = [
    "order", "branch", "limit", "cursor", "owner", "label", "status", "filter", "target", "source",
    "title", "region", "window", "policy", "member", "budget", "weight", "channel", "format",
    "origin", "bucket", "ticket", "digest", "volume",
];

/// Writes `toolcontract.toml` and the manifests of the set below `root/manifests`.
///
/// # Errors
/// When the disk fails.
pub fn write_project(root: &Path) -> Result<(), Failure> {
    let tools = root.join("manifests/tools");
    std::fs::create_dir_all(&tools)?;
    std::fs::write(root.join("manifests/toolcontract.toml"), PROJECT)?;
    for (name, input, output) in set() {
        let manifest = json!({
            "name": name,
            "title": format!("Work on {}", name.replace('_', " ")),
            "description": format!("Does one thing with {}. Use it when the case asks for it. Returns what changed.", name.replace('_', " ")),
            "group": "synthetic",
            "open_world": false,
            "risk": "medium",
            "input_schema": input,
            "output_schema": output,
            "oxagen": { "sensitivity": "low" },
        });
        std::fs::write(
            tools.join(format!("{name}.toml")),
            toml_edit::ser::to_string_pretty(&manifest)?,
        )?;
    }
    Ok(())
}

/// Writes the input schemas of the set as `NAME.json` into `folder`.
///
/// # Errors
/// When the disk fails.
pub fn write_schemas(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)?;
    for (name, mut input, _) in set() {
        input["title"] = json!(name);
        std::fs::write(
            folder.join(format!("{name}.json")),
            serde_json::to_string_pretty(&input)?,
        )?;
    }
    Ok(())
}

const PROJECT: &str = r#"
name = "Synthetic tools"
description = "A seeded set of contracts."

[groups]
synthetic = "All of them."

[surfaces.rust]
crate = "synthetic-contracts"
toolcontract = { path = "../../../../../../../crates" }

[surfaces.typescript]
package = "synthetic-contracts"

[surfaces.oxagen]
surfaces = ["api", "mcp", "agent"]
layers = ["schema"]

[surfaces.mcp]
meta_key = "dev.toolcontract/contract"

[surfaces.advertised]
dialects = ["openai", "openai-strict", "anthropic", "gemini"]

[surfaces.wire]

[surfaces.docs]
"#;

/// Name, input and output schema of every contract.
fn set() -> Vec<(String, Value, Value)> {
    let mut rng = Rng::with_seed(0x70_6f_6c);
    (0..COUNT)
        .map(|i| {
            let verb = ["get", "list", "create", "update"][i % 4];
            let name = format!("{verb}_{}_{i}", WORDS[i % WORDS.len()]);
            let input = object(&mut rng, true);
            let output = json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["id", "changed"],
                "properties": {
                    "id": { "type": "string", "description": "What was worked on." },
                    "changed": { "type": "integer", "minimum": 0, "description": "How many records changed." },
                },
            });
            (name, input, output)
        })
        .collect()
}

/// An object of six to ten properties. The root also has definitions and what refers to them.
fn object(rng: &mut Rng, root: bool) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for _ in 0..rng.usize(5..9) {
        let name = format!(
            "{}_{}",
            WORDS[rng.usize(..WORDS.len())],
            WORDS[rng.usize(..WORDS.len())]
        );
        if rng.u8(..3) == 0 && !required.contains(&json!(name)) {
            required.push(json!(name));
        }
        let mut schema = leaf(rng);
        schema["description"] = json!(format!("The {} of the work.", name.replace('_', " ")));
        properties.insert(name, schema);
    }
    if root && rng.u8(..10) < 7 {
        properties.insert(
            "page".to_owned(),
            json!({ "$ref": "#/$defs/Page", "description": "Which page." }),
        );
    }
    if root && rng.u8(..100) < 15 {
        properties.insert("target".to_owned(), json!({ "description": "What to work on.", "oneOf": [tagged("file", rng), tagged("url", rng)] }));
    }
    properties.insert(
        "options".to_owned(),
        if root {
            described(object(rng, false))
        } else {
            described(leaf(rng))
        },
    );
    let mut schema =
        json!({ "type": "object", "additionalProperties": false, "properties": properties });
    if !required.is_empty() {
        schema["required"] = Value::Array(required);
    }
    if root {
        schema["$defs"] = json!({
            "Page": {
                "type": "object",
                "additionalProperties": false,
                "required": ["size"],
                "properties": {
                    "size": { "type": "integer", "minimum": 1, "maximum": 100, "description": "How many." },
                    "cursor": { "type": "string", "minLength": 1, "description": "Where the last page ended." },
                },
            },
        });
    }
    schema
}

fn described(mut schema: Value) -> Value {
    schema["description"] = json!("Further choices.");
    schema
}

fn tagged(kind: &str, rng: &mut Rng) -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["kind", "at"],
        "properties": {
            "kind": { "type": "string", "const": kind, "description": "Which kind." },
            "at": { "type": "string", "maxLength": rng.u32(10..200), "description": "Where." },
        },
    })
}

fn leaf(rng: &mut Rng) -> Value {
    match rng.u8(..9) {
        0 => json!({ "type": "string", "minLength": 1, "maxLength": rng.u32(8..400) }),
        1 => json!({ "type": "integer", "minimum": 0, "maximum": rng.u32(10..100_000) }),
        2 => json!({ "type": "boolean" }),
        3 => json!({ "type": "string", "enum": ["open", "closed", "all"] }),
        4 => json!({ "type": "string", "pattern": "^[a-z][a-z0-9_-]{0,40}$" }),
        5 => {
            json!({ "type": "array", "maxItems": rng.u32(2..50), "items": { "type": "string", "minLength": 1 } })
        }
        6 => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        7 => json!({ "type": "string", "format": "date-time" }),
        _ => json!({ "type": "array", "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["key"],
            "properties": {
                "key": { "type": "string", "minLength": 1, "description": "Name." },
                "value": { "type": "integer", "minimum": -1000, "maximum": 1000, "description": "Value." },
            },
        } }),
    }
}
