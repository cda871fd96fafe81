//! The wire form of a contract, and the two older forms that are read as well.
//!
//! What a model is shown nests under `schema`, so that those bytes stay free of governance facts.
//! Field order and omissions are fixed. Refuses text that gives the definition twice, since two
//! readers could then see two tools.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};

use super::ToolContract;
use crate::{absent, provenance::Provenance, risk::RiskLevel};

/// What a model is shown of a tool, with the two bits that dispatch reads. Alone it is the
/// oldest form of a contract: declared, risk `high`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolSchema {
    /// The name that a call uses.
    pub name: String,
    /// What a model reads.
    #[serde(default)]
    pub description: String,
    /// JSON Schema 2020-12 of the input; its root is `type: object`.
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    pub input_schema: Value,
    /// Cannot change state.
    #[serde(default)]
    pub read_only: bool,
    /// May run twice before its step commits.
    #[serde(default)]
    pub speculation_safe: bool,
}

/// [`ToolSchema`], borrowed.
#[derive(Serialize)]
struct Definition<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
    read_only: bool,
    speculation_safe: bool,
}

/// The contract of one tool: what a model is shown of it, and the facts that decide about its calls.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ToolContract"))]
struct Written<'a> {
    /// Revision of this contract, from 1.
    #[cfg_attr(
        feature = "schema",
        schemars(default = "absent::first_revision", range(min = 1))
    )]
    version: u32,
    /// What a model is shown.
    #[cfg_attr(feature = "schema", schemars(with = "ToolSchema"))]
    schema: Definition<'a>,
    /// How bad one honest call can be: policy input, a ceiling. It never asks a person. Of a
    /// declared contract at least `high` holds.
    #[cfg_attr(feature = "schema", schemars(default = "unstated_risk"))]
    risk: RiskLevel,
    /// A person must say yes to each call. The only field that asks.
    #[cfg_attr(feature = "schema", schemars(default))]
    requires_approval: bool,
    /// Where the contract came from: a claim, until whoever registers it decides.
    #[cfg_attr(feature = "schema", schemars(default = "unstated_provenance"))]
    provenance: &'a Provenance,
    /// JSON Schema 2020-12 of `data` of a success. Absent: the tool promises text only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Map<String, Value>>"))]
    output_schema: Option<&'a Value>,
    /// The events that a call may emit.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    events: &'a [String],
    /// The same call twice has the effect of one.
    #[serde(skip_serializing_if = "absent::is_false")]
    #[cfg_attr(feature = "schema", schemars(default))]
    idempotent: bool,
    /// Policy group, such as `file`.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    /// Reaches beyond the workspace.
    #[serde(skip_serializing_if = "absent::is_true")]
    #[cfg_attr(feature = "schema", schemars(default = "absent::yes"))]
    open_world: bool,
    /// What it changes, it only adds.
    #[serde(skip_serializing_if = "absent::is_false")]
    #[cfg_attr(feature = "schema", schemars(default))]
    additive: bool,
}

/// The facts beside the definition, as they are read in every form.
#[derive(Deserialize)]
struct Facts {
    #[serde(
        default = "absent::first_revision",
        deserialize_with = "absent::revision"
    )]
    version: u32,
    #[serde(default = "unstated_risk")]
    risk: RiskLevel,
    #[serde(default)]
    requires_approval: bool,
    #[serde(default = "unstated_provenance")]
    provenance: Provenance,
    #[serde(default)]
    output_schema: Option<Value>,
    #[serde(default)]
    events: Vec<String>,
    #[serde(default)]
    idempotent: bool,
    #[serde(default)]
    group: Option<String>,
    #[serde(default = "absent::yes")]
    open_world: bool,
    #[serde(default)]
    additive: bool,
}

fn unstated_risk() -> RiskLevel {
    RiskLevel::High
}

fn unstated_provenance() -> Provenance {
    Provenance::Declared
}

impl Serialize for ToolContract {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written {
            version: self.version,
            schema: Definition {
                name: &self.name,
                description: &self.description,
                input_schema: &self.input_schema,
                read_only: self.read_only,
                speculation_safe: self.speculation_safe,
            },
            risk: self.risk,
            requires_approval: self.requires_approval,
            provenance: &self.provenance,
            output_schema: self.output_schema.as_ref(),
            events: &self.events,
            idempotent: self.idempotent,
            group: self.group.as_deref(),
            open_world: self.open_world,
            additive: self.additive,
        }
        .serialize(serializer)
    }
}

/// Three forms are read: nested, as it is written; flat, with every field beside the others; and
/// the bare definition of a tool, which becomes declared with risk `high`.
impl<'de> Deserialize<'de> for ToolContract {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Map::deserialize(deserializer)?;
        let nested = fields.shift_remove("schema");
        if nested.is_some() && (fields.contains_key("name") || fields.contains_key("input_schema"))
        {
            return Err(D::Error::custom(
                "the tool is defined twice, under `schema` and beside it; keep one",
            ));
        }
        let definition = nested.unwrap_or_else(|| Value::Object(fields.clone()));
        // A list of contracts is refused whole, so the fault names its contract.
        let name = definition.get("name").and_then(Value::as_str);
        let place = name.map_or_else(String::new, |name| format!("contract of `{name}`: "));
        let refuse = |fault: serde_json::Error| D::Error::custom(format!("{place}{fault}"));
        let definition = ToolSchema::deserialize(definition).map_err(refuse)?;
        let facts = Facts::deserialize(Value::Object(fields)).map_err(refuse)?;
        Ok(Self {
            version: facts.version,
            name: definition.name,
            description: definition.description,
            input_schema: definition.input_schema,
            output_schema: facts.output_schema,
            group: facts.group,
            read_only: definition.read_only,
            speculation_safe: definition.speculation_safe,
            idempotent: facts.idempotent,
            additive: facts.additive,
            open_world: facts.open_world,
            risk: facts.risk,
            requires_approval: facts.requires_approval,
            events: facts.events,
            provenance: facts.provenance,
        })
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ToolContract {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ToolContract".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Written::json_schema(generator)
    }
}
