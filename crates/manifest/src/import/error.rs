//! Why a whole text is refused.

/// Why nothing of a text can be imported. Lines and columns count from 1; columns count characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// More text than is read.
    #[error("more than {limit} bytes; import it in parts")]
    TooLarge {
        /// [`super::MAX_BYTES`].
        limit: usize,
    },
    /// The bytes are no UTF-8.
    #[error("not UTF-8 from byte {offset} on; save it as UTF-8")]
    NotUtf8 {
        /// From 0.
        offset: usize,
    },
    /// Nothing is there.
    #[error("there is nothing in it")]
    Empty,
    /// The text is no JSON, or TOML for a schema.
    #[error("line {line}, column {column}: {reason}")]
    Unreadable {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// What the parser says.
        reason: String,
    },
    /// An envelope has the same key twice: which of the two is meant cannot be known.
    #[error("line {line}: the key `{key}` is there twice around the list")]
    DuplicateKey {
        /// The line where the envelope starts.
        line: usize,
        /// The key.
        key: String,
    },
    /// `tools` is there and is no list.
    #[error("line {line}: `tools` is {got}, not a list")]
    NotAList {
        /// The line.
        line: usize,
        /// The JSON type.
        got: &'static str,
    },
    /// No value of the text holds tools.
    #[error(
        "line {line}: {found}; expected what `tools/list` answers: its result, the JSON-RPC message around it, or the list itself"
    )]
    NoList {
        /// The line of the first value.
        line: usize,
        /// What is there instead.
        found: String,
    },
    /// More tools than are read.
    #[error("more than {limit} tools; import them in parts")]
    TooMany {
        /// [`super::MAX_TOOLS`].
        limit: usize,
    },
}
