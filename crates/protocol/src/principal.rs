//! Who asks for a call.
//!
//! Ids are opaque: nothing here looks inside one, and two principals of different kinds are never
//! equal, whatever their ids. A principal is made by a surface from its authenticated side; no
//! message of a call may carry one. Refuses a label of an unknown kind, an empty id, and a
//! sub-agent without the principal that it acts for.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Who asks for a call.
///
/// Written as its label (`user`, `role:x`, `host:x`, `plugin:x`). A sub-agent is written as
/// `{"label":"subagent:x","parent":...}`, because its label alone would not say what it may do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Principal {
    /// The person whose session it is.
    User,
    /// A role of a pipeline, such as `reviewer`.
    Role(String),
    /// An agent that another principal started. Its authority is its own and its parent's
    /// together: what either may not do, it may not do.
    SubAgent {
        /// Its id.
        id: String,
        /// Who started it.
        parent: Box<Self>,
    },
    /// Whoever a host says it is; only the host knows what the id means.
    Host(String),
    /// A plugin.
    Plugin(String),
}

/// How long a chain of sub-agents may be where one is read.
pub const MAX_LINEAGE: usize = 16;

impl Principal {
    /// A sub-agent that this principal starts.
    #[must_use]
    pub fn spawn(&self, id: impl Into<String>) -> Self {
        Self::SubAgent {
            id: id.into(),
            parent: Box::new(self.clone()),
        }
    }

    /// The label, kind before id. Not escaped: an id is text of others. For people use `Display`.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::User => "user".to_owned(),
            Self::Role(id) => format!("role:{id}"),
            Self::SubAgent { id, .. } => format!("subagent:{id}"),
            Self::Host(id) => format!("host:{id}"),
            Self::Plugin(id) => format!("plugin:{id}"),
        }
    }

    /// The principal itself, then each one that it acts for, up to the one that nobody started.
    pub fn lineage(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |principal| match principal {
            Self::SubAgent { parent, .. } => Some(parent.as_ref()),
            Self::User | Self::Role(_) | Self::Host(_) | Self::Plugin(_) => None,
        })
    }
}

/// The label on one line: control, invisible and bidirectional characters are escaped.
impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for c in self.label().chars() {
            match c {
                '\'' | '"' | '\\' => f.write_char(c)?,
                _ => write!(f, "{}", c.escape_debug())?,
            }
        }
        Ok(())
    }
}

/// A label that names no principal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PrincipalError {
    /// No kind that is known.
    #[error("`{0}` names no principal: write `user`, `role:ID`, `host:ID` or `plugin:ID`")]
    UnknownKind(String),
    /// A kind without an id.
    #[error("`{0}` has no id behind the colon")]
    NoId(String),
    /// A sub-agent without its parent.
    #[error("`{0}` is a sub-agent: write it as an object with its `label` and its `parent`")]
    NoParent(String),
    /// An object whose label is another kind's.
    #[error("`{0}` has a parent but is no sub-agent")]
    NotASubAgent(String),
    /// A chain of sub-agents that is too long.
    #[error("more than {MAX_LINEAGE} principals act for each other")]
    TooLong,
}

fn from_label(label: &str) -> Result<Principal, PrincipalError> {
    if label == "user" {
        return Ok(Principal::User);
    }
    match label.split_once(':') {
        Some(("subagent", _)) => Err(PrincipalError::NoParent(label.to_owned())),
        Some(("role" | "host" | "plugin", "")) => Err(PrincipalError::NoId(label.to_owned())),
        Some(("role", id)) => Ok(Principal::Role(id.to_owned())),
        Some(("host", id)) => Ok(Principal::Host(id.to_owned())),
        Some(("plugin", id)) => Ok(Principal::Plugin(id.to_owned())),
        _ => Err(PrincipalError::UnknownKind(label.to_owned())),
    }
}

fn sub_agent(label: &str, parent: Principal) -> Result<Principal, PrincipalError> {
    if parent.lineage().nth(MAX_LINEAGE - 1).is_some() {
        return Err(PrincipalError::TooLong);
    }
    match label.split_once(':') {
        Some(("subagent", "")) => Err(PrincipalError::NoId(label.to_owned())),
        Some(("subagent", id)) => Ok(parent.spawn(id)),
        _ => Err(PrincipalError::NotASubAgent(label.to_owned())),
    }
}

impl std::str::FromStr for Principal {
    type Err = PrincipalError;

    /// Reads a label. A sub-agent has no form as one label.
    fn from_str(label: &str) -> Result<Self, Self::Err> {
        from_label(label)
    }
}

/// An agent that another principal started.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SubAgentPrincipal"))]
#[serde(deny_unknown_fields)]
struct SubAgent {
    /// `subagent:` and its id.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^subagent:[\s\S]+$")))]
    label: String,
    /// Who started it. What the parent may not do, it may not do.
    parent: Principal,
}

impl Serialize for Principal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::SubAgent { parent, .. } => SubAgent {
                label: self.label(),
                parent: parent.as_ref().clone(),
            }
            .serialize(serializer),
            Self::User | Self::Role(_) | Self::Host(_) | Self::Plugin(_) => {
                serializer.serialize_str(&self.label())
            }
        }
    }
}

impl<'de> Deserialize<'de> for Principal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(
            untagged,
            expecting = "a principal's label, or a sub-agent with `label` and `parent`"
        )]
        enum Form {
            Label(String),
            SubAgent(SubAgent),
        }
        match Form::deserialize(deserializer)? {
            Form::Label(label) => from_label(&label),
            Form::SubAgent(SubAgent { label, parent }) => sub_agent(&label, parent),
        }
        .map_err(D::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Principal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Principal".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let sub_agent = generator.subschema_for::<SubAgent>();
        schemars::json_schema!({
            "description": "Who asks for a call: a label (`user`, `role:ID`, `host:ID`, `plugin:ID`), or a sub-agent with the principal that it acts for.",
            "anyOf": [
                { "type": "string", "pattern": r"^(user|(role|host|plugin):[\s\S]+)$" },
                sub_agent,
            ],
        })
    }
}
