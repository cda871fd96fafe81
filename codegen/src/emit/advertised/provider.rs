//! The list of each provider, in the form of its request field `tools`, and the way back from what
//! a model answers to the contract's names.

use std::collections::BTreeMap;

use serde::Serialize;
use toolcontract_manifest::project::Dialect;
use toolcontract_schema::dialect::{Lowered, Restore, definition, lower, tool_aliases};

use crate::{
    emit::{FileSet, text},
    model::{Model, Tool},
};

/// How calls in one dialect find back.
#[derive(Serialize)]
struct Aliases {
    /// Name that the provider knows to the tool's own, where they differ.
    names: BTreeMap<String, String>,
    /// Tool to what was done to its arguments, by JSON pointer into the schema shown.
    arguments: BTreeMap<String, Restore>,
}

/// Adds a list for each dialect, and `aliases.json`.
pub(super) fn emit(model: &Model, dialects: &[Dialect], out: &mut FileSet) {
    let mut all = BTreeMap::new();
    for &dialect in dialects {
        let names = tool_aliases(
            model.tools.iter().map(|t| t.contract.name.as_str()),
            dialect,
        );
        let mut lines = Vec::new();
        let mut aliases = Aliases {
            names: BTreeMap::new(),
            arguments: BTreeMap::new(),
        };
        for tool in &model.tools {
            let name = &tool.contract.name;
            let alias = names.get(name).unwrap_or(name);
            if alias != name {
                aliases.names.insert(alias.clone(), name.clone());
            }
            let lowered = lowered(tool, dialect);
            lines.push(line(tool, alias, &lowered, dialect));
            if !lowered.restore.is_empty() {
                aliases.arguments.insert(name.clone(), lowered.restore);
            }
        }
        out.add(format!("{dialect}.json"), list(&lines, dialect));
        all.insert(dialect.as_str(), aliases);
    }
    if !all.is_empty() {
        out.add("aliases.json", text::pretty(&all));
    }
}

/// The input of `tool` as `dialect` shows it.
pub(super) fn lowered(tool: &Tool, dialect: Dialect) -> Lowered {
    lower(&tool.input.normal.schema, dialect)
}

fn line(tool: &Tool, alias: &str, lowered: &Lowered, dialect: Dialect) -> Vec<u8> {
    let definition = definition(alias, &tool.contract.description, lowered, dialect);
    serde_json::to_vec(&definition).unwrap_or_default()
}

/// A Gemini request groups its declarations; the others take them as they are.
fn list(lines: &[Vec<u8>], dialect: Dialect) -> Vec<u8> {
    let list = text::lines(lines);
    match dialect {
        Dialect::Openai | Dialect::OpenaiStrict | Dialect::Anthropic => list,
        Dialect::Gemini => {
            let mut out = b"[{\"functionDeclarations\":".to_vec();
            out.extend_from_slice(list.trim_ascii_end());
            out.extend_from_slice(b"}]\n");
            out
        }
    }
}
