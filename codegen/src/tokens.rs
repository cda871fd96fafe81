//! Estimates how many tokens of a model a text takes.
//!
//! Loading the vocabulary takes longer than checking a catalog, so it is asked only for texts whose
//! estimate the lock does not have. The vocabulary is `cl100k`: the newer `o200k` counts schemas and
//! English the same within a few percent, and takes twice the memory and time.

/// The tokens of `text` in OpenAI's `cl100k` vocabulary; none in a build without the feature `tokens`.
#[must_use]
pub(crate) fn estimate(text: &[u8]) -> Option<u32> {
    #[cfg(feature = "tokens")]
    {
        let text = String::from_utf8_lossy(text);
        let count = bpe_openai::cl100k_base().count(&text);
        Some(u32::try_from(count).unwrap_or(u32::MAX))
    }
    #[cfg(not(feature = "tokens"))]
    {
        let _ = text;
        None
    }
}
