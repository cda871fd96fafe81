//! Faults of a text, whatever it states.

use std::{ops::Range, sync::Arc};

use super::quote;
use crate::{
    diagnostic::Diagnostic,
    document::Document,
    parse::{MAX_BYTES, MAX_NESTING, Syntax},
};

/// `invalid-utf8`.
pub const INVALID_UTF8: &str = "invalid-utf8";
/// `byte-order-mark`.
pub const BYTE_ORDER_MARK: &str = "byte-order-mark";
/// `file-too-large`.
pub const FILE_TOO_LARGE: &str = "file-too-large";
/// `syntax-error`.
pub const SYNTAX_ERROR: &str = "syntax-error";
/// `duplicate-key`.
pub const DUPLICATE_KEY: &str = "duplicate-key";
/// `nesting-too-deep`.
pub const NESTING_TOO_DEEP: &str = "nesting-too-deep";
/// `toml-datetime`.
pub const TOML_DATETIME: &str = "toml-datetime";
/// `not-a-number`.
pub const NOT_A_NUMBER: &str = "not-a-number";
/// `number-out-of-range`.
pub const NUMBER_OUT_OF_RANGE: &str = "number-out-of-range";

/// The bytes are no UTF-8 from `offset` on; the document's text has a replacement character there.
#[must_use]
pub fn invalid_utf8(document: &Arc<Document>, offset: usize) -> Diagnostic {
    Diagnostic::error(
        INVALID_UTF8,
        document,
        offset..offset + 1,
        format!("the file is no UTF-8 from byte {offset} on"),
    )
    .help("save it as UTF-8")
}

/// The text opens with U+FEFF.
#[must_use]
pub fn byte_order_mark(document: &Arc<Document>) -> Diagnostic {
    Diagnostic::error(
        BYTE_ORDER_MARK,
        document,
        0..0,
        "the file opens with a byte-order mark",
    )
    .help("save it as UTF-8 without one")
}

/// The file holds more than [`MAX_BYTES`].
#[must_use]
pub fn file_too_large(path: &str) -> Diagnostic {
    Diagnostic::about_file(
        FILE_TOO_LARGE,
        path,
        format!("the file is larger than {} KiB", MAX_BYTES / 1024),
    )
    .help("a manifest states one contract; move shared schemas to `manifests/types/`")
}

/// The parser could not go on.
#[must_use]
pub fn syntax_error(
    document: &Arc<Document>,
    syntax: Syntax,
    span: Range<usize>,
    message: &str,
) -> Diagnostic {
    let found = Diagnostic::error(
        SYNTAX_ERROR,
        document,
        span,
        format!("the file is no {}: {message}", syntax.as_str()),
    );
    match syntax {
        Syntax::Toml => found.help("the rest of the file was not read; check it again after the repair"),
        Syntax::Json => found.help(
            "a JSON manifest has no comments and no trailing commas; the rest of the file was not read",
        ),
    }
}

/// One table or object has the same key twice.
#[must_use]
pub fn duplicate_key(
    document: &Arc<Document>,
    span: Range<usize>,
    key: &str,
    first: Option<Range<usize>>,
) -> Diagnostic {
    let help = match first.map(|f| document.position(f.start)) {
        Some(first) => format!(
            "it is there first in line {}, column {}; remove one of the two",
            first.line, first.column
        ),
        None => "remove one of the two".to_owned(),
    };
    Diagnostic::error(
        DUPLICATE_KEY,
        document,
        span,
        format!(
            "the key {} is there twice",
            quote(key.trim_matches(['"', '\'']))
        ),
    )
    .help(help)
}

/// More than [`MAX_NESTING`] tables and arrays lie in each other.
#[must_use]
pub fn nesting_too_deep(document: &Arc<Document>, span: Range<usize>) -> Diagnostic {
    Diagnostic::error(
        NESTING_TOO_DEEP,
        document,
        span,
        format!("more than {MAX_NESTING} tables and arrays lie in each other"),
    )
    .help("move the inner schema to a file in `manifests/types/` and name it by `$ref`")
}

/// TOML has dates and times, JSON has not.
#[must_use]
pub fn toml_datetime(document: &Arc<Document>, span: Range<usize>) -> Diagnostic {
    let literal = document.text.get(span.clone()).unwrap_or_default();
    let help = format!(
        "write it as a string, \"{}\"; a manifest that needs what TOML cannot write, such as null, is written as a `.json` file",
        literal.escape_debug()
    );
    Diagnostic::error(
        TOML_DATETIME,
        document,
        span,
        "a contract holds JSON values, and JSON has no dates or times",
    )
    .help(help)
}

/// `nan` or `inf`.
#[must_use]
pub fn not_a_number(document: &Arc<Document>, span: Range<usize>) -> Diagnostic {
    let literal = document.text.get(span.clone()).unwrap_or_default();
    let message = format!("{} is no JSON number", quote(literal));
    Diagnostic::error(NOT_A_NUMBER, document, span, message)
        .help("leave the bound out where there is none")
}

/// The number cannot be kept as it is written.
#[must_use]
pub fn number_too_large(
    document: &Arc<Document>,
    syntax: Syntax,
    span: Range<usize>,
) -> Diagnostic {
    let literal = document.text.get(span.clone()).unwrap_or_default();
    let message = format!("{} cannot be kept exactly", quote(literal));
    let help = match syntax {
        Syntax::Toml => {
            "an integer in TOML lies between -2^63 and 2^63 - 1, a float is an IEEE double; larger integers, up to 2^64 - 1, need a `.json` manifest"
        }
        Syntax::Json => "an integer lies between -2^63 and 2^64 - 1, a fraction is an IEEE double",
    };
    Diagnostic::error(NUMBER_OUT_OF_RANGE, document, span, message).help(help)
}
