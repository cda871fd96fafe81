//! The discovery index: enough of each tool to decide whether to load it.

use serde::Serialize;
use toolcontract_protocol::manifest::Deprecation;

use crate::{emit::text::first_sentence, model::Tool};

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    availability: &'a str,
    summary: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    deprecated: Option<&'a Deprecation>,
}

/// The line of one tool.
pub(super) fn line(tool: &Tool) -> Vec<u8> {
    let entry = Entry {
        name: &tool.contract.name,
        title: tool.manifest.title.as_deref(),
        group: tool.contract.group.as_deref(),
        availability: &tool.manifest.availability,
        summary: first_sentence(&tool.contract.description),
        deprecated: tool.manifest.deprecated.as_ref(),
    };
    serde_json::to_vec(&entry).unwrap_or_default()
}
