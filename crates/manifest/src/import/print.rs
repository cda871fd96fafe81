//! A manifest as the text of a file: JSON, since TOML has no null.

use serde::Serialize;

/// The text of a manifest or a schema: two spaces, a final newline, keys in their own order.
#[must_use]
pub fn text<T: Serialize>(value: &T) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
