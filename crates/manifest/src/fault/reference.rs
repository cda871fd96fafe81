//! Faults of `$ref`s that name files.

use std::{ops::Range, sync::Arc};

use super::quote;
use crate::{diagnostic::Diagnostic, document::Document, nearest::nearest};

/// `reference-leaves-manifests`.
pub const REFERENCE_LEAVES_MANIFESTS: &str = "reference-leaves-manifests";
/// `reference-to-missing-file`.
pub const REFERENCE_TO_MISSING_FILE: &str = "reference-to-missing-file";
/// `reference-cycle`.
pub const REFERENCE_CYCLE: &str = "reference-cycle";
/// `unresolved-reference`.
pub const UNRESOLVED_REFERENCE: &str = "unresolved-reference";

/// The reference names the network, or a file elsewhere.
#[must_use]
pub fn reference_leaves_manifests(
    document: &Arc<Document>,
    span: Range<usize>,
    reference: &str,
) -> Diagnostic {
    Diagnostic::error(
        REFERENCE_LEAVES_MANIFESTS,
        document,
        span,
        format!("{} leaves the manifests", quote(reference)),
    )
    .help("no network reference is followed and no other folder read; copy the schema to `manifests/types/`")
}

/// There is no such file. `files` are those that there are.
#[must_use]
pub fn reference_to_missing_file(
    document: &Arc<Document>,
    span: Range<usize>,
    file: &str,
    files: &[&str],
) -> Diagnostic {
    let help = match nearest(file, files.iter().copied()) {
        Some(near) => format!("did you mean {}?", quote(near)),
        None => "a reference is relative to `manifests/`, such as `types/page.toml`".to_owned(),
    };
    Diagnostic::error(
        REFERENCE_TO_MISSING_FILE,
        document,
        span,
        format!("there is no {} in `manifests/`", quote(file)),
    )
    .help(help)
}

/// Following references from here leads back here without entering a property or an item.
#[must_use]
pub fn reference_cycle(
    document: &Arc<Document>,
    span: Range<usize>,
    reference: &str,
) -> Diagnostic {
    Diagnostic::error(
        REFERENCE_CYCLE,
        document,
        span,
        format!(
            "{} leads back to this schema and says nothing on the way",
            quote(reference)
        ),
    )
    .help("a schema may hold itself in a property or an item, but not be itself; break the circle")
}

/// A reference that does not resolve, found while schemas are bundled.
#[must_use]
pub fn unresolved_reference(
    document: &Arc<Document>,
    span: Range<usize>,
    message: impl Into<String>,
) -> Diagnostic {
    Diagnostic::error(UNRESOLVED_REFERENCE, document, span, message)
}
