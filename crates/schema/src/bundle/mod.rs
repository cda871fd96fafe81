//! Makes a schema self-contained: what other files hold moves into `$defs`.
//!
//! Refuses a reference that does not resolve, that leaves the manifests or asks the network, and
//! files that refer to each other without end.

mod reference;
mod work;

use std::collections::BTreeMap;

use serde_json::Value;

use work::Work;

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
    /// The schema; every reference stays inside it. Own `$defs` come first and keep their names,
    /// then those from files in the order of first use.
    pub schema: Value,
    /// Which keys of `$defs` came from files: key to the reference, `types/page.toml` for a whole
    /// file, `types/page.toml#/$defs/cursor` for a part of one.
    pub shared: BTreeMap<String, String>,
}

/// A reference that cannot be bundled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{reference}`{}: {reason}", .file.as_ref().map(|f| format!(" in `{f}`")).unwrap_or_default())]
pub struct BundleError {
    /// JSON pointer of the `$ref` in the schema given; where the fault lies in a shared file, of
    /// the `$ref` that first led there.
    pub pointer: String,
    /// The reference as written.
    pub reference: String,
    /// The shared file that holds the reference, where it is not the schema given.
    pub file: Option<String>,
    /// What is wrong with it, and what to do.
    pub reason: &'static str,
}

/// Moves every schema that `schema` names by file into its `$defs`.
///
/// References of a shared file are relative to the manifests too; its `#/...` are its own.
/// A schema without file references comes back as it is. Bundling twice changes nothing.
///
/// # Errors
/// Every reference that does not resolve, with its place.
pub fn bundle(schema: &Value, files: &dyn Resolve) -> Result<Bundle, Vec<BundleError>> {
    Work::new(files, None).run(schema)
}

/// Bundles the shared schema `path` itself: where it, or a file that it names, refers to `path`,
/// the reference leads to the root (`#`).
///
/// # Errors
/// As [`bundle`]; also when there is no such file.
pub fn bundle_file(path: &str, files: &dyn Resolve) -> Result<Bundle, Vec<BundleError>> {
    match files.resolve(path) {
        Some(schema) => Work::new(files, Some(path)).run(schema),
        None => Err(vec![BundleError {
            pointer: String::new(),
            reference: path.to_owned(),
            file: None,
            reason: "no shared schema has this path",
        }]),
    }
}
