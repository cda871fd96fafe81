//! What the measured servers share: the same tools, which do nothing.

use serde_json::{Value, json};

/// The name of a tool.
pub fn name(number: usize) -> String {
    format!("nothing_{number}")
}

/// What a call takes.
pub fn input() -> Value {
    let text = json!({ "type": "string", "maxLength": 4096 });
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["path"],
        "properties": {
            "path": text,
            "pattern": text,
            "limit": { "type": "integer", "minimum": 1, "maximum": 1000 },
        },
    })
}

/// What a success promises.
pub fn output() -> Value {
    json!({
        "type": "object",
        "required": ["done"],
        "properties": { "done": { "type": "boolean" } },
    })
}

/// What it gives.
pub fn done() -> Value {
    json!({ "done": true })
}
