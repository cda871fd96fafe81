//! The model providers whose idea of a tool differs from JSON Schema. Names only: what each
//! accepts is known to the schema crate.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a provider accepts as a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// OpenAI functions, `strict: false`.
    Openai,
    /// OpenAI functions, `strict: true`.
    OpenaiStrict,
    /// Anthropic tools.
    Anthropic,
    /// Gemini function declarations (`parameters`).
    Gemini,
}

impl Dialect {
    /// Every dialect, in the order of the docs.
    pub const ALL: [Self; 4] = [
        Self::Openai,
        Self::OpenaiStrict,
        Self::Anthropic,
        Self::Gemini,
    ];

    /// The token used in `toolcontract.toml` and in file names.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::OpenaiStrict => "openai-strict",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
