//! Why a decision came out as it did, rule by rule, as a value.
//!
//! The shape is Oxagen's (`resolve.ts`), but complete: a rule that did not match and a rule that
//! could not be evaluated are steps too, and the step that decided need not be the last.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize};

/// The trace of one decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// Every rule that was asked, in the order of asking.
    pub steps: Vec<TraceStep>,
    /// The step that decided; it is among the steps.
    pub decided_by: TraceStep,
}

/// One rule in a trace. Holds names of rules and fields, never a value of the input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceStep {
    /// The rule, such as `rule:no-secrets`, `ceiling:reader`, `contract:requires_approval`.
    pub rule: Arc<str>,
    /// What the rule says and what it met, in words.
    pub description: Cow<'static, str>,
    /// Whether this step decided. One step of a trace does.
    pub decided: bool,
    /// What the rule came to. Absent: it did not match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<StepOutcome>,
}

/// What a rule came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// It matched and lets the call through.
    Allow,
    /// It matched and refuses.
    Deny,
    /// It matched and asks a person.
    PendingApproval,
    /// It could not be evaluated.
    Error,
}

/// Lenient: `require_approval` is `pending_approval`, and an unknown word is `error`, which denies.
impl<'de> Deserialize<'de> for StepOutcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match String::deserialize(deserializer)?.as_str() {
            "allow" => Self::Allow,
            "deny" => Self::Deny,
            "pending_approval" | "require_approval" => Self::PendingApproval,
            _ => Self::Error,
        })
    }
}

impl Trace {
    /// A trace of which step `at` decided; no other step claims to. None when there is no such step.
    #[must_use]
    pub fn decided(mut steps: Vec<TraceStep>, at: usize) -> Option<Self> {
        for (index, step) in steps.iter_mut().enumerate() {
            step.decided = index == at;
        }
        let decided_by = steps.get(at)?.clone();
        Some(Self { steps, decided_by })
    }
}

impl TraceStep {
    /// A rule that did not match.
    #[must_use]
    pub fn miss(rule: impl Into<Arc<str>>, description: impl Into<Cow<'static, str>>) -> Self {
        Self {
            rule: rule.into(),
            description: description.into(),
            decided: false,
            outcome: None,
        }
    }

    /// A rule that came to something.
    #[must_use]
    pub fn came_to(
        outcome: StepOutcome,
        rule: impl Into<Arc<str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            outcome: Some(outcome),
            ..Self::miss(rule, description)
        }
    }
}
