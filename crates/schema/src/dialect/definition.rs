//! A tool as an element of a provider's request field `tools`.

use serde_json::{Value, json};

use super::{Dialect, Lowered};

/// The tool that a provider of `dialect` calls `alias`: of Gemini an element of
/// `functionDeclarations`, of the others one of `tools`. The order of the members is fixed.
#[must_use]
pub fn definition(alias: &str, description: &str, lowered: &Lowered, dialect: Dialect) -> Value {
    let schema = &lowered.schema;
    match dialect {
        Dialect::Openai | Dialect::OpenaiStrict => json!({
            "type": "function",
            "name": alias,
            "description": description,
            "parameters": schema,
            "strict": lowered.strict,
        }),
        Dialect::Anthropic => json!({
            "name": alias,
            "description": description,
            "input_schema": schema,
        }),
        Dialect::Gemini => json!({
            "name": alias,
            "description": description,
            "parameters": schema,
        }),
    }
}
