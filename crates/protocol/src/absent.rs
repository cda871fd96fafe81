//! Serde pieces for fields whose absence means something. Private to the crate.

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::Value;

/// The revision that a contract without one has.
pub(crate) fn first_revision() -> u32 {
    1
}

/// What holds unless it is denied.
pub(crate) fn yes() -> bool {
    true
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
pub(crate) fn is_false(value: &bool) -> bool {
    !*value
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
pub(crate) fn is_true(value: &bool) -> bool {
    *value
}

/// A revision counts from 1; 0 is refused.
pub(crate) fn revision<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        0 => Err(D::Error::custom("`version` counts from 1, found 0")),
        version => Ok(version),
    }
}

/// A value that is there, be it `null`: only a missing key reads as none.
pub(crate) fn present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Text that holds something.
pub(crate) fn filled<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Err(D::Error::custom("empty text where an id is needed"));
    }
    Ok(text)
}
