//! What was looked at, so that it can be recognised.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolcontract_schema::digest::digest;

use crate::script::{NamedFile, Script, ScriptTool};

/// What was looked at when a tool was adopted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pin {
    /// The whole definition: of a script tool its manifest, of a served one what was served.
    pub definition: Value,
    /// Every file that its command line names, with digests; none for a served tool.
    pub files: Vec<NamedFile>,
    /// Of a served tool, where its server is: a command line, or an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<Value>,
}

impl Pin {
    /// The pin of a script tool as it is now.
    #[must_use]
    pub fn of_script(script: &Script, tool: &ScriptTool) -> Self {
        Self {
            definition: serde_json::to_value(&script.manifest).unwrap_or_default(),
            files: tool.files().to_vec(),
            server: None,
        }
    }

    /// SHA-256 of the pin in canonical JSON, lower-case hex; the order of keys does not matter.
    /// None for a definition that is nested beyond all reason.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        digest(self).ok()
    }
}
