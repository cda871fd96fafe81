//! What a contract must not say at once. Generation and registration ask this one function.

use crate::{contract::ToolContract, risk::RiskLevel};

/// Two facts of one contract that cannot both hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// A tool that may run twice unseen must not change anything.
    #[error("`speculation_safe` is set but `read_only` is not")]
    SpeculativeButMutating,
    /// A tool that changes nothing cannot be that dangerous.
    #[error("`read_only` is set but the risk is `{0}`, above `medium`")]
    ReadOnlyButDangerous(RiskLevel),
    /// What only adds can be undone by taking it away.
    #[error("`additive` is set but the risk is `destructive`")]
    AdditiveButDestructive,
    /// Arguments are named, so the input is an object.
    #[error("the input schema does not have `type: object` at its root")]
    InputNotAnObject,
    /// An event that no manifest declares.
    #[error("event `{0}` is not declared")]
    UndeclaredEvent(String),
}

impl Contradiction {
    /// The lint rule of the same fault.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            Self::SpeculativeButMutating => "speculation-safe-but-mutating",
            Self::ReadOnlyButDangerous(_) => "read-only-but-dangerous",
            Self::AdditiveButDestructive => "additive-but-destructive",
            Self::InputNotAnObject => "input-not-an-object",
            Self::UndeclaredEvent(_) => "undeclared-event",
        }
    }
}

/// Everything that `contract` says against itself; `is_declared` tells whether an event name is known.
///
/// Effective values are compared, so a claim of an untrusted contract contradicts nothing: it buys nothing either.
#[must_use]
pub fn contradictions(
    contract: &ToolContract,
    is_declared: impl Fn(&str) -> bool,
) -> Vec<Contradiction> {
    let mut found = Vec::new();
    if contract.speculation_safe && !contract.read_only {
        found.push(Contradiction::SpeculativeButMutating);
    }
    if contract.trusted_read_only() && contract.effective_risk() > RiskLevel::Medium {
        found.push(Contradiction::ReadOnlyButDangerous(
            contract.effective_risk(),
        ));
    }
    if contract.additive && contract.risk == RiskLevel::Destructive {
        found.push(Contradiction::AdditiveButDestructive);
    }
    if contract.input_schema.get("type").and_then(|t| t.as_str()) != Some("object") {
        found.push(Contradiction::InputNotAnObject);
    }
    found.extend(
        contract
            .events
            .iter()
            .filter(|event| !is_declared(event))
            .map(|event| Contradiction::UndeclaredEvent(event.clone())),
    );
    found
}
