//! What contracts must not say at once. Generation and registration ask the same two functions:
//! [`contradictions`] of each contract, [`duplicates`] of all together.

use std::collections::{BTreeMap, btree_map::Entry};

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
/// Whether a tool that only reads can be dangerous is asked of effective values: of an untrusted
/// contract neither holds, so its claims contradict nothing there, and buy nothing either.
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

/// Two contracts that a call could mean.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the names `{first}` and `{second}` are one name to a file system or a person; rename one")]
pub struct DuplicateName {
    /// The name that came first.
    pub first: String,
    /// The name that equals it when ASCII case is folded.
    pub second: String,
}

/// Every name that equals an earlier one when ASCII case is folded.
#[must_use]
pub fn duplicates<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<DuplicateName> {
    let mut taken = BTreeMap::new();
    let mut found = Vec::new();
    for name in names {
        match taken.entry(name.to_ascii_lowercase()) {
            Entry::Vacant(free) => {
                free.insert(name);
            }
            Entry::Occupied(first) => found.push(DuplicateName {
                first: (*first.get()).to_owned(),
                second: name.to_owned(),
            }),
        }
    }
    found
}
