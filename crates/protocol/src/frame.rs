//! What a served session sends, and what a host answers.
//!
//! Each frame is one JSON line of the event stream. Frames of a type that this version does not
//! know are kept as they came; a frame of a known type with the wrong shape is refused. Answers
//! are refused when they hold a key that does not belong there: a host cannot slip a principal
//! or a contract into the answer to a call.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::{Map, Value};

use crate::{
    approval::{AnswerWord, ApprovalAnswer, ApprovalRequest},
    event::EventEnvelope,
    output::ToolOutput,
    tool_request::ToolRequest,
};

/// One line of a session's event stream.
///
/// Skip a frame whose `type` you do not know: later versions add some.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServerFrame {
    /// Place in the stream, from 1, without gaps; also the id of the stream's entry. Only
    /// `replay_truncated` has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub seq: Option<u64>,
    /// What it says.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(with = "KnownFrame"))]
    pub frame: Frame,
}

/// What a frame says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Frame {
    /// A frame of a type that this version knows.
    Known(Box<KnownFrame>),
    /// Any other frame, as it came.
    Unknown(Map<String, Value>),
}

/// The frames that this version knows, by `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum KnownFrame {
    /// Something happened. May be dropped when the host reads too slowly.
    Event {
        /// What happened.
        event: FrameEvent,
    },
    /// The host is asked to run a tool. Answer with `ToolResultIn`.
    ToolRequest(ToolRequest),
    /// A person is asked, in sessions whose `approvals` is `frame`. Answer with `ApprovalAnswerIn`.
    ApprovalRequest {
        /// The question.
        request: ApprovalRequest,
        /// The input that would run; show it whole, or show its digest and length.
        input: Value,
    },
    /// The host is asked for a model's answer.
    ProviderRequest {
        /// Names the request within its turn; opaque.
        request_id: String,
        /// The provider.
        provider_id: String,
        /// What the model is asked as.
        role: String,
        /// The request.
        request: Value,
    },
    /// The turn is held.
    TurnHeld {
        /// Why; `null` where nobody said.
        #[cfg_attr(
            feature = "schema",
            schemars(required, extend("type" = ["string", "null"]))
        )]
        reason: Option<String>,
    },
    /// The turn goes on.
    TurnReleased {},
    /// The turn is over. The last frame of the stream.
    TurnComplete {
        /// How it ended.
        outcome: TurnOutcome,
    },
    /// Frames that were asked for are no longer kept. Has no `seq`.
    ReplayTruncated {
        /// After which frame the host asked to go on.
        requested_after: u64,
        /// The oldest frame that is still there.
        oldest_retained: u64,
    },
}

impl KnownFrame {
    /// The tokens of `type`.
    pub const TYPES: [&str; 8] = [
        "event",
        "tool_request",
        "approval_request",
        "provider_request",
        "turn_held",
        "turn_released",
        "turn_complete",
        "replay_truncated",
    ];
}

impl<'de> Deserialize<'de> for ServerFrame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Map::deserialize(deserializer)?;
        let seq = match fields.shift_remove("seq") {
            Some(seq) => Some(u64::deserialize(seq).map_err(D::Error::custom)?),
            None => None,
        };
        let Some(Value::String(kind)) = fields.get("type") else {
            return Err(D::Error::custom("a frame has a `type`"));
        };
        let frame = if KnownFrame::TYPES.contains(&kind.as_str()) {
            Frame::Known(Box::deserialize(Value::Object(fields)).map_err(D::Error::custom)?)
        } else {
            Frame::Unknown(fields)
        };
        Ok(Self { seq, frame })
    }
}

/// What an `event` frame tells: an event of the bus, or something that the agent did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FrameEvent {
    /// An event of the bus.
    Bus(EventEnvelope),
    /// Something that the agent did.
    Agent(AgentEvent),
}

/// Something that the agent did, such as `tool_start` or `file_change`. Its other keys depend on
/// `type` and are kept as they came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentEvent {
    /// What it did.
    #[serde(rename = "type")]
    pub kind: String,
    /// The other keys.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnOutcome {
    /// Whether it came to its end.
    pub status: TurnStatus,
    /// What else the engine says: text, cost, reason.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

/// Whether a turn came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnStatus {
    /// It did.
    Completed,
    /// It did not.
    Aborted,
}

/// An unknown status is `aborted`.
impl<'de> Deserialize<'de> for TurnStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match String::deserialize(deserializer)?.as_str() {
            "completed" => Self::Completed,
            _ => Self::Aborted,
        })
    }
}

/// Body of `tool-result`: the answer to a `tool_request`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ToolResultIn {
    /// The request that it answers.
    pub request_id: String,
    /// What the tool gave.
    pub output: ToolOutput,
}

/// Body of `approval-answer`: the answer to an `approval_request`. On the wire
/// `{"approval_id":...,"answer":"approve"}`, or `"deny"` with an optional `reason`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "ApprovalAnswerForm", into = "ApprovalAnswerForm")]
pub struct ApprovalAnswerIn {
    /// The question that it answers.
    pub approval_id: String,
    /// What the person said.
    pub answer: ApprovalAnswer,
    /// Who the person is, as the host knows them. Kept in the journal; decides nothing.
    pub answered_by: Option<String>,
}

/// Body of `approval-answer`: the answer to an `approval_request`.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct ApprovalAnswerForm {
    /// The question that it answers.
    approval_id: String,
    /// Yes or no.
    answer: AnswerWord,
    /// Why not, in the person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Who the person is, as the host knows them. Kept in the journal; decides nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered_by: Option<String>,
}

impl From<ApprovalAnswerForm> for ApprovalAnswerIn {
    fn from(form: ApprovalAnswerForm) -> Self {
        Self {
            approval_id: form.approval_id,
            answer: ApprovalAnswer::of(form.answer, form.reason),
            answered_by: form.answered_by,
        }
    }
}

impl From<ApprovalAnswerIn> for ApprovalAnswerForm {
    fn from(body: ApprovalAnswerIn) -> Self {
        let (answer, reason) = body.answer.into_parts();
        Self {
            approval_id: body.approval_id,
            answer,
            reason,
            answered_by: body.answered_by,
        }
    }
}

/// Body of `cancel`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CancelIn {
    /// Why. It becomes `reason` of the outcome, on one line and cut off after 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
