//! Opening a served session or turn: what a host sends, what it gets back.
//!
//! A host sends the contracts of its tools with it, so that every call can be decided from
//! contract facts alone. What only the engine reads (messages, budget, goal) is kept as it came.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::{contract::ToolContract, principal::Principal};

/// Body that opens a session or a turn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionSpec {
    /// The model provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_id: Option<String>,
    /// On whose behalf the session runs; an id that only the host can read. It becomes the
    /// principal `host:ID`, never another kind, whatever it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub principal: Option<String>,
    /// The tools that the host runs. A contract from here is declared, whatever it claims.
    #[serde(default)]
    pub tools: Vec<ToolContract>,
    /// Who answers when a call needs a person.
    #[serde(default, skip_serializing_if = "Approvals::is_refuse")]
    pub approvals: Approvals,
    /// How many model calls a turn may make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u64>,
    /// How long the host may take for one answer, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverse_request_timeout_ms: Option<u64>,
    /// How long a person may take for one answer, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_timeout_ms: Option<u64>,
    /// What only the engine reads.
    #[serde(flatten)]
    pub engine: Map<String, Value>,
}

/// The principal id of a host that names none.
pub const DEFAULT_HOST: &str = "host";

impl SessionSpec {
    /// The principal of the session.
    #[must_use]
    pub fn caller(&self) -> Principal {
        Principal::Host(match self.principal.as_deref() {
            None | Some("") => DEFAULT_HOST.to_owned(),
            Some(id) => id.to_owned(),
        })
    }

    /// Brings the limits into their ranges and says which it changed.
    pub fn clamp(&mut self) -> Vec<Clamped> {
        let mut clamped = Vec::new();
        for (knob, value, range) in [
            ("max_steps", &mut self.max_steps, 1..=10_000),
            (
                "reverse_request_timeout_ms",
                &mut self.reverse_request_timeout_ms,
                1..=3_600_000,
            ),
            (
                "approval_timeout_ms",
                &mut self.approval_timeout_ms,
                1..=3_600_000,
            ),
        ] {
            let Some(requested) = *value else { continue };
            let effective = requested.clamp(*range.start(), *range.end());
            if effective != requested {
                *value = Some(effective);
                clamped.push(Clamped {
                    knob: knob.to_owned(),
                    requested,
                    effective,
                });
            }
        }
        clamped
    }
}

/// Who answers when a call needs a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Approvals {
    /// Nobody: such a call is refused.
    #[default]
    Refuse,
    /// The host asks its own people before it runs a tool whose contract says
    /// `requires_approval`. A question that comes from elsewhere is refused.
    Host,
    /// The session sends an `approval_request` and waits for the answer.
    Frame,
}

impl Approvals {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "the signature that serde asks for"
    )]
    fn is_refuse(&self) -> bool {
        *self == Self::Refuse
    }
}

/// An unknown word is `refuse`.
impl<'de> Deserialize<'de> for Approvals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match String::deserialize(deserializer)?.as_str() {
            "host" => Self::Host,
            "frame" => Self::Frame,
            _ => Self::Refuse,
        })
    }
}

/// A limit that was brought into its range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clamped {
    /// The key.
    pub knob: String,
    /// What the host asked for.
    pub requested: u64,
    /// What holds.
    pub effective: u64,
}

/// Answer to a body that opened a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionCreated {
    /// Names the session in every further request.
    pub session_id: String,
    /// Limits that were brought into their ranges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clamped: Vec<Clamped>,
}

/// Answer to a question about a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionState {
    /// Names the session.
    pub session_id: String,
    /// The turn that runs, where one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// Answer to a body that opened a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnCreated {
    /// Names the turn in every further request.
    pub turn_id: String,
    /// Limits that were brought into their ranges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clamped: Vec<Clamped>,
}

/// Answer to a request that was taken and has nothing else to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Accepted {
    /// It was taken.
    Ok,
}

/// Answer to a request that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RequestError {
    /// What is wrong with it, in words.
    pub error: String,
    /// What is wrong with it, as a word to act on. An open set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}
