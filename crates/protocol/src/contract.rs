//! The contract of one tool as runtimes, gates and hosts see it, and its wire form.
//!
//! The wire form nests what a model is shown under `schema`, so that the advertised bytes stay
//! free of governance facts. Refuses nothing but text that is no contract: whether the facts
//! contradict each other is for [`crate::contradiction`], whether schemas hold for the validator.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::{provenance::Provenance, risk::RiskLevel};

/// The contract of one tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolContract {
    /// Revision of this contract, from 1.
    pub version: u32,
    /// The name that a call uses.
    pub name: String,
    /// What a model reads.
    pub description: String,
    /// JSON Schema 2020-12 of the input; its root is `type: object`.
    pub input_schema: Value,
    /// JSON Schema of `data` of a success. Absent: the tool promises text only.
    pub output_schema: Option<Value>,
    /// Policy group.
    pub group: Option<String>,
    /// Cannot change state.
    pub read_only: bool,
    /// May run twice before its step commits.
    pub speculation_safe: bool,
    /// The same call twice has the effect of one.
    pub idempotent: bool,
    /// What it changes, it only adds.
    pub additive: bool,
    /// Reaches beyond the workspace. True unless said otherwise.
    pub open_world: bool,
    /// How bad one honest call can be.
    pub risk: RiskLevel,
    /// A person must say yes to each call.
    pub requires_approval: bool,
    /// The events that a call may emit.
    pub events: Vec<String>,
    /// Where the contract came from.
    pub provenance: Provenance,
}

impl ToolContract {
    /// A contract of which only the definition is known: declared, risk `high`, every other fact the worst case.
    #[must_use]
    pub fn declared(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
    ) -> Self {
        Self {
            version: 1,
            name: name.into(),
            description: description.into(),
            input_schema,
            output_schema: None,
            group: None,
            read_only: false,
            speculation_safe: false,
            idempotent: false,
            additive: false,
            open_world: true,
            risk: RiskLevel::High,
            requires_approval: false,
            events: Vec::new(),
            provenance: Provenance::Declared,
        }
    }

    /// `read_only`, as far as it may be relied on for concurrent dispatch.
    #[must_use]
    pub fn trusted_read_only(&self) -> bool {
        self.read_only && self.provenance.is_trusted()
    }

    /// `speculation_safe`, as far as it may be relied on for speculation.
    #[must_use]
    pub fn trusted_speculation_safe(&self) -> bool {
        self.speculation_safe && self.trusted_read_only()
    }

    /// `idempotent`, as far as it may be relied on for a retry.
    #[must_use]
    pub fn trusted_idempotent(&self) -> bool {
        self.idempotent && self.provenance.is_trusted()
    }

    /// The risk that policies see: of a declared contract at least `high`. A claim can only raise it.
    #[must_use]
    pub fn effective_risk(&self) -> RiskLevel {
        if self.provenance.is_trusted() {
            self.risk
        } else {
            self.risk.max(RiskLevel::High)
        }
    }
}

/// What a model is shown of a tool, with the two bits that dispatch reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolSchema {
    /// The name that a call uses.
    pub name: String,
    /// What a model reads.
    #[serde(default)]
    pub description: String,
    /// JSON Schema of the input.
    pub input_schema: Value,
    /// Cannot change state.
    #[serde(default)]
    pub read_only: bool,
    /// May run twice before its step commits.
    #[serde(default)]
    pub speculation_safe: bool,
}

/// The contract as it travels: field order and omissions are fixed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ToolContract"))]
struct Nested {
    #[serde(default = "one")]
    version: u32,
    schema: ToolSchema,
    #[serde(default = "RiskLevel::unstated")]
    risk: RiskLevel,
    #[serde(default)]
    requires_approval: bool,
    #[serde(default = "Provenance::unstated")]
    provenance: Provenance,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output_schema: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    events: Vec<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    idempotent: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    open_world: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    additive: bool,
}

/// The contract with every field beside the others, as some peers write it.
#[derive(Deserialize)]
struct Flat {
    #[serde(flatten)]
    schema: ToolSchema,
    #[serde(default = "one")]
    version: u32,
    #[serde(default = "RiskLevel::unstated")]
    risk: RiskLevel,
    #[serde(default)]
    requires_approval: bool,
    #[serde(default = "Provenance::unstated")]
    provenance: Provenance,
    #[serde(default)]
    output_schema: Option<Value>,
    #[serde(default)]
    events: Vec<String>,
    #[serde(default)]
    idempotent: bool,
    #[serde(default)]
    group: Option<String>,
    #[serde(default = "yes")]
    open_world: bool,
    #[serde(default)]
    additive: bool,
}

impl RiskLevel {
    fn unstated() -> Self {
        Self::High
    }
}

impl Provenance {
    fn unstated() -> Self {
        Self::Declared
    }
}

fn one() -> u32 {
    1
}

fn yes() -> bool {
    true
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
fn is_false(value: &bool) -> bool {
    !*value
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
fn is_true(value: &bool) -> bool {
    *value
}

impl From<Nested> for ToolContract {
    fn from(n: Nested) -> Self {
        Self {
            version: n.version,
            name: n.schema.name,
            description: n.schema.description,
            input_schema: n.schema.input_schema,
            output_schema: n.output_schema,
            group: n.group,
            read_only: n.schema.read_only,
            speculation_safe: n.schema.speculation_safe,
            idempotent: n.idempotent,
            additive: n.additive,
            open_world: n.open_world,
            risk: n.risk,
            requires_approval: n.requires_approval,
            events: n.events,
            provenance: n.provenance,
        }
    }
}

impl From<Flat> for Nested {
    fn from(f: Flat) -> Self {
        Self {
            version: f.version,
            schema: f.schema,
            risk: f.risk,
            requires_approval: f.requires_approval,
            provenance: f.provenance,
            output_schema: f.output_schema,
            events: f.events,
            idempotent: f.idempotent,
            group: f.group,
            open_world: f.open_world,
            additive: f.additive,
        }
    }
}

impl Serialize for ToolContract {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let c = self.clone();
        Nested {
            version: c.version,
            schema: ToolSchema {
                name: c.name,
                description: c.description,
                input_schema: c.input_schema,
                read_only: c.read_only,
                speculation_safe: c.speculation_safe,
            },
            risk: c.risk,
            requires_approval: c.requires_approval,
            provenance: c.provenance,
            output_schema: c.output_schema,
            events: c.events,
            idempotent: c.idempotent,
            group: c.group,
            open_world: c.open_world,
            additive: c.additive,
        }
        .serialize(serializer)
    }
}

/// Three forms are read: nested (ours), flat, and the bare schema of a tool, which is declared with risk `high`.
impl<'de> Deserialize<'de> for ToolContract {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let value = Value::deserialize(deserializer)?;
        let nested = value.get("schema").is_some();
        let read = if nested {
            Nested::deserialize(value)
        } else {
            Flat::deserialize(value).map(Nested::from)
        };
        read.map(Self::from).map_err(D::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ToolContract {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ToolContract".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Nested::json_schema(generator)
    }
}
