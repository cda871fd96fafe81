//! Where a contract came from, which decides what its claims are worth.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Where a contract came from. Assigned by whoever loads it, never read from its content.
///
/// On the wire it is one token, `builtin` or `declared`; an adopted contract is written
/// `declared`, since the digest means nothing to a peer. Reading yields a claim: an unknown
/// token is `Declared`, and registration assigns the real value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// Reviewed code of the program that registers it.
    Builtin,
    /// A person adopted exactly this definition.
    Adopted {
        /// SHA-256 of the adopted definition, lower-case hex.
        digest: String,
    },
    /// A script, a server or a host says so. Its claims buy nothing.
    Declared,
}

impl Provenance {
    /// Whether claims of the contract may be relied on.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        match self {
            Self::Builtin | Self::Adopted { .. } => true,
            Self::Declared => false,
        }
    }

    /// The wire token.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Adopted { .. } | Self::Declared => "declared",
        }
    }
}

impl Serialize for Provenance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Provenance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match String::deserialize(deserializer)?.as_str() {
            "builtin" => Self::Builtin,
            _ => Self::Declared,
        })
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Provenance {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Provenance".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "Where a contract came from. A claim on the wire; an unknown token reads as `declared`.",
            "enum": ["builtin", "declared"],
        })
    }
}
