//! What only Oxagen's `CapabilityDeclaration` has: the `[oxagen]` table of a manifest.
//!
//! Every key may be left out where `toolcontract.toml` gives a default. `sensitivity` has none:
//! it grades data reach and reversibility and cannot be derived from `risk`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

macro_rules! tokens {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident => $token:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $token)] $variant),+
        }

        impl $name {
            /// Every token, in the order of the declaration.
            pub const TOKENS: &[&str] = &[$($token),+];

            /// The token as Oxagen spells it.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $token),+ }
            }
        }
    };
}

tokens! {
    /// Where a capability may be called.
    Surface {
        /// HTTP.
        Api => "api",
        /// MCP server.
        Mcp => "mcp",
        /// The agent runtime.
        Agent => "agent",
        /// Command line.
        Cli => "cli",
    }
}

tokens! {
    /// Artefacts that a capability promises; Oxagen's scripts look for them.
    Layer {
        /// The declaration itself.
        Schema => "schema",
        /// A route.
        Api => "api",
        /// An MCP tool.
        Mcp => "mcp",
        /// A command.
        Cli => "cli",
        /// A unit test.
        Unit => "unit",
        /// An end-to-end test.
        E2e => "e2e",
        /// A page.
        Docs => "docs",
        /// A user interface.
        App => "app",
    }
}

tokens! {
    /// How a capability runs.
    Mode {
        /// Answers at once.
        Sync => "sync",
        /// Answers later.
        Async => "async",
        /// Works through many.
        Batch => "batch",
    }
}

tokens! {
    /// Data reach and reversibility.
    Sensitivity {
        /// Little reach, easily undone.
        Low => "low",
        /// Some reach.
        Medium => "medium",
        /// Wide reach or hard to undo.
        High => "high",
        /// Cannot be undone.
        Destructive => "destructive",
    }
}

tokens! {
    /// What a grant does.
    GrantEffect {
        /// Lets the call through.
        Allow => "allow",
        /// Refuses it.
        Deny => "deny",
        /// Asks a person.
        RequireApproval => "require_approval",
    }
}

/// The `[oxagen]` table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct OxagenSection {
    /// Why there is no Oxagen declaration for this tool. With it nothing else is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip: Option<String>,
    /// Canonical name there, where the tool's own name does not fit Oxagen's rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Grouping label; by default from the group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// How it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Where it may be called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surfaces: Option<Vec<Surface>>,
    /// Artefacts it promises.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<Vec<Layer>>,
    /// Data reach and reversibility. Stated by a person, never derived from risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Sensitivity>,
    /// What happens without a grant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_effect: Option<GrantEffect>,
    /// Grants that roles start with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_roles: Option<DefaultRoles>,
    /// Grouping in the user interface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Whether the agent surface asks a person. Oxagen demands an answer for high risk there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_approval: Option<bool>,
    /// Whether a call enters a tenant scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scoped: Option<bool>,
    /// Which input field names the target in the audit log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit>,
    /// How chat shows a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub render: Option<Render>,
    /// How many units a call bills.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meter: Option<Meter>,
    /// Data tags that a call makes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub produces: Vec<String>,
    /// Data tags that a call needs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consumes: Vec<String>,
    /// Capabilities that often follow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain_hints: Vec<String>,
}

/// Grants that roles start with, by scope.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct DefaultRoles {
    /// Roles of an organisation.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(
        feature = "schema",
        schemars(extend("propertyNames" = { "enum": OrgRole::TOKENS }))
    )]
    pub org: BTreeMap<OrgRole, GrantEffect>,
    /// Roles of a workspace.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(
        feature = "schema",
        schemars(extend("propertyNames" = { "enum": WorkspaceRole::TOKENS }))
    )]
    pub workspace: BTreeMap<WorkspaceRole, GrantEffect>,
}

tokens! {
    /// A role in an organisation.
    OrgRole {
        /// Owner.
        Owner => "Owner",
        /// Administrator.
        Admin => "Admin",
        /// Compliance officer.
        Compliance => "Compliance",
        /// Billing.
        Billing => "Billing",
    }
}

tokens! {
    /// A role in a workspace.
    WorkspaceRole {
        /// Owner.
        Owner => "Owner",
        /// Member.
        Member => "Member",
        /// Viewer.
        Viewer => "Viewer",
    }
}

/// The audit target of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Audit {
    /// What kind of thing the target is.
    pub target_kind: String,
    /// The top-level input field that holds its id.
    pub target_id_field: String,
}

/// How chat shows a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Render {
    /// The component.
    pub component_id: String,
    /// Fields that link to records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub record_links: Vec<RecordLink>,
    /// Fields left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hide_fields: Vec<String>,
    /// The field shown as title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title_field: Option<String>,
}

/// A field that links to a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RecordLink {
    /// The field.
    pub field: String,
    /// What kind of record.
    pub record_type: String,
    /// The field that holds its label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_field: Option<String>,
}

/// How many units a call bills.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Meter {
    /// The output field that counts.
    pub units_from: String,
    /// How many of them make one unit.
    pub units_per_action: u32,
}
