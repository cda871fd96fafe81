//! Schemas as every MCP client reads them: 2020-12 without saying so, an object at the root, and
//! no boolean where a property's schema stands.

use serde_json::{Map, Value, json};

use crate::{strip, walk::walk_mut};

/// A schema in normal form as a client is shown it, and whether a boolean schema in it was spelled
/// as an object.
#[must_use]
pub fn shown(normal: &Value) -> (Value, bool) {
    let mut schema = strip(normal);
    let mut spelled = false;
    walk_mut(&mut schema, &mut |node| {
        let Some(node) = node.as_object_mut() else {
            return;
        };
        for keyword in [
            "properties",
            "patternProperties",
            "$defs",
            "dependentSchemas",
        ] {
            if let Some(Value::Object(map)) = node.get_mut(keyword) {
                spelled |= spell_booleans(map);
            }
        }
    });
    (schema, spelled)
}

/// Official clients read a map of schemas as a map of objects.
fn spell_booleans(map: &mut Map<String, Value>) -> bool {
    let mut spelled = false;
    for schema in map.values_mut() {
        if let Value::Bool(accepts) = schema {
            *schema = if *accepts {
                json!({})
            } else {
                json!({ "not": {} })
            };
            spelled = true;
        }
    }
    spelled
}

/// Whether the root promises an object, which revisions before 2026-07-28 demand of outputs.
#[must_use]
pub fn is_object(schema: &Value) -> bool {
    schema.get("type").is_some_and(|name| name == "object")
}
