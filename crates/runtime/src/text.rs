//! Text of others on one short line, and errors with their causes.

pub(crate) use toolcontract_manifest::text::one_line;

/// An error with its causes.
#[cfg(feature = "mcp")]
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        // Many errors say what their cause says.
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}
