//! Why one definition is quarantined.

use crate::text::describe;

/// Why one definition cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The definition is larger than a manifest may be.
    #[error("more than {limit} bytes, which is more than a manifest may hold")]
    TooLarge {
        /// In bytes.
        limit: usize,
    },
    /// Its text holds a key twice, a number that cannot be kept, too many levels, or no JSON.
    #[error("line {line}, column {column}: {reason}")]
    Unreadable {
        /// Line in the whole text, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
    /// Something else than an object.
    #[error("it is {got}, not an object")]
    NotAnObject {
        /// The JSON type.
        got: &'static str,
    },
    /// A key without which there is no tool.
    #[error("`{pointer}` is missing")]
    Missing {
        /// JSON pointer into the definition.
        pointer: &'static str,
    },
    /// A value of another type than the protocol has.
    #[error("`{pointer}` is {got}, not {expected}")]
    WrongType {
        /// JSON pointer into the definition.
        pointer: &'static str,
        /// What the protocol has there.
        expected: &'static str,
        /// The JSON type.
        got: &'static str,
    },
    /// The name is empty.
    #[error("the name is empty")]
    EmptyName,
    /// The name is longer than the protocol allows.
    #[error("the name has {got} characters; the protocol allows {limit}")]
    LongName {
        /// How many there are.
        got: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// The name holds a character that may look like another, or like none.
    #[error("the name holds {}; a name that only looks like another is refused", character(*.0))]
    NameCharacter(char),
    /// The root of the input is not said to be an object.
    #[error("`/inputSchema` does not say `type: object` at its root, so no call can fit it")]
    InputNotAnObject,
    /// A schema that is invalid, or refers to what is not there.
    #[error("`{pointer}`: {reason}")]
    Schema {
        /// JSON pointer into the definition.
        pointer: String,
        /// What is wrong there.
        reason: String,
    },
    /// Several different definitions have the name: a call could mean each of them.
    #[error("{} have this name and differ; a call could mean each of them", places(.0))]
    ServedTwice(Vec<(usize, usize)>),
    /// Two names of others would be one name here.
    #[error("`{other}` would have the same manifest `{name}`")]
    SameManifest {
        /// The name of the manifest.
        name: String,
        /// The other name as served.
        other: String,
    },
}

fn character(c: char) -> String {
    if c.is_ascii_graphic() || c == ' ' {
        format!("`{c}`")
    } else if crate::text::hidden(&format!("a{c}a")).is_some() {
        describe(c)
    } else {
        format!("U+{:04X} `{c}`", u32::from(c))
    }
}

fn places(places: &[(usize, usize)]) -> String {
    let all: Vec<String> = places
        .iter()
        .map(|(number, line)| format!("number {number} (line {line})"))
        .collect();
    all.join(" and ")
}
