//! Validators for parts of a schema, and what they say in words.

use serde_json::{Value, json};
use toolcontract_protocol::manifest::Posture;
use toolcontract_schema::{Formats, Validator, Violation, pointer::to_reference};

use super::{
    findings::Located as _,
    site::{Part, Site},
};

/// What a schema is called where it has no `$id`.
const BASE: &str = "urn:toolcontract:schema";

/// Whether `format` asserts in this posture.
pub(super) fn formats(posture: Posture) -> Formats {
    match posture {
        Posture::Authored => Formats::Assert,
        Posture::Declared => Formats::Annotate,
    }
}

/// The validator of one part, in the form that leaves the manifests. None where the part, or the
/// schema around it, is invalid or too heavy: another rule says so.
pub(super) fn part(site: &Site<'_>, part: &Part<'_>) -> Option<Validator> {
    if site.heavy.is_some() {
        return None;
    }
    let formats = formats(site.posture());
    let wire = &site.doc.wire;
    let schema = wire.pointer(&part.pointer)?;
    let refers = site.parts.iter().any(|other| {
        let inside = other.pointer.strip_prefix(part.pointer.as_str());
        let inside = inside.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        inside && (other.get("$ref").is_some() || other.get("$dynamicRef").is_some())
    });
    if !refers {
        return Validator::compile(schema, formats).ok();
    }
    // References mean the whole schema, so it goes along under a name of its own.
    let mut whole = wire.clone();
    let keywords = whole.as_object_mut()?;
    let id = keywords.entry("$id").or_insert_with(|| json!(BASE)).clone();
    let id = id.as_str()?.trim_end_matches('#');
    let reference = format!("{id}{}", to_reference(&part.pointer));
    let whole: Value = json!({ "$ref": reference, "$defs": { "whole": whole } });
    Validator::compile(&whole, formats).ok()
}

/// A violation in words, for a message that shows its place.
pub(super) fn words(fault: &Violation) -> String {
    format!("expected {}, got {}", fault.expected, fault.got)
}
