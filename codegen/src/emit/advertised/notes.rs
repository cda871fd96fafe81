//! What a provider is not told, or told otherwise, in a form that a page can show.

use std::collections::BTreeMap;

use toolcontract_manifest::project::Dialect;
use toolcontract_schema::{dialect::Effect, pointer};

use super::provider::notes;
use crate::model::Tool;

/// One thing that happened to parts of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What happened, as a sentence.
    pub what: &'static str,
    /// The parts: where, as in `edits[].path`, and what. `input` is the whole.
    pub parts: Vec<(String, String)>,
}

/// How `dialect` shows `tool` otherwise than its contract reads; empty when it does not.
#[must_use]
pub fn told(tool: &Tool, dialect: Dialect) -> Vec<Told> {
    let mut by_effect: BTreeMap<Effect, Vec<(String, String)>> = BTreeMap::new();
    for note in notes(tool, dialect).iter() {
        let part = (place(&note.pointer), note.text.clone());
        let parts = by_effect.entry(note.effect).or_default();
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    by_effect
        .into_iter()
        .map(|(effect, parts)| Told {
            what: sentence(effect),
            parts,
        })
        .collect()
}

fn sentence(effect: Effect) -> &'static str {
    match effect {
        Effect::Described => "Said in a description; only the contract enforces it.",
        Effect::Narrowed => "A model can send less than the contract accepts.",
        Effect::Renamed => "Goes by another name.",
        Effect::Dropped => "Left out; it asks nothing.",
        Effect::Cut => "Not shown; the contract still checks it.",
        Effect::Unenforced => "Shown without strict mode.",
    }
}

/// `/properties/edits/items/properties/path` as `edits[].path`.
fn place(at: &str) -> String {
    let mut out = String::new();
    let mut is_name = false;
    for token in pointer::tokens(at).unwrap_or_default() {
        match (is_name, token.as_ref()) {
            (true, name) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(name);
                is_name = false;
            }
            (false, "properties" | "$defs") => is_name = true,
            (false, "items" | "prefixItems") => out.push_str("[]"),
            (false, "additionalProperties") => out.push_str(".*"),
            (false, _) => {}
        }
    }
    if out.is_empty() {
        out.push_str("input");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_read_like_paths() {
        assert_eq!(
            place("/properties/edits/items/properties/path"),
            "edits[].path"
        );
        assert_eq!(place("/properties/properties/anyOf/1"), "properties");
        assert_eq!(place(""), "input");
    }
}
