//! One tool as MCP defines it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use toolcontract_manifest::project::McpRevision;
use toolcontract_protocol::mcp::{Facts, Hints};
use toolcontract_schema::mcp::{is_object, shown};

use crate::model::Tool;

/// The definition of one tool; what is not known is absent.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Definition<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    description: &'a str,
    input_schema: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<Value>,
    annotations: Annotations<'a>,
    #[serde(rename = "_meta")]
    meta: BTreeMap<&'a str, Facts<'a>>,
}

#[derive(Debug, Serialize)]
struct Annotations<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(flatten)]
    hints: Hints,
}

/// The definition of `tool` in one revision.
pub(super) fn definition<'a>(
    tool: &'a Tool,
    meta_key: &'a str,
    revision: McpRevision,
) -> Definition<'a> {
    let title = tool.manifest.title.as_deref();
    let output = tool.output.as_ref();
    let output = output.filter(|_| !leaves_out(tool, revision));
    Definition {
        name: &tool.contract.name,
        title,
        description: &tool.contract.description,
        input_schema: shown(&tool.input.normal.schema).0,
        output_schema: output.map(|output| shown(&output.normal.schema).0),
        annotations: Annotations {
            title,
            hints: Hints::of(&tool.contract),
        },
        meta: BTreeMap::from([(meta_key, facts(tool))]),
    }
}

/// The facts of a contract, with those that only its manifest has.
fn facts(tool: &Tool) -> Facts<'_> {
    Facts {
        availability: Some(&tool.manifest.availability),
        deprecated: tool.manifest.deprecated.as_ref(),
        ..Facts::of(&tool.contract)
    }
}

/// Whether `revision` does not take the output schema of `tool`.
pub(super) fn leaves_out(tool: &Tool, revision: McpRevision) -> bool {
    let mut output = tool.output.iter();
    !takes_any_root(revision) && output.any(|output| !is_object(&output.normal.schema))
}

/// What of `tool` a client of some revision is not told, or told otherwise.
#[must_use]
pub fn lowering_notes(tool: &Tool) -> Vec<String> {
    let mut notes = Vec::new();
    let mut spelled = shown(&tool.input.normal.schema).1;
    if let Some(output) = &tool.output {
        let (schema, output_spelled) = shown(&output.normal.schema);
        spelled |= output_spelled;
        if !is_object(&schema) {
            notes.push(
                "Revisions before 2026-07-28 take object outputs only; there the output schema is left out."
                    .to_owned(),
            );
        }
    }
    if spelled {
        notes.push(
            "`true` and `false` as schemas of properties are written `{}` and `{\"not\": {}}`, which mean the same."
                .to_owned(),
        );
    }
    notes
}

fn takes_any_root(revision: McpRevision) -> bool {
    match revision {
        McpRevision::V2025_06_18 | McpRevision::V2025_11_25 => false,
        McpRevision::V2026_07_28 => true,
    }
}

/// The revision as the protocol spells it.
pub(super) fn token(revision: McpRevision) -> &'static str {
    match revision {
        McpRevision::V2025_06_18 => "2025-06-18",
        McpRevision::V2025_11_25 => "2025-11-25",
        McpRevision::V2026_07_28 => "2026-07-28",
    }
}
