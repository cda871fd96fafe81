//! What a gate answers, and what an evaluation came to.
//!
//! An evaluation that failed is no decision: it has its own type, so that no setting which
//! softens a denial can reach it. Text with an unknown `action` is refused for the same reason;
//! a reader turns that refusal into [`AuthzEvalError`], never into a decision.

use serde::{Deserialize, Serialize};

/// What an authorization gate answers about one call.
///
/// Shared by operator policy, gates and hooks. It has no further variant and no fallback:
/// a reader that meets an unknown `action` fails to evaluate, and a failed evaluation denies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Decision {
    /// Nothing against it.
    Allow,
    /// The call must not run.
    Deny {
        /// Why, for the caller.
        reason: String,
    },
    /// A person must say yes first.
    RequireApproval {
        /// Why, for that person.
        reason: String,
    },
}

impl Decision {
    /// A denial.
    #[must_use]
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny {
            reason: reason.into(),
        }
    }

    /// A question to a person.
    #[must_use]
    pub fn require_approval(reason: impl Into<String>) -> Self {
        Self::RequireApproval {
            reason: reason.into(),
        }
    }

    /// The token of `action`.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny { .. } => "deny",
            Self::RequireApproval { .. } => "require_approval",
        }
    }
}

/// A gate could not decide: its store was down, a rule met a value of the wrong type, it panicked
/// or overran its deadline. Denies the call, whatever any setting says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[error("gate `{gate}` could not decide: {detail}")]
pub struct AuthzEvalError {
    /// The gate that failed.
    pub gate: String,
    /// What went wrong. Never a value of the input.
    pub detail: String,
}

/// What an evaluation came to, failures among it: the form that journals and events keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// The call may run.
    Allow,
    /// The call must not run.
    Deny {
        /// Why.
        reason: String,
    },
    /// A person must say yes first.
    RequireApproval {
        /// Why.
        reason: String,
    },
    /// The evaluation failed, which denies.
    Error(AuthzEvalError),
}

impl From<Result<Decision, AuthzEvalError>> for Verdict {
    fn from(evaluation: Result<Decision, AuthzEvalError>) -> Self {
        match evaluation {
            Ok(Decision::Allow) => Self::Allow,
            Ok(Decision::Deny { reason }) => Self::Deny { reason },
            Ok(Decision::RequireApproval { reason }) => Self::RequireApproval { reason },
            Err(error) => Self::Error(error),
        }
    }
}
