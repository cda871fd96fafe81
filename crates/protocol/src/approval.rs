//! Asking a person: the request, what it is bound to, the answer, how it ended.
//!
//! An approval is good for one call: exactly this definition, input, principal, policy and
//! surface, once, before it expires. Nothing here says yes by default: an answer that is not
//! understood is a no.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{principal::Principal, risk::RiskLevel};

/// The side from which a call came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CallSurface {
    /// The program that holds the registry.
    InProcess,
    /// A served session.
    Serve,
    /// An MCP client.
    Mcp,
}

/// Everything that an approval is good for. Any difference at launch refuses the call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApprovalBinding {
    /// SHA-256 of the tool's definition, lower-case hex.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub definition_digest: String,
    /// SHA-256 of the canonical input, lower-case hex.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub input_digest: String,
    /// Who asked for the call.
    pub principal: Principal,
    /// The policy that was in force.
    pub policy_revision: String,
    /// Where the call came in.
    pub surface: CallSurface,
    /// The session.
    pub session_id: String,
}

/// A question to a person. Payload of `approval.requested`; holds no input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApprovalRequest {
    /// Names the question; random, and spent by the first answer.
    pub approval_id: String,
    /// The call.
    pub call_id: String,
    /// The tool's canonical name.
    pub tool: String,
    /// Why a person is asked.
    pub reason: String,
    /// Who asks: `contract:requires_approval`, gates, hooks, rules.
    pub asked_by: Vec<String>,
    /// The effective risk of the tool, as a fact for the person.
    pub risk: RiskLevel,
    /// Whether the tool is trusted to change nothing, as a fact for the person.
    pub read_only: bool,
    /// What the approval would be good for.
    pub binding: ApprovalBinding,
    /// When the answer must be there, in UTC with milliseconds.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
    pub expires_at: String,
}

/// What a person answers. On the wire `{"answer":"approve"}` or `{"answer":"deny","reason"?}`;
/// any other answer is a no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApprovalAnswer {
    /// Yes, this once.
    Approve,
    /// No.
    Deny {
        /// Why, in the person's words.
        reason: Option<String>,
    },
}

#[derive(Serialize, Deserialize)]
struct AnswerForm {
    answer: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl Serialize for ApprovalAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (answer, reason) = match self {
            Self::Approve => ("approve", None),
            Self::Deny { reason } => ("deny", reason.clone()),
        };
        AnswerForm {
            answer: answer.to_owned(),
            reason,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ApprovalAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let AnswerForm { answer, reason } = AnswerForm::deserialize(deserializer)?;
        Ok(match answer.as_str() {
            "approve" => Self::Approve,
            _ => Self::Deny { reason },
        })
    }
}

/// How a question ended. Payload of `approval.granted`, `approval.denied` and `approval.expired`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApprovalResolved {
    /// The question.
    pub approval_id: String,
    /// The call.
    pub call_id: String,
    /// The tool's canonical name.
    pub tool: String,
    /// How it ended.
    pub resolution: ApprovalResolution,
    /// Who answered, as the channel that asked knows them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// What they said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How a question to a person ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ApprovalResolution {
    /// A person said yes.
    Granted,
    /// A person said no.
    Denied,
    /// Nobody answered in time.
    Expired,
    /// There was nobody to ask.
    Unanswerable,
}

/// An unknown word is `denied`.
impl<'de> Deserialize<'de> for ApprovalResolution {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match String::deserialize(deserializer)?.as_str() {
            "granted" => Self::Granted,
            "expired" => Self::Expired,
            "unanswerable" => Self::Unanswerable,
            _ => Self::Denied,
        })
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ApprovalAnswer {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ApprovalAnswer".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "What a person answers. Any other answer is a no.",
            "oneOf": [
                {
                    "type": "object",
                    "description": "Yes, this once.",
                    "required": ["answer"],
                    "properties": { "answer": { "const": "approve" } },
                },
                {
                    "type": "object",
                    "description": "No.",
                    "required": ["answer"],
                    "properties": {
                        "answer": { "const": "deny" },
                        "reason": { "type": "string", "description": "Why, in the person's words." },
                    },
                },
            ],
        })
    }
}
