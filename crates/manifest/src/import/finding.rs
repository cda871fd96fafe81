//! What a person should know of a definition that was imported nevertheless.

use super::Subject;
use crate::text::describe;

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The definition; none for the list as a whole.
    pub subject: Option<Subject>,
    /// What was found.
    pub what: Oddity,
}

/// What is odd about a definition or a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum Oddity {
    /// A null where a key should be left out.
    #[error("`{pointer}` is null and counts as absent")]
    NullIsAbsent {
        /// JSON pointer into the definition.
        pointer: String,
    },
    /// A key that a contract has no place for.
    #[error("`{pointer}` has no place in a manifest and is not kept")]
    NotKept {
        /// JSON pointer into the definition.
        pointer: String,
    },
    /// Both places of a title are taken, and differ.
    #[error("`/annotations/title` differs from `/title` and is not kept")]
    TwoTitles,
    /// There is no description, or an empty one.
    #[error("there is no description, so a model cannot know what the tool is for")]
    NoDescription,
    /// A character that a reader does not see but a model does.
    #[error("`{pointer}` holds {}, which a reader does not see", describe(*.character))]
    HiddenCharacter {
        /// JSON pointer into the definition.
        pointer: String,
        /// The first such character.
        character: char,
    },
    /// The description speaks of parameters, the schema has none: a generator may have lost them.
    #[error("the description speaks of parameters, but the input schema declares none")]
    ParametersLost,
    /// Hints that cannot both hold.
    #[error("it claims to be read-only and destructive; neither claim is believed")]
    ClaimsContradict,
    /// The protocol advises against such a name.
    #[error("the name holds `{0}`, which the protocol advises against")]
    NameOutsideProtocol(char),
    /// The same definition is there more than once.
    #[error("it is served again, unchanged, as number {number} (line {line})")]
    ServedAgain {
        /// Number of the copy.
        number: usize,
        /// Its line.
        line: usize,
    },
    /// A page of the list is missing.
    #[error("the last page has a `nextCursor`: the list goes on behind what is here")]
    ListGoesOn,
    /// A message that says that the server refused.
    #[error("line {line}: a server answered with an error instead of a list: {message}")]
    ErrorResponse {
        /// Line of the message.
        line: usize,
        /// What the server said, shortened.
        message: String,
    },
}

/// Keys of a definition that the protocol has and a manifest has no place for.
const OF_PROTOCOL: [&str; 3] = ["/_meta", "/execution", "/icons"];

impl Oddity {
    /// Whether it is a key of the protocol that is not kept: nothing is odd about that for whoever
    /// asks what a server is like.
    #[must_use]
    pub fn is_of_protocol(&self) -> bool {
        matches!(self, Self::NotKept { pointer } if OF_PROTOCOL.contains(&pointer.as_str()))
    }

    /// A stable id, for programs.
    #[must_use]
    pub fn id(&self) -> &'static str {
        match self {
            Self::NullIsAbsent { .. } => "null-is-absent",
            Self::NotKept { .. } => "not-kept",
            Self::TwoTitles => "two-titles",
            Self::NoDescription => "no-description",
            Self::HiddenCharacter { .. } => "hidden-character",
            Self::ParametersLost => "parameters-lost",
            Self::ClaimsContradict => "claims-contradict",
            Self::NameOutsideProtocol(_) => "name-outside-protocol",
            Self::ServedAgain { .. } => "served-again",
            Self::ListGoesOn => "list-goes-on",
            Self::ErrorResponse { .. } => "error-response",
        }
    }
}
