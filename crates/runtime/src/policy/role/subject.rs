//! Whom a role or a rule is for: a label, every principal of a kind, or everybody.

use toolcontract_protocol::Principal;

/// A principal as a policy names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Everybody.
    Everybody,
    /// Every principal of a kind.
    Every(Kind),
    /// The person whose session it is.
    User,
    /// One principal of a kind.
    One(Kind, String),
}

/// The kinds of principals that have ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Role,
    SubAgent,
    Host,
    Plugin,
}

impl Kind {
    const ALL: [(&'static str, Self); 4] = [
        ("role", Self::Role),
        ("subagent", Self::SubAgent),
        ("host", Self::Host),
        ("plugin", Self::Plugin),
    ];
}

fn parts(principal: &Principal) -> Option<(Kind, &str)> {
    match principal {
        Principal::User => None,
        Principal::Role(id) => Some((Kind::Role, id)),
        Principal::SubAgent { id, .. } => Some((Kind::SubAgent, id)),
        Principal::Host(id) => Some((Kind::Host, id)),
        Principal::Plugin(id) => Some((Kind::Plugin, id)),
    }
}

impl Subject {
    /// Reads a label, `KIND:*`, or `*`; none for anything else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "*" => return Some(Self::Everybody),
            "user" => return Some(Self::User),
            _ => {}
        }
        let (word, id) = text.split_once(':')?;
        let (_, kind) = Kind::ALL.into_iter().find(|(name, _)| *name == word)?;
        match id {
            "" => None,
            "*" => Some(Self::Every(kind)),
            id => Some(Self::One(kind, id.to_owned())),
        }
    }

    /// Whether `principal` itself is meant, without those that it acts for.
    pub(crate) fn is(&self, principal: &Principal) -> bool {
        match self {
            Self::Everybody => true,
            Self::User => *principal == Principal::User,
            Self::Every(kind) => parts(principal).is_some_and(|(of, _)| of == *kind),
            Self::One(kind, id) => parts(principal) == Some((*kind, id)),
        }
    }

    /// Whether only sub-agents are meant.
    pub(crate) fn is_sub_agent(&self) -> bool {
        matches!(
            self,
            Self::Every(Kind::SubAgent) | Self::One(Kind::SubAgent, _)
        )
    }

    /// Whether everybody whom `other` means is meant here too.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Everybody, _) => true,
            (Self::Every(kind), Self::Every(of) | Self::One(of, _)) => kind == of,
            _ => self == other,
        }
    }

    /// Somebody who is meant. A sub-agent is one of the user.
    pub(crate) fn example(&self) -> Principal {
        let of = |kind: Kind, id: &str| match kind {
            Kind::Role => Principal::Role(id.to_owned()),
            Kind::SubAgent => Principal::User.spawn(id),
            Kind::Host => Principal::Host(id.to_owned()),
            Kind::Plugin => Principal::Plugin(id.to_owned()),
        };
        match self {
            Self::Everybody | Self::User => Principal::User,
            Self::Every(kind) => of(*kind, "example"),
            Self::One(kind, id) => of(*kind, id),
        }
    }
}
