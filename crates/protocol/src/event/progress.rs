//! The payload of `tool.call.progress`, the one event that every project shares: what the runtime
//! sends, as a type and as the schema that a manifest of it states. Refuses another one.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::absent;

/// Payload of `tool.call.progress`. It drives a display and decides nothing: any of them may be dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolCallProgress {
    /// Tool that is running.
    #[serde(deserialize_with = "absent::filled")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub tool: String,
    /// The call that this belongs to.
    #[serde(deserialize_with = "absent::filled")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub call_id: String,
    /// Place among the progress events of this call, from 1; a gap means that some were dropped.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub seq: u64,
    /// Which part of the work is under way, such as `compiling`.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 64)))]
    pub stage: String,
    /// One line for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 500)))]
    pub message: Option<String>,
    /// How much is finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<u64>,
    /// How much there is, where that is known; then `done` is there too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// What `done` and `total` count, such as `tests` or `bytes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 32)))]
    pub unit: Option<String>,
}

/// Keywords that say nothing about a value.
const ANNOTATIONS: [&str; 5] = ["$comment", "$schema", "description", "examples", "title"];

impl ToolCallProgress {
    /// The schema of a payload, without descriptions.
    #[must_use]
    pub fn payload_schema() -> Value {
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["tool", "call_id", "seq", "stage"],
            "properties": {
                "tool": { "type": "string", "minLength": 1 },
                "call_id": { "type": "string", "minLength": 1 },
                "seq": { "type": "integer", "minimum": 1 },
                "stage": { "type": "string", "minLength": 1, "maxLength": 64 },
                "message": { "type": "string", "maxLength": 500 },
                "done": { "type": "integer", "minimum": 0 },
                "total": { "type": "integer", "minimum": 0 },
                "unit": { "type": "string", "minLength": 1, "maxLength": 32 },
            },
            "dependentRequired": { "total": ["done"], "unit": ["done"] },
        })
    }

    /// Whether `schema` is [`Self::payload_schema`], whatever it describes and in whatever order.
    #[must_use]
    pub fn is_payload_schema(schema: &Value) -> bool {
        bare(schema) == bare(&Self::payload_schema())
    }
}

/// What a schema of this form says about values, in one order.
fn bare(schema: &Value) -> Value {
    let Value::Object(root) = schema else {
        return schema.clone();
    };
    let mut root = without_annotations(root);
    if let Some(Value::Array(required)) = root.get_mut("required") {
        required.sort_by_key(Value::to_string);
    }
    if let Some(Value::Object(properties)) = root.get_mut("properties") {
        for property in properties.values_mut() {
            if let Value::Object(facts) = property {
                *facts = without_annotations(facts);
            }
        }
    }
    Value::Object(root)
}

fn without_annotations(schema: &Map<String, Value>) -> Map<String, Value> {
    let facts = schema
        .iter()
        .filter(|(keyword, _)| !ANNOTATIONS.contains(&keyword.as_str()));
    facts
        .map(|(keyword, value)| (keyword.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_with_other_words_and_another_order_is_the_same() {
        let mut schema = ToolCallProgress::payload_schema();
        schema["required"] = json!(["stage", "seq", "tool", "call_id"]);
        schema["title"] = json!("Progress");
        schema["properties"]["stage"]["description"] = json!("Which part.");
        assert!(ToolCallProgress::is_payload_schema(&schema));
        for (pointer, other) in [
            ("/additionalProperties", json!(true)),
            ("/required", json!(["tool", "call_id", "seq"])),
            ("/properties/stage/maxLength", json!(8)),
            ("/properties", json!({ "percent": { "type": "integer" } })),
        ] {
            let mut schema = schema.clone();
            *schema.pointer_mut(pointer).expect("the keyword") = other;
            assert!(!ToolCallProgress::is_payload_schema(&schema), "{pointer}");
        }
        assert!(!ToolCallProgress::is_payload_schema(&json!(true)));
    }
}
