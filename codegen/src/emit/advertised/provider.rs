//! The list of each provider, in the form of its request field `tools`, and the way back from what
//! a model answers to the contract's names.

use std::{borrow::Cow, collections::BTreeMap};

use rayon::prelude::*;
use serde::Serialize;
use toolcontract_manifest::project::Dialect;
use toolcontract_schema::dialect::{Lowered, Note, Restore, definition, lower, tool_aliases};

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

/// One tool in one dialect.
struct Shown {
    alias: String,
    line: Vec<u8>,
    restore: Restore,
}

/// Adds a list for each dialect, and `aliases.json`.
pub(super) fn emit(model: &Model, dialects: &[Dialect], out: &mut FileSet) {
    let names = || model.tools.iter().map(|tool| tool.contract.name.as_str());
    let aliases: Vec<(Dialect, BTreeMap<String, String>)> = dialects
        .iter()
        .map(|&dialect| (dialect, tool_aliases(names(), dialect)))
        .collect();
    let tools = model.tools.par_iter();
    let mut shown: Vec<Vec<Shown>> = tools.map(|tool| of_tool(tool, &aliases)).collect();
    let mut all = BTreeMap::new();
    for (dialect, _) in aliases.iter().rev() {
        let mut lines = Vec::new();
        let mut back = Aliases {
            names: BTreeMap::new(),
            arguments: BTreeMap::new(),
        };
        for (name, shown) in names().zip(&mut shown) {
            let Some(shown) = shown.pop() else { continue };
            if shown.alias != name {
                back.names.insert(shown.alias, name.to_owned());
            }
            lines.push(shown.line);
            if !shown.restore.is_empty() {
                back.arguments.insert(name.to_owned(), shown.restore);
            }
        }
        out.add(format!("{dialect}.json"), list(&lines, *dialect));
        all.insert(dialect.as_str(), back);
    }
    if !all.is_empty() {
        out.add("aliases.json", text::pretty(&all));
    }
}

/// A tool in each dialect. Keeps what the docs tell of it.
fn of_tool(tool: &Tool, aliases: &[(Dialect, BTreeMap<String, String>)]) -> Vec<Shown> {
    let name = &tool.contract.name;
    let mut notes = BTreeMap::new();
    let shown = aliases
        .iter()
        .map(|(dialect, aliases)| {
            let alias = aliases.get(name).unwrap_or(name).clone();
            let lowered = lowered(tool, *dialect);
            let line = line(tool, &alias, &lowered, *dialect);
            notes.insert(*dialect, lowered.notes);
            Shown {
                alias,
                line,
                restore: lowered.restore,
            }
        })
        .collect();
    let _ = tool.kept.providers.set(notes);
    shown
}

/// What `dialect` does not say of `tool`, or says otherwise.
pub(super) fn notes(tool: &Tool, dialect: Dialect) -> Cow<'_, [Note]> {
    let kept = tool.kept.providers.get();
    match kept.and_then(|kept| kept.get(&dialect)) {
        Some(notes) => Cow::Borrowed(notes),
        None => Cow::Owned(lowered(tool, dialect).notes),
    }
}

/// The input of `tool` as `dialect` shows it.
fn lowered(tool: &Tool, dialect: Dialect) -> Lowered {
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
