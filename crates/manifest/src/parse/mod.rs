//! Bytes of one file to a tree of values with places.
//!
//! Refuses what is no UTF-8, opens with a byte-order mark, is too large, is no TOML or strict
//! JSON, holds a value that JSON has no word for, or nests too deep. One syntax error a file,
//! since nothing after it can be trusted; of everything else all places.

mod json;
mod toml;

use std::{ops::Range, sync::Arc};

use crate::{
    diagnostic::{Diagnostic, has_error},
    document::{Document, Node, NodeValue},
    fault,
};

/// The largest file, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// How many tables and arrays may lie in each other, the root among them.
pub const MAX_NESTING: usize = 64;

/// The two spellings of a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// TOML 1.1.
    Toml,
    /// JSON as RFC 8259 has it: no comments, no trailing commas.
    Json,
}

impl Syntax {
    /// The spelling that the end of a path names.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        match path.rsplit_once('.')?.1 {
            "toml" => Some(Self::Toml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The name that people use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Toml => "TOML",
            Self::Json => "JSON",
        }
    }
}

/// What a parser found wrong, before there is a document to show it in.
#[derive(Debug, PartialEq)]
pub(crate) enum TextFault {
    Syntax {
        span: Range<usize>,
        message: String,
    },
    DuplicateKey {
        span: Range<usize>,
        key: String,
        first: Option<Range<usize>>,
    },
    NumberTooLarge {
        span: Range<usize>,
    },
    NotFinite {
        span: Range<usize>,
    },
    Datetime {
        span: Range<usize>,
    },
    TooDeep {
        span: Range<usize>,
    },
}

/// A parsed file.
#[derive(Debug)]
pub struct Parsed {
    /// The text with its tree. The tree is null when there is none.
    pub document: Arc<Document>,
    /// What is wrong with the text, in the order of the text.
    pub findings: Vec<Diagnostic>,
    /// Whether the tree is there. A value that JSON has no word for is null in it.
    pub readable: bool,
}

/// Parses the bytes of the file at `path`, which is relative to the project and names the file
/// in findings.
#[must_use]
pub fn parse(path: &str, syntax: Syntax, bytes: &[u8]) -> Parsed {
    if bytes.len() > MAX_BYTES {
        return unreadable(path, String::new(), |document| {
            fault::file_too_large(&document.path)
        });
    }
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let lossy = String::from_utf8_lossy(bytes).into_owned();
            return unreadable(path, lossy, |document| {
                fault::invalid_utf8(document, error.valid_up_to())
            });
        }
    };
    if text.starts_with('\u{feff}') {
        return unreadable(path, text.to_owned(), fault::byte_order_mark);
    }
    let mut faults = Vec::new();
    let root = match syntax {
        Syntax::Toml => toml::parse(text, &mut faults),
        Syntax::Json => json::parse(text, &mut faults),
    };
    let readable = root.is_some();
    let document = Arc::new(Document::new(path, text, root.unwrap_or_else(nothing)));
    let findings = faults
        .into_iter()
        .map(|f| diagnose(&document, syntax, f))
        .collect();
    Parsed {
        document,
        findings,
        readable,
    }
}

impl Parsed {
    /// Whether nothing is wrong with the text.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.readable && !has_error(&self.findings)
    }
}

fn nothing() -> Node {
    Node {
        span: 0..0,
        value: NodeValue::Null,
    }
}

fn unreadable(path: &str, text: String, finding: impl Fn(&Arc<Document>) -> Diagnostic) -> Parsed {
    let document = Arc::new(Document::new(path, text, nothing()));
    Parsed {
        findings: vec![finding(&document)],
        document,
        readable: false,
    }
}

fn diagnose(document: &Arc<Document>, syntax: Syntax, found: TextFault) -> Diagnostic {
    match found {
        TextFault::Syntax { span, message } => {
            fault::syntax_error(document, syntax, span, &message)
        }
        TextFault::DuplicateKey { span, key, first } => {
            fault::duplicate_key(document, span, &key, first)
        }
        TextFault::NumberTooLarge { span } => fault::number_too_large(document, syntax, span),
        TextFault::NotFinite { span } => fault::not_a_number(document, span),
        TextFault::Datetime { span } => fault::toml_datetime(document, span),
        TextFault::TooDeep { span } => fault::nesting_too_deep(document, span),
    }
}
