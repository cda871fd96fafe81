//! What kind of failure an error is: a class of a closed set, and beside it a code of an open one.
//!
//! Hosts act on these words, never on the text of a message.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The class of an error. A reader takes `other`, and every class that it does not know, as `internal`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The input is not what the contract says. The tool did not run.
    InvalidInput,
    /// The tool ran and its output is not what the contract says: a defect of the tool.
    InvalidOutput,
    /// No such tool, or no such thing for the tool to work on.
    NotFound,
    /// The system underneath refused: a file mode, a missing credential.
    PermissionDenied,
    /// A rule, a gate or a person refused. The tool did not run.
    RefusedByPolicy,
    /// The time limit passed.
    Timeout,
    /// Something outside the tool is missing or broken: a program, a network, a disk.
    Environment,
    /// A defect of the runtime or of the tool.
    #[default]
    Internal,
}

impl ErrorClass {
    /// Every class, in the order of the docs.
    pub const ALL: [Self; 8] = [
        Self::InvalidInput,
        Self::InvalidOutput,
        Self::NotFound,
        Self::PermissionDenied,
        Self::RefusedByPolicy,
        Self::Timeout,
        Self::Environment,
        Self::Internal,
    ];

    /// The token on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid_input",
            Self::InvalidOutput => "invalid_output",
            Self::NotFound => "not_found",
            Self::PermissionDenied => "permission_denied",
            Self::RefusedByPolicy => "refused_by_policy",
            Self::Timeout => "timeout",
            Self::Environment => "environment",
            Self::Internal => "internal",
        }
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErrorClass {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let token = String::deserialize(deserializer)?;
        Ok(Self::ALL
            .into_iter()
            .find(|class| class.as_str() == token)
            .unwrap_or_default())
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident => $token:literal, $class:ident;)+) => {
        /// What exactly failed, beside the class. An open set: a code that this version does not
        /// know is kept as it came.
        #[derive(Debug, Clone)]
        pub enum ErrorCode {
            $($(#[doc = $doc])+ $variant,)+
            /// A code that this version does not know. Equality goes by the text, so a known
            /// code in here is still that code.
            Other(String),
        }

        impl ErrorCode {
            /// Every code that has a name here.
            pub const KNOWN: &[Self] = &[$(Self::$variant),+];

            /// The token on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $token,)+
                    Self::Other(token) => token,
                }
            }

            /// The class that the code belongs to; of an unknown code `internal`.
            #[must_use]
            pub fn class(&self) -> ErrorClass {
                match self {
                    $(Self::$variant => ErrorClass::$class,)+
                    Self::Other(_) => ErrorClass::Internal,
                }
            }

            /// What the code says, in one sentence; empty for an unknown code.
            #[must_use]
            pub fn about(&self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($doc),+).trim_ascii(),)+
                    Self::Other(_) => "",
                }
            }
        }

        impl From<&str> for ErrorCode {
            fn from(token: &str) -> Self {
                match token {
                    $($token => Self::$variant,)+
                    _ => Self::Other(token.to_owned()),
                }
            }
        }
    };
}

codes! {
    /// No tool of that name is registered.
    UnknownTool => "unknown_tool", NotFound;
    /// The input is not JSON.
    MalformedJson => "malformed_json", InvalidInput;
    /// An object has the same key twice.
    DuplicateKey => "duplicate_key", InvalidInput;
    /// The input has too many bytes.
    TooLarge => "too_large", InvalidInput;
    /// The input is nested too deeply.
    TooDeep => "too_deep", InvalidInput;
    /// The input has too many values.
    TooManyNodes => "too_many_nodes", InvalidInput;
    /// An integer lies beyond 2^53 - 1, where JSON readers disagree about its value.
    UnsafeInteger => "unsafe_integer", InvalidInput;
    /// A pattern of the schema needed more steps than the limit allows.
    PatternLimit => "pattern_limit", InvalidInput;
    /// The contract promises `data` and the tool gave none.
    MissingData => "missing_data", InvalidOutput;
    /// The output has too many bytes.
    OutputTooLarge => "output_too_large", InvalidOutput;
    /// The operator switched the tool off, or nobody has adopted it as it is.
    ToolDisabled => "tool_disabled", RefusedByPolicy;
    /// A rule of the policy refused the call.
    DeniedByPolicy => "denied_by_policy", RefusedByPolicy;
    /// A gate refused the call.
    DeniedByGate => "denied_by_gate", RefusedByPolicy;
    /// A hook refused the call.
    DeniedByHook => "denied_by_hook", RefusedByPolicy;
    /// A rule, gate or hook could not be evaluated, which refuses the call.
    PolicyError => "policy_error", RefusedByPolicy;
    /// Two hooks rewrote the input differently.
    RewriteConflict => "rewrite_conflict", RefusedByPolicy;
    /// Nobody answered in time.
    ApprovalExpired => "approval_expired", RefusedByPolicy;
    /// What was approved is not what would run.
    ApprovalMismatch => "approval_mismatch", RefusedByPolicy;
    /// A person said no.
    ApprovalRefused => "approval_refused", RefusedByPolicy;
    /// There is nobody to ask.
    ApprovalUnanswerable => "approval_unanswerable", RefusedByPolicy;
    /// The approval was spent on another call.
    ApprovalSpent => "approval_spent", RefusedByPolicy;
    /// The session has asked too often.
    ApprovalLimit => "approval_limit", RefusedByPolicy;
    /// The definition of the tool changed since the caller saw it.
    DefinitionChanged => "definition_changed", RefusedByPolicy;
    /// The journal could not be written, and no call goes unrecorded.
    JournalUnavailable => "journal_unavailable", Environment;
    /// The call was cancelled.
    Cancelled => "cancelled", Environment;
    /// The host went away before it answered.
    HostGone => "host_gone", Environment;
    /// The call ran past its deadline.
    DeadlineExceeded => "deadline_exceeded", Timeout;
    /// The tool panicked.
    ToolPanicked => "tool_panicked", Internal;
}

impl PartialEq for ErrorCode {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for ErrorCode {}

impl std::hash::Hash for ErrorCode {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErrorCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|token| Self::from(token.as_str()))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ErrorCode {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ErrorCode".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let known: Vec<_> = Self::KNOWN
            .iter()
            .map(|code| schemars::json_schema!({ "const": code.as_str(), "description": code.about() }))
            .collect();
        schemars::json_schema!({
            "description": "What exactly failed, beside the class. An open set: take a code that you do not know by its class alone.",
            "anyOf": [{ "oneOf": known }, { "type": "string" }],
        })
    }
}
