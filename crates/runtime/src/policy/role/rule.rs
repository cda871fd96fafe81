//! Roles and rules as they are evaluated.

use std::sync::Arc;

use toolcontract_protocol::{Principal, RiskLevel};

use super::{condition::Condition, select::Selection, subject::Subject};

/// A set of roles, one bit each.
pub(crate) type Roles = u128;

/// How many roles a policy may have: as many as [`Roles`] has bits.
pub(super) const MAX_ROLES: usize = 128;

/// A role.
#[derive(Debug, Clone)]
pub(crate) struct Role {
    pub(crate) name: String,
    pub(crate) ceiling: RiskLevel,
    pub(crate) subjects: Vec<Subject>,
    /// Line in the file, from 1.
    pub(crate) line: usize,
}

/// What a rule does to a call that it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Effect {
    /// It lets the call through.
    Allow,
    /// It lets the call through once a person said yes.
    Ask,
    /// It stops the call.
    Deny,
}

impl Effect {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// Whom a rule is for.
#[derive(Debug, Clone)]
pub(crate) struct For {
    pub(crate) roles: Roles,
    pub(crate) subjects: Vec<Subject>,
}

impl For {
    /// Whether the rule is for `principal`, who has `roles`.
    pub(crate) fn is(&self, principal: &Principal, roles: Roles) -> bool {
        self.roles & roles != 0 || self.subjects.iter().any(|subject| subject.is(principal))
    }
}

/// A rule.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) id: String,
    /// The id as a trace shows it.
    pub(crate) traced: Arc<str>,
    pub(crate) effect: Effect,
    pub(crate) who: For,
    pub(crate) selection: Selection,
    pub(crate) when: Option<Condition>,
    pub(crate) reason: String,
    /// Line in the file, from 1.
    pub(crate) line: usize,
    /// Where it stands in the file, as a JSON pointer.
    pub(crate) place: String,
}
