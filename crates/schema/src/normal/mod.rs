//! The normal form of a schema: what emitters read instead of the hundred ways to write one.
//!
//! In normal form: dialect 2020-12; `$ref` is only `#` or `#/$defs/NAME` (NAME escaped as a JSON
//! pointer token) and always resolves; `$id`, `$anchor`, `$schema`, `definitions` are gone; what
//! a reference named elsewhere (`#/properties/x`) stands in `$defs`; draft-07 spellings are
//! 2020-12 ones; `x-` keywords of ours are kept. It accepts exactly what the schema accepts.
//!
//! Further: `$defs` stands at the root only, last, and holds only what is reachable, own names
//! first; `$dynamicRef` is a `$ref`; keywords that the dialect does not know are gone.
//!
//! Refuses an unknown dialect, a reference that leaves the document or leads nowhere, references
//! that go round without stepping into a value, and what two dialects read differently. One
//! difference stays: draft-04 does not count `1.0` as an integer, and contracts do.

mod cycle;
mod dynamic;
mod node;
mod target;
mod work;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{bounds::nesting, bundle::Bundle, pointer, vocabulary::Dialect, walk::walk};
pub use target::Target;
use work::Work;

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

/// How deep schemas may nest; a deeper one has no normal form.
pub const MAX_NESTING: usize = 128;

/// Brings a bundled schema into normal form. A schema in normal form comes back as it is.
///
/// # Errors
/// Every place that has none.
pub fn normalize(bundle: &Bundle) -> Result<Normal, Vec<NormalError>> {
    let root = &bundle.schema;
    if nesting(root) > MAX_NESTING {
        return Err(vec![NormalError {
            pointer: String::new(),
            reason: format!("the schema nests deeper than {MAX_NESTING} levels"),
        }]);
    }
    let dialect = dialect(root)?;
    let (mut schema, defs) = Work::new(root, dialect).run()?;
    let shared = bundle
        .shared
        .iter()
        .filter(|(name, _)| defs.contains_key(*name))
        .map(|(name, reference)| (name.clone(), reference.clone()))
        .collect();
    if let Value::Object(map) = &mut schema
        && !defs.is_empty()
    {
        map.insert("$defs".to_owned(), Value::Object(defs));
    }
    Ok(Normal { schema, shared })
}

/// The dialect of the whole document.
fn dialect(root: &Value) -> Result<Dialect, Vec<NormalError>> {
    let read = |node: &Value| match node.get("$schema") {
        None => Ok(None),
        Some(Value::String(uri)) => Dialect::from_uri(uri)
            .map(Some)
            .ok_or_else(|| format!("`{uri}` is not a dialect that is known here; write 2020-12")),
        Some(_) => Err("`$schema` is a URI".to_owned()),
    };
    let at = |place: &str, reason: String| NormalError {
        pointer: pointer::join(place, "$schema"),
        reason,
    };
    let whole = read(root)
        .map_err(|reason| vec![at("", reason)])?
        .unwrap_or(Dialect::Draft202012);
    let mut errors = Vec::new();
    walk(root, &mut |place, node| match read(node) {
        Ok(Some(part)) if part != whole => {
            errors.push(at(place, "one document has one dialect".to_owned()));
        }
        Ok(_) => {}
        Err(reason) => errors.push(at(place, reason)),
    });
    if errors.is_empty() {
        Ok(whole)
    } else {
        Err(errors)
    }
}
