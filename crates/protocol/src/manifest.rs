//! What a person writes: the manifest of a tool and of an event.
//!
//! The TOML and the JSON form, and the user-written script tool, are spellings of one struct.
//! Unknown keys, unknown tokens and wrong types are refused; nothing is guessed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    absent, contract::ToolContract, oxagen::OxagenSection, provenance::Provenance, risk::RiskLevel,
};

/// The manifest of one tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The JSON spelling of TOML's `#:schema` line; editors read it.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// `^[a-z][a-z0-9_]{1,63}$`, without `__`, not a reserved word, unique also when case is folded.
    pub name: String,
    /// Label for people; never shown to a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Revision of this contract, from 1. `bump` raises it.
    #[serde(
        default = "absent::first_revision",
        deserialize_with = "absent::revision"
    )]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub version: u32,
    /// What the model reads: what the tool does, when to use it, what it returns.
    pub description: String,
    /// Policy group, such as `file` or `search`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// When the tool exists at all: a token that `toolcontract.toml` declares.
    #[serde(default = "always")]
    pub availability: String,
    /// Cannot change state.
    #[serde(default)]
    pub read_only: bool,
    /// May run twice before its step commits; implies `read_only`.
    #[serde(default)]
    pub speculation_safe: bool,
    /// The same call twice has the effect of one.
    #[serde(default)]
    pub idempotent: bool,
    /// What it changes, it only adds.
    #[serde(default)]
    pub additive: bool,
    /// Reaches beyond the workspace.
    #[serde(default = "absent::yes")]
    pub open_world: bool,
    /// How bad one honest call can be: policy input, a ceiling. It never asks a person.
    #[serde(
        default,
        deserialize_with = "RiskLevel::strict",
        skip_serializing_if = "Option::is_none"
    )]
    pub risk: Option<RiskLevel>,
    /// A person must say yes to each call. The only field that asks.
    #[serde(default)]
    pub requires_approval: bool,
    /// The events that a call may emit, each declared in `events/`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// What a caller may send: JSON Schema 2020-12 whose root is `type: object`. Only a script tool may leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<serde_json::Map<String, Value>>")
    )]
    pub input_schema: Option<Value>,
    /// What `data` of a success must be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<serde_json::Map<String, Value>>")
    )]
    pub output_schema: Option<Value>,
    /// Set when the tool is on its way out; shown on every surface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecation>,
    /// Lint rules that do not apply here, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<Allow>,
    /// Example calls, checked against the schemas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    /// What only Oxagen's declaration has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oxagen: Option<OxagenSection>,
    /// Script tools: program and arguments, run without a shell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub command: Option<Vec<String>>,
    /// Script tools: time limit in milliseconds, 30000 unless said, 600000 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 600_000)))]
    pub timeout_ms: Option<u64>,
    /// Script tools: variables added to the clean environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Script tools: who wrote it and the call that proved it useful.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foundry: Option<Foundry>,
    /// Imported tools: the name as served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wire_name: Option<String>,
    /// Imported tools: the hints as served. They buy nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Claims>,
    /// Imported tools: where the definition came from. Its presence makes the posture `declared`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

/// How strictly a contract is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Posture {
    /// Written here: strict.
    Authored,
    /// Imported or served by others: kept exactly, findings allowed, unknown keywords kept.
    Declared,
}

impl Manifest {
    /// Authored, unless the manifest was imported.
    #[must_use]
    pub fn posture(&self) -> Posture {
        if self.origin.is_some() {
            Posture::Declared
        } else {
            Posture::Authored
        }
    }

    /// The contract that the manifest states. `input` and `output` are its schemas with every
    /// reference bundled; `provenance` is what the loader knows of the place it came from.
    #[must_use]
    pub fn contract(
        &self,
        input: Value,
        output: Option<Value>,
        provenance: Provenance,
    ) -> ToolContract {
        ToolContract {
            version: self.version,
            name: self.name.clone(),
            description: self.description.clone(),
            input_schema: input,
            output_schema: output,
            group: self.group.clone(),
            read_only: self.read_only,
            speculation_safe: self.speculation_safe,
            idempotent: self.idempotent,
            additive: self.additive,
            open_world: self.open_world,
            risk: self.risk.unwrap_or(RiskLevel::High),
            requires_approval: self.requires_approval,
            events: self.events.clone(),
            provenance,
        }
    }
}

/// A tool on its way out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Deprecation {
    /// The version or date since when.
    pub since: String,
    /// The tool to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<String>,
    /// Anything else a user should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A lint exception.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Allow {
    /// Id of the rule.
    pub rule: String,
    /// Why it does not apply here; not empty.
    pub reason: String,
}

/// An example call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// One line: what the call is for.
    pub summary: String,
    /// The input of the call.
    pub input: Value,
    /// `data` of its success. Absent is not `null`.
    #[serde(
        default,
        deserialize_with = "absent::present",
        skip_serializing_if = "Option::is_none"
    )]
    pub output: Option<Value>,
}

/// Where a script tool came from, when a machine wrote it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Foundry {
    /// Who wrote it.
    pub authored_by: String,
    /// The command shape that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// How often the shape was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<u64>,
    /// The input of the call that proved it useful.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness_input: Option<Value>,
}

/// MCP hints as a server sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// `readOnlyHint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// `destructiveHint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// `idempotentHint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// `openWorldHint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

/// The manifest of one event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EventManifest {
    /// The JSON spelling of TOML's `#:schema` line; editors read it.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Dotted lower-case words, such as `file.created`.
    pub name: String,
    /// When it is emitted and what it tells.
    pub description: String,
    /// A fact that a journal may replay, as opposed to a sign of life.
    #[serde(default)]
    pub replayable: bool,
    /// What the payload must be; its root is `type: object`.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, Value>"))]
    pub payload_schema: Value,
}

fn always() -> String {
    "always".to_owned()
}
