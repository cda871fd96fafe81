//! Digests over canonical JSON (RFC 8785), so that key order and spelling of numbers do not matter.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// SHA-256 of the canonical JSON of `value`, lower-case hex.
///
/// # Errors
/// When `value` has no JSON form.
pub fn digest<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    Ok(hex(&serde_jcs::to_vec(value)?))
}

/// SHA-256 of `bytes`, lower-case hex.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(bytes)
        .iter()
        .fold(String::with_capacity(64), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
}
