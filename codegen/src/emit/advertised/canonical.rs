//! The canonical line of a tool: what a model is shown, free of governance facts.
//!
//! `contracts.lock` digests these bytes, so their form never changes without a reason that is
//! worth every prompt cache.

use serde::Serialize;
use serde_json::Value;

use crate::model::Tool;

/// One tool as a model sees it. The order of the fields is the order of the bytes.
#[derive(Debug, Serialize)]
struct Advertised<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
}

/// The advertised bytes of `tool`: `{"name":…,"description":…,"input_schema":…}`, compact, on one
/// line, without a final newline. They stand so in `canonical.json`, and `contracts.lock` digests them.
#[must_use]
pub fn advertised_bytes(tool: &Tool) -> Vec<u8> {
    let shown = Advertised {
        name: &tool.contract.name,
        description: &tool.contract.description,
        input_schema: &tool.contract.input_schema,
    };
    serde_json::to_vec(&shown).unwrap_or_default()
}
