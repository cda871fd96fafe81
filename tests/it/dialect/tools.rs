//! The catalog, lowered: every provider takes it, and strict mode carries all of it.

use serde_json::Value;
use toolcontract_schema::dialect::{Dialect, Effect, lower};

use super::provider::PROVIDERS;
use crate::catalog::CATALOG;

#[test]
fn every_provider_takes_every_tool() {
    for provider in PROVIDERS {
        for tool in &CATALOG.tools {
            let lowered = lower(&tool.input.normal.schema, provider.dialect);
            let refusals = provider.refusals(&lowered.schema);
            assert!(
                refusals.is_empty(),
                "{} {}: {refusals:#?}",
                provider.dialect,
                tool.contract.name
            );
        }
    }
}

#[test]
fn strict_mode_carries_every_tool() {
    for tool in &CATALOG.tools {
        let lowered = lower(&tool.input.normal.schema, Dialect::OpenaiStrict);
        assert!(
            lowered.strict,
            "{}: {:?}",
            tool.contract.name,
            lowered.notes.first()
        );
    }
}

/// A note names a keyword that is really there, and a described one leaves its words in a description.
#[test]
fn notes_say_what_happened() {
    for tool in &CATALOG.tools {
        let schema = &tool.input.normal.schema;
        for dialect in Dialect::ALL {
            let lowered = lower(schema, dialect);
            let shown = lowered.schema.to_string();
            for note in lowered.notes {
                let words = Value::String(note.text.clone()).to_string();
                let words = words.trim_matches('"');
                if note.effect == Effect::Described {
                    assert!(
                        shown.contains(words),
                        "{} {dialect}: {note:?}",
                        tool.contract.name
                    );
                }
            }
        }
    }
}
