//! Each key of a manifest has a place in Oxagen, or a reason why it has none.

use std::collections::BTreeSet;

use serde_json::Value;
use toolcontract_codegen::emit::{
    oxagen::{
        Oxagen,
        slots::{SLOTS, Slot},
    },
    wire::Wire,
};

use super::worst::EVERYTHING;
use crate::catalog::{CATALOG, files, text};

/// The keys of the manifest as its schema, which is derived from its struct, has them.
fn keys() -> Vec<String> {
    let wire = files(&Wire, &CATALOG);
    let schema: Value = serde_json::from_str(text(&wire, "manifest.schema.json")).unwrap();
    let of = |node: &Value, prefix: &str| -> Vec<String> {
        let properties = node["properties"].as_object().unwrap();
        properties
            .keys()
            .map(|key| format!("{prefix}{key}"))
            .collect()
    };
    let mut keys = of(&schema, "");
    keys.extend(of(&schema["$defs"]["OxagenSection"], "oxagen."));
    keys
}

#[test]
fn every_key_is_decided_about() {
    let expected = keys();
    let found: Vec<&str> = SLOTS.iter().map(|row| row.key).collect();
    let known: BTreeSet<&str> = found.iter().copied().collect();
    assert_eq!(known.len(), found.len(), "a key has two rows");
    assert_eq!(known, expected.iter().map(String::as_str).collect());
}

/// A field that the table names is one that the emitter writes.
#[test]
fn every_field_named_is_written_somewhere() {
    let modules = files(&Oxagen, &EVERYTHING);
    let all: String = modules
        .iter()
        .map(|(_, bytes)| String::from_utf8_lossy(bytes))
        .collect();
    for row in SLOTS {
        if let Slot::Field(field, how) = row.slot {
            let last = field.rsplit('.').next().unwrap();
            assert!(
                all.contains(&format!("  {last}: ")),
                "{}: `{field}`",
                row.key
            );
            assert!(!how.is_empty());
        }
    }
}
