//! Names that cannot be guessed.

/// 128 random bits, as text. None when the system has none.
pub(crate) fn nonce() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("{:032x}", u128::from_be_bytes(bytes)))
}
