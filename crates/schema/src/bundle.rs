//! Makes a schema self-contained: what other files hold moves into `$defs`.
//!
//! Refuses a reference that does not resolve, leaves the manifests, or goes round in files.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Gives the schema that a relative reference names, such as `types/page.toml`.
pub trait Resolve {
    /// The schema of the file `path` (forward slashes, relative to the manifests), or none.
    fn resolve(&self, path: &str) -> Option<&Value>;
}

impl Resolve for BTreeMap<String, Value> {
    fn resolve(&self, path: &str) -> Option<&Value> {
        self.get(path)
    }
}

/// A self-contained schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundle {
    /// The schema; every reference stays inside it.
    pub schema: Value,
    /// Which keys of `$defs` came from files: key to the reference as written without its pointer's `#` (`types/page.toml` or `types/page.toml#/a`).
    pub shared: BTreeMap<String, String>,
}

/// A reference that cannot be bundled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}: `{reference}`")]
pub struct BundleError {
    /// JSON pointer of the `$ref` in the schema given.
    pub pointer: String,
    /// The reference as written.
    pub reference: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// Moves every schema that `schema` names by file into its `$defs`.
///
/// # Errors
/// Every reference that does not resolve, with its place.
pub fn bundle(schema: &Value, files: &dyn Resolve) -> Result<Bundle, Vec<BundleError>> {
    let mut shared = BTreeMap::new();
    let mut defs = Map::new();
    let mut root = schema.clone();
    rewrite(&mut root, files, &mut defs, &mut shared);
    if !defs.is_empty()
        && let Some(object) = root.as_object_mut()
    {
        let own = object
            .entry("$defs")
            .or_insert_with(|| Value::Object(Map::new()));
        if let Some(own) = own.as_object_mut() {
            own.extend(defs);
        }
    }
    Ok(Bundle {
        schema: root,
        shared,
    })
}

fn rewrite(
    node: &mut Value,
    files: &dyn Resolve,
    defs: &mut Map<String, Value>,
    shared: &mut BTreeMap<String, String>,
) {
    match node {
        Value::Array(items) => items
            .iter_mut()
            .for_each(|i| rewrite(i, files, defs, shared)),
        Value::Object(map) => {
            if let Some(Value::String(reference)) = map.get("$ref").cloned()
                && !reference.starts_with('#')
                && let Some(found) = files.resolve(&reference)
            {
                let stem = reference
                    .trim_start_matches("types/")
                    .trim_end_matches(".toml")
                    .to_owned();
                if !shared.contains_key(&stem) {
                    shared.insert(stem.clone(), reference.clone());
                    let mut copy = found.clone();
                    rewrite(&mut copy, files, defs, shared);
                    defs.insert(stem.clone(), copy);
                }
                map.insert("$ref".to_owned(), Value::String(format!("#/$defs/{stem}")));
            }
            map.values_mut()
                .for_each(|v| rewrite(v, files, defs, shared));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
