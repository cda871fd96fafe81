//! What was looked at, kept in a file, and what is not that any more.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolcontract_manifest::{Diagnostic, import::Tool};

use super::{Listed, Page, called, rules, shown};

/// Definitions that somebody looked at, by the name of the list and of the tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pins {
    /// The form of this file.
    version: u32,
    lists: BTreeMap<String, BTreeMap<String, Pinned>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pinned {
    /// SHA-256 of the definition as served.
    digest: String,
    /// Digest of each part, so that a change can be told without the text of a server in the file.
    parts: BTreeMap<String, String>,
}

/// The form that this version writes.
const VERSION: u32 = 1;

/// Why a file of pins cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PinsError {
    /// It is none.
    #[error("this is no file of pins: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// It has a form of later.
    #[error("the file has form {found}, this version reads {VERSION}")]
    Version {
        /// The form.
        found: u32,
    },
}

impl Pins {
    /// Pins of `lists` as they are.
    #[must_use]
    pub fn of(lists: &[Listed]) -> Self {
        let of_list = |list: &Listed| {
            let tools = list.imported.tools.iter();
            let pinned = tools.map(|tool| (called(tool).to_owned(), Pinned::of(tool)));
            (list.name.clone(), pinned.collect())
        };
        Self {
            version: VERSION,
            lists: lists.iter().map(of_list).collect(),
        }
    }

    /// Reads a file of pins.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(text: &str) -> Result<Self, PinsError> {
        let pins: Self = serde_json::from_str(text)?;
        match pins.version {
            VERSION => Ok(pins),
            found => Err(PinsError::Version { found }),
        }
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

impl Pinned {
    fn of(tool: &Tool) -> Self {
        let manifest = &tool.manifest;
        let parts = [
            ("title", json!(manifest.title)),
            ("description", json!(manifest.description)),
            ("inputSchema", json!(manifest.input_schema)),
            ("outputSchema", json!(manifest.output_schema)),
            ("annotations", json!(manifest.claims)),
        ];
        let digest = |part: &Value| toolcontract_schema::digest::digest(part).unwrap_or_default();
        Self {
            digest: tool.digest.clone(),
            parts: parts
                .iter()
                .map(|(name, part)| ((*name).to_owned(), digest(part)))
                .collect(),
        }
    }

    /// The parts in which `now` differs.
    fn differences(&self, now: &Self) -> String {
        let changed = now
            .parts
            .iter()
            .filter(|(name, digest)| self.parts.get(*name) != Some(*digest))
            .map(|(name, _)| format!("`{name}`"));
        let changed: Vec<String> = changed.collect();
        match changed.is_empty() {
            true => "something that is not kept".to_owned(),
            false => changed.join(", "),
        }
    }
}

/// What is not as it was pinned.
pub(super) fn check(page: &Page<'_>, pins: &Pins, findings: &mut Vec<Diagnostic>) {
    let nothing = BTreeMap::new();
    let pinned = pins.lists.get(&page.list.name).unwrap_or(&nothing);
    for tool in &page.list.imported.tools {
        let (name, subject) = (called(tool), Some(&tool.subject));
        let now = Pinned::of(tool);
        let shown = shown(name);
        match pinned.get(name) {
            Some(before) if before.digest == now.digest => {}
            Some(before) => {
                let parts = before.differences(&now);
                let message = format!("`{shown}` is not what was pinned; it differs in {parts}");
                findings.push(page.error(&rules::CHANGED, subject, message));
            }
            None => {
                let message = format!("`{shown}` was not there when the list was pinned");
                findings.push(page.error(&rules::NEW, subject, message));
            }
        }
    }
    for name in pinned.keys() {
        let tools = &page.list.imported.tools;
        if !tools.iter().any(|tool| called(tool) == name) {
            let message = format!("`{}` is not there any more", shown(name));
            findings.push(page.warning(&rules::GONE, None, message));
        }
    }
}
