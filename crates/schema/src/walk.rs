//! Visits every subschema of a schema with its place, and nothing that only looks like one
//! (`enum`, `const`, `default`, `examples` and unknown keywords hold data).

use serde_json::Value;

/// Calls `visit` with the JSON pointer and the value of each subschema, parents first.
pub fn walk<'a>(schema: &'a Value, visit: &mut dyn FnMut(&str, &'a Value)) {
    visit("", schema);
}
