//! One answer to one call, and where it came from.

use toolcontract_protocol::{AuthzEvalError, Decision};

use super::gate::Evaluation;

/// Where an answer came from. The order is the order of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// What the operator of the program set. Its denial is final.
    Operator,
    /// A gate.
    Gate,
    /// A hook in the program.
    Hook,
    /// A hook that is a command.
    ShellHook,
    /// The contract's own `requires_approval`.
    Contract,
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Where it came from.
    pub source: Source,
    /// Who gave it: the gate's or hook's name.
    pub name: String,
    /// The answer and its rules.
    pub evaluation: Evaluation,
}

impl Answer {
    /// A total order of answers, so that neither a verdict nor a trace depends on who was asked
    /// first.
    pub(super) fn order(&self, other: &Self) -> std::cmp::Ordering {
        (self.source, &self.name)
            .cmp(&(other.source, &other.name))
            // Only answers of two gates with one name come this far.
            .then_with(|| format!("{:?}", self.evaluation).cmp(&format!("{:?}", other.evaluation)))
    }
}

/// How much an answer weighs: the heaviest decides.
///
/// The one order of the whole runtime: operator deny > error > deny > ask > allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// Nothing against it.
    Allow,
    /// A person must say yes.
    Ask,
    /// No.
    Deny,
    /// Could not be decided, which is no.
    Error,
    /// The operator's no.
    OperatorDeny,
}

impl Rank {
    /// Every rank, from the lightest.
    pub const ALL: [Self; 5] = [
        Self::Allow,
        Self::Ask,
        Self::Deny,
        Self::Error,
        Self::OperatorDeny,
    ];

    /// The rank of an answer.
    #[must_use]
    pub fn of(source: Source, result: &Result<Decision, AuthzEvalError>) -> Self {
        match result {
            Ok(Decision::Allow) => Self::Allow,
            Ok(Decision::RequireApproval { .. }) => Self::Ask,
            Ok(Decision::Deny { .. }) if source == Source::Operator => Self::OperatorDeny,
            Ok(Decision::Deny { .. }) => Self::Deny,
            Err(_) => Self::Error,
        }
    }

    /// The heavier of two. Commutative, associative, idempotent; `Allow` changes nothing.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        self.max(other)
    }
}
