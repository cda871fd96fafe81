//! `manifests/contracts.lock`: what each contract was when it was last generated.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// The lock. Written only by the tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// By tool name.
    #[serde(default)]
    pub tools: BTreeMap<String, LockedTool>,
    /// Names that were retired; they may not return.
    #[serde(default)]
    pub retired: BTreeSet<String>,
}

/// One tool in the lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedTool {
    /// Its `version`.
    pub version: u32,
    /// Digest of the advertised bytes.
    pub advertised: String,
    /// Digest of the whole contract: every key but `allow` and `examples`.
    pub contract: String,
    /// Token estimate of the advertised bytes.
    pub tokens: u32,
}
