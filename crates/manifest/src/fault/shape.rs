//! Faults of what a file states: keys and values that its kind does not have.

use std::{ops::Range, sync::Arc};

use super::{alternatives, quote, text::NUMBER_OUT_OF_RANGE};
use crate::{diagnostic::Diagnostic, document::Document, nearest::nearest};

/// `unknown-key`.
pub const UNKNOWN_KEY: &str = "unknown-key";
/// `missing-key`.
pub const MISSING_KEY: &str = "missing-key";
/// `misplaced-key`.
pub const MISPLACED_KEY: &str = "misplaced-key";
/// `wrong-type`.
pub const WRONG_TYPE: &str = "wrong-type";
/// `unknown-token`.
pub const UNKNOWN_TOKEN: &str = "unknown-token";
/// `invalid-value`.
pub const INVALID_VALUE: &str = "invalid-value";

/// A key that nothing reads.
#[must_use]
pub fn unknown_key(
    document: &Arc<Document>,
    span: Range<usize>,
    key: &str,
    known: &[&str],
) -> Diagnostic {
    let help = match nearest(key, known.iter().copied()) {
        Some(near) => format!("did you mean {}?", quote(near)),
        None => format!("it takes {}", alternatives(known.iter().copied())),
    };
    Diagnostic::error(
        UNKNOWN_KEY,
        document,
        span,
        format!("unknown key {}", quote(key)),
    )
    .help(help)
}

/// A key without which the file says too little. `about` is what the key states.
#[must_use]
pub fn missing_key(
    document: &Arc<Document>,
    span: Range<usize>,
    key: &str,
    about: &str,
) -> Diagnostic {
    let found = Diagnostic::error(
        MISSING_KEY,
        document,
        span,
        format!("the key {} is missing", quote(key)),
    );
    if about.is_empty() {
        found
    } else {
        found.help(format!("add {}: {about}", quote(key)))
    }
}

/// A key that has a meaning only beside another one.
#[must_use]
pub fn misplaced_key(
    document: &Arc<Document>,
    span: Range<usize>,
    key: &str,
    beside: &str,
) -> Diagnostic {
    Diagnostic::error(
        MISPLACED_KEY,
        document,
        span,
        format!("{} says nothing without {}", quote(key), quote(beside)),
    )
    .help(format!("remove it, or add {}", quote(beside)))
}

/// A value of another JSON type. `expected` and `got` are words such as `a string`.
#[must_use]
pub fn wrong_type(
    document: &Arc<Document>,
    span: Range<usize>,
    what: &str,
    expected: &str,
    got: &str,
) -> Diagnostic {
    let found = Diagnostic::error(
        WRONG_TYPE,
        document,
        span,
        format!("{what} is {got}, not {expected}"),
    );
    if got == "null" {
        found.help("leave the key out where there is no value")
    } else {
        found.help(format!("write {expected}"))
    }
}

/// A word that is none of those that the key takes.
#[must_use]
pub fn unknown_token(
    document: &Arc<Document>,
    span: Range<usize>,
    what: &str,
    token: &str,
    known: &[&str],
) -> Diagnostic {
    let all = alternatives(known.iter().copied());
    let help = match nearest(token, known.iter().copied()) {
        Some(near) => format!("did you mean {}? It takes {all}", quote(near)),
        None => format!("it takes {all}"),
    };
    Diagnostic::error(
        UNKNOWN_TOKEN,
        document,
        span,
        format!("{what} is none of its words: {}", quote(token)),
    )
    .help(help)
}

/// A number beyond the bounds of its key. `bounds` is a phrase such as `at least 1`.
#[must_use]
pub fn number_out_of_range(
    document: &Arc<Document>,
    span: Range<usize>,
    what: &str,
    bounds: &str,
) -> Diagnostic {
    let literal = document.text.get(span.clone()).unwrap_or_default();
    let message = format!("{what} is out of range: {}", quote(literal));
    Diagnostic::error(NUMBER_OUT_OF_RANGE, document, span, message)
        .help(format!("write a number that is {bounds}"))
}

/// A value that its key does not take, for any other reason.
#[must_use]
pub fn invalid_value(
    document: &Arc<Document>,
    span: Range<usize>,
    what: &str,
    reason: &str,
) -> Diagnostic {
    Diagnostic::error(
        INVALID_VALUE,
        document,
        span,
        format!("{what} cannot be this: {reason}"),
    )
}
