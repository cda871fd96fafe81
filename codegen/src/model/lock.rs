//! `manifests/contracts.lock`: what each contract was when it was last generated.
//!
//! Written only by the tool. A section a tool, so that branches that touch different tools merge;
//! a lock that holds merge conflicts is read as the two locks that it was made of.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolcontract_schema::digest::{digest, hex};

use super::{SharedType, Tool};

/// Where the lock stands, relative to the project root.
pub const PATH: &str = "manifests/contracts.lock";

const HEADER: &str = "\
# What each contract was when it was last generated. Written by `gen` and `bump`; do not edit.
# A contract that differs from its entry needs a higher `version`: `bump NAME` raises it.
";

/// The lock.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// Names that were retired; they may not return.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub retired: BTreeSet<String>,
    /// By tool name.
    #[serde(default)]
    pub tools: BTreeMap<String, LockedTool>,
}

/// One tool in the lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedTool {
    /// Its `version`.
    pub version: u32,
    /// Digest of the advertised bytes.
    pub advertised: String,
    /// Digest of the whole contract: see [`contract_digest`].
    pub contract: String,
    /// Token estimate of the advertised bytes.
    pub tokens: u32,
}

/// A text that is no lock.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{PATH}` is not a lock: {message}; take it from version control again")]
pub struct LockError {
    /// What is wrong, on one line.
    pub message: String,
}

impl Lock {
    /// Reads a lock.
    ///
    /// # Errors
    /// When the text is no lock.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        toml_edit::de::from_str(text).map_err(|e| LockError {
            message: e.message().replace('\n', " "),
        })
    }

    /// The text of the lock.
    #[must_use]
    pub fn print(&self) -> String {
        // A lock always has a TOML form: strings, numbers, tables.
        let body = toml_edit::ser::to_string_pretty(self).unwrap_or_default();
        format!("{HEADER}\n{body}")
    }

    /// Whether `name` was retired and may not return.
    #[must_use]
    pub fn is_retired(&self, name: &str) -> bool {
        self.retired.contains(name)
    }

    /// Takes `name` from the tools to the retired names. `false` when the lock does not have it.
    pub fn retire(&mut self, name: &str) -> bool {
        let known = self.tools.remove(name).is_some();
        if known {
            self.retired.insert(name.to_owned());
        }
        known
    }
}

/// Reads a text that may hold merge conflicts: one lock, or both sides.
///
/// # Errors
/// When a side is no lock.
pub fn parse_sides(text: &str) -> Result<Vec<Lock>, LockError> {
    let (mut ours, mut theirs) = (String::new(), String::new());
    let mut side = Side::Both;
    let mut conflicted = false;
    for line in text.split_inclusive('\n') {
        side = match line.get(..7) {
            Some("<<<<<<<") => Side::Ours,
            Some("|||||||") if side == Side::Ours => Side::Base,
            Some("=======") if matches!(side, Side::Ours | Side::Base) => Side::Theirs,
            Some(">>>>>>>") if side == Side::Theirs => Side::Both,
            _ => {
                match side {
                    Side::Both => {
                        ours.push_str(line);
                        theirs.push_str(line);
                    }
                    Side::Ours => ours.push_str(line),
                    Side::Theirs => theirs.push_str(line),
                    Side::Base => {}
                }
                continue;
            }
        };
        conflicted = true;
    }
    let mut sides = vec![Lock::parse(&ours)?];
    if conflicted {
        sides.push(Lock::parse(&theirs)?);
    }
    Ok(sides)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Both,
    Ours,
    Base,
    Theirs,
}

/// The keys of a manifest that are no part of its contract.
pub(crate) const OUTSIDE: [&str; 3] = ["allow", "examples", "$schema"];

/// Digest of the whole contract: every key of the manifest with its default filled in, but
/// `allow`, `examples` and `$schema` (an editor's hint), and every shared type that it names.
#[must_use]
pub fn contract_digest(tool: &Tool, types: &[SharedType]) -> String {
    let mut manifest = serde_json::to_value(&tool.manifest).unwrap_or_default();
    if let Some(keys) = manifest.as_object_mut() {
        for key in OUTSIDE {
            keys.shift_remove(key);
        }
    }
    let named: BTreeSet<&str> = std::iter::once(&tool.input)
        .chain(&tool.output)
        .flat_map(|schema| schema.normal.shared.values())
        .map(|reference| reference.split('#').next().unwrap_or(reference))
        .collect();
    let shared: Map<String, Value> = types
        .iter()
        .filter(|shared| named.contains(shared.reference.as_str()))
        .map(|shared| (shared.reference.clone(), shared.document.root.to_json()))
        .collect();
    let whole = Value::Array(vec![manifest, Value::Object(shared)]);
    digest(&whole).unwrap_or_else(|_| hex(whole.to_string().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(version: u32) -> LockedTool {
        LockedTool {
            version,
            advertised: format!("a{version}"),
            contract: format!("c{version}"),
            tokens: 9,
        }
    }

    fn lock(tools: &[(&str, u32)], retired: &[&str]) -> Lock {
        Lock {
            tools: tools
                .iter()
                .map(|(name, version)| ((*name).to_owned(), tool(*version)))
                .collect(),
            retired: retired.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    #[test]
    fn a_lock_reads_back() {
        for lock in [
            lock(&[], &[]),
            lock(&[("a", 1), ("b", 7)], &["old", "older"]),
        ] {
            let text = lock.print();
            assert_eq!(Lock::parse(&text), Ok(lock), "{text}");
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text}");
        }
    }

    #[test]
    fn what_is_no_lock_is_refused() {
        for bad in [
            "tools = 1",
            "[tools.a]\nversion = 1",
            "x = 1",
            "[",
            "[tools.a]\nversion = -1",
        ] {
            assert!(Lock::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_conflicted_lock_is_two_locks() {
        let (ours, theirs) = (
            lock(&[("a", 1), ("b", 2)], &[]),
            lock(&[("a", 1), ("b", 3)], &[]),
        );
        let text = ours.print().replace(
            "version = 2\nadvertised = \"a2\"\ncontract = \"c2\"\n",
            "<<<<<<< ours\nversion = 2\nadvertised = \"a2\"\ncontract = \"c2\"\n||||||| base\nversion = 1\n=======\n\
             version = 3\nadvertised = \"a3\"\ncontract = \"c3\"\n>>>>>>> theirs\n",
        );
        assert_eq!(parse_sides(&text), Ok(vec![ours.clone(), theirs]));
        assert_eq!(parse_sides(&ours.print()), Ok(vec![ours]));
    }

    #[test]
    fn a_retired_name_leaves_the_tools() {
        let mut lock = lock(&[("a", 1)], &[]);
        assert!(lock.retire("a") && lock.is_retired("a") && lock.tools.is_empty());
        assert!(!lock.retire("b") && !lock.is_retired("b"));
    }
}
