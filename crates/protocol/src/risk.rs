//! How bad one honest call can be. A ceiling for policies; it never asks a person.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// How bad one honest call of a tool can be.
///
/// Ordered from `low` to `destructive`. Policy input only: the one contract field that asks a
/// person is `requires_approval`. Where a peer sends it, an unknown token is `destructive`;
/// where a person wrote it, it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RiskLevel {
    /// Observes, or touches only state that ends with the session.
    Low,
    /// Bounded and undoable, metered, or a command that the repository declares.
    Medium,
    /// Leaves the workspace, spends money, or has no bound.
    High,
    /// The agent cannot undo it.
    Destructive,
}

impl RiskLevel {
    /// Every level, from the mildest to the worst.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Destructive];

    /// The token used on every wire and in every manifest.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Destructive => "destructive",
        }
    }

    /// The level that `token` names exactly, or none.
    #[must_use]
    pub fn from_token(token: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == token)
    }

    /// Whether a policy with this `ceiling` covers the level.
    #[must_use]
    pub fn within(self, ceiling: Self) -> bool {
        self <= ceiling
    }

    /// For `#[serde(deserialize_with)]`: refuses an unknown token. Used wherever a person wrote the text.
    ///
    /// # Errors
    /// When the text is not one of the four tokens.
    pub fn strict<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        let token = String::deserialize(deserializer)?;
        match Self::from_token(&token) {
            Some(level) => Ok(Some(level)),
            None => Err(D::Error::custom(format!(
                "unknown risk `{token}`, expected `low`, `medium`, `high` or `destructive`"
            ))),
        }
    }
}

impl<'de> Deserialize<'de> for RiskLevel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let token = String::deserialize(deserializer)?;
        Ok(Self::from_token(&token).unwrap_or(Self::Destructive))
    }
}

impl fmt::Display for RiskLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
