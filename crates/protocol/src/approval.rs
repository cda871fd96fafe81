//! Asking a person: the request, what it is bound to, the answer, how it ended.
//!
//! An approval is good for one call: exactly this definition, input, principal, policy and
//! surface, once, before it expires. Nothing here says yes by default: an answer that is not
//! understood is a no.

use serde::{Deserialize, Deserializer, Serialize};

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "AnswerForm", into = "AnswerForm")]
pub enum ApprovalAnswer {
    /// Yes, this once.
    Approve,
    /// No.
    Deny {
        /// Why, in the person's words.
        reason: Option<String>,
    },
}

/// The word of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum AnswerWord {
    /// Yes, this once.
    Approve,
    /// No. So is any other word.
    Deny,
}

impl<'de> Deserialize<'de> for AnswerWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match String::deserialize(deserializer)?.as_str() {
            "approve" => Self::Approve,
            _ => Self::Deny,
        })
    }
}

impl ApprovalAnswer {
    pub(crate) fn of(word: AnswerWord, reason: Option<String>) -> Self {
        match word {
            AnswerWord::Approve => Self::Approve,
            AnswerWord::Deny => Self::Deny { reason },
        }
    }

    pub(crate) fn into_parts(self) -> (AnswerWord, Option<String>) {
        match self {
            Self::Approve => (AnswerWord::Approve, None),
            Self::Deny { reason } => (AnswerWord::Deny, reason),
        }
    }
}

/// What a person answers.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AnswerForm {
    /// Yes or no.
    answer: AnswerWord,
    /// Why not, in the person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl From<AnswerForm> for ApprovalAnswer {
    fn from(form: AnswerForm) -> Self {
        Self::of(form.answer, form.reason)
    }
}

impl From<ApprovalAnswer> for AnswerForm {
    fn from(answer: ApprovalAnswer) -> Self {
        let (answer, reason) = answer.into_parts();
        Self { answer, reason }
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
