//! What the measured servers share: the same tools, which do nothing.

use serde_json::{Value, json};

/// How many tools the first argument asks for; 1 without it.
#[must_use]
pub fn tools() -> usize {
    let first = std::env::args().nth(1);
    first.and_then(|count| count.parse().ok()).unwrap_or(1)
}

/// The name of a tool.
#[must_use]
pub fn name(number: usize) -> String {
    format!("nothing_{number}")
}

/// What a call takes.
#[must_use]
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
#[must_use]
pub fn output() -> Value {
    json!({
        "type": "object",
        "required": ["done"],
        "properties": { "done": { "type": "boolean" } },
    })
}

/// What it gives.
#[must_use]
pub fn done() -> Value {
    json!({ "done": true })
}
