//! `toolcontract.toml`: the choices of one project. Everything that is not about one tool.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
pub use toolcontract_protocol::Dialect;
use toolcontract_protocol::oxagen::{DefaultRoles, GrantEffect, Layer, Mode, Surface};

/// `manifests/toolcontract.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// What people call the catalog; title of the docs.
    pub name: String,
    /// One sentence about the catalog; first line of the docs and of the packages.
    pub description: String,
    /// Licence of the generated packages, an SPDX expression.
    #[serde(default = "default_license")]
    pub license: String,
    /// Version of the generated packages.
    #[serde(default = "default_package_version")]
    pub package_version: String,
    /// Folder of the generated surfaces, relative to the project root. A surface may say otherwise.
    #[serde(default = "default_out")]
    pub out: String,
    /// When a tool exists at all: token to its meaning in one sentence. `always` need not be declared.
    #[serde(default)]
    pub availability: BTreeMap<String, String>,
    /// Policy groups: token to its meaning in one sentence.
    #[serde(default)]
    pub groups: BTreeMap<String, String>,
    /// The surfaces; one that is absent is not emitted.
    #[serde(default)]
    pub surfaces: Surfaces,
}

/// One table a surface; its presence switches the surface on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Surfaces {
    /// The Rust crate.
    pub rust: Option<RustSurface>,
    /// The npm package.
    pub typescript: Option<TypeScriptSurface>,
    /// Oxagen's declarations.
    pub oxagen: Option<OxagenSurface>,
    /// MCP tool definitions.
    pub mcp: Option<McpSurface>,
    /// Model-facing tool lists.
    pub advertised: Option<AdvertisedSurface>,
    /// JSON Schemas and type declarations of the wire.
    pub wire: Option<WireSurface>,
    /// Markdown.
    pub docs: Option<DocsSurface>,
}

/// `[surfaces.rust]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RustSurface {
    /// Folder, when it is not `<out>/rust`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// Name of the crate.
    #[serde(rename = "crate")]
    pub krate: String,
    /// How its Cargo.toml finds `toolcontract-protocol` and `toolcontract-schema`. A `path` is
    /// relative to the folder of the generated crate, not to this file.
    #[serde(default)]
    pub toolcontract: DependencySource,
}

/// Where a generated crate finds the crates of this project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum DependencySource {
    /// The workspace that the crate is a member of says it.
    Workspace,
    /// A folder that holds `protocol` and `schema`, relative to the generated crate.
    Path(String),
    /// A git repository, with an optional revision after `#`.
    Git(String),
    /// A version from the registry.
    Version(String),
}

impl Default for DependencySource {
    fn default() -> Self {
        Self::Version(env!("CARGO_PKG_VERSION").to_owned())
    }
}

/// `[surfaces.typescript]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypeScriptSurface {
    /// Folder, when it is not `<out>/typescript`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// Name of the npm package.
    pub package: String,
}

/// `[surfaces.oxagen]`: defaults for the `[oxagen]` table of each manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OxagenSurface {
    /// Folder, when it is not `<out>/oxagen`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// Import specifier of `registerCapability`.
    #[serde(default = "default_registry_import")]
    pub registry_import: String,
    /// Import specifier of `CapabilityDeclaration`.
    #[serde(default = "default_types_import")]
    pub types_import: String,
    /// Domain by policy group; a group that is absent is its own domain.
    #[serde(default)]
    pub domains: BTreeMap<String, String>,
    /// How a capability runs.
    #[serde(default = "default_mode")]
    pub mode: Mode,
    /// Where a capability may be called.
    pub surfaces: Vec<Surface>,
    /// Artefacts that it promises.
    pub layers: Vec<Layer>,
    /// What happens without a grant.
    #[serde(default = "default_effect")]
    pub default_effect: GrantEffect,
    /// Grants that roles start with.
    #[serde(default)]
    pub default_roles: DefaultRoles,
    /// First words of names beyond those that Oxagen's check accepts.
    #[serde(default)]
    pub extra_verbs: Vec<String>,
}

/// `[surfaces.mcp]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct McpSurface {
    /// Folder, when it is not `<out>/mcp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// The reverse-DNS `_meta` key that carries our facts, such as `dev.example/contract`.
    pub meta_key: String,
    /// Protocol revisions to emit.
    #[serde(default = "default_revisions")]
    pub revisions: Vec<McpRevision>,
}

/// A revision of MCP.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
pub enum McpRevision {
    /// 2025-06-18.
    #[serde(rename = "2025-06-18")]
    V2025_06_18,
    /// 2025-11-25.
    #[serde(rename = "2025-11-25")]
    V2025_11_25,
    /// 2026-07-28.
    #[serde(rename = "2026-07-28")]
    V2026_07_28,
}

/// `[surfaces.advertised]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdvertisedSurface {
    /// Folder, when it is not `<out>/advertised`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// Provider dialects beside the canonical list.
    #[serde(default)]
    pub dialects: Vec<Dialect>,
}

/// `[surfaces.wire]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WireSurface {
    /// Folder, when it is not `<out>/wire`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
}

/// `[surfaces.docs]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DocsSurface {
    /// Folder, when it is not `<out>/docs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
}

fn default_license() -> String {
    "MIT OR Apache-2.0".to_owned()
}

fn default_package_version() -> String {
    "0.1.0".to_owned()
}

fn default_out() -> String {
    "generated".to_owned()
}

fn default_registry_import() -> String {
    "@oxagen/oxagen/registry".to_owned()
}

fn default_types_import() -> String {
    "@oxagen/oxagen/types".to_owned()
}

fn default_mode() -> Mode {
    Mode::Sync
}

fn default_effect() -> GrantEffect {
    GrantEffect::Deny
}

fn default_revisions() -> Vec<McpRevision> {
    vec![
        McpRevision::V2025_06_18,
        McpRevision::V2025_11_25,
        McpRevision::V2026_07_28,
    ]
}
