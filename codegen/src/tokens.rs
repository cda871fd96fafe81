//! Estimates how many tokens of a model a text takes.
//!
//! Loading the vocabulary takes longer than generating a catalog, so it is asked only for texts
//! whose estimate the lock does not have.

/// The tokens of `text` in OpenAI's `o200k` vocabulary; none in a build without the feature `tokens`.
#[must_use]
pub(crate) fn estimate(text: &[u8]) -> Option<u32> {
    #[cfg(feature = "tokens")]
    {
        let text = String::from_utf8_lossy(text);
        let count = bpe_openai::o200k_base().count(&text);
        Some(u32::try_from(count).unwrap_or(u32::MAX))
    }
    #[cfg(not(feature = "tokens"))]
    {
        let _ = text;
        None
    }
}
