//! Definitions of others to manifests: what an MCP server lists, and bare JSON Schemas.
//!
//! A definition is kept exactly as it was served, its hints as claims that buy nothing. Refuses
//! a text that holds no list at all; of a list, each tool is read on its own, and one that is
//! broken is quarantined with its reason and takes no other along. Nothing here is authored:
//! every manifest has an `origin`, so its posture is declared, and its risk is the worst that is
//! not excluded.
//!
//! What is imported passes the loader and has a normal form, so generation cannot stop at it.

mod bare;
mod claims;
mod envelope;
mod error;
mod fault;
mod fields;
mod finding;
mod hidden;
mod mcp;
mod name;
mod print;
mod settle;
mod tool;
mod usable;

use serde_json::Value;
use toolcontract_protocol::Manifest;

pub use bare::schema;
pub use error::ImportError;
pub use fault::Fault;
pub use finding::{Finding, Oddity};
pub use mcp::mcp;
pub use name::{canonical, is_server};
pub use print::text;
pub use tool::definition_digest;

/// The largest text that is read, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// The most tools that one text may list.
pub const MAX_TOOLS: usize = 10_000;

/// Where definitions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin<'a> {
    /// The file, as messages and manifests name it; no absolute path.
    pub file: &'a str,
    /// The server, where it was named: a part of every manifest's name. [`is_server`] holds.
    pub server: Option<&'a str>,
}

/// What became of one text.
#[derive(Debug, Default)]
pub struct Imported {
    /// The tools, in the order of the list. Their names are unique.
    pub tools: Vec<Tool>,
    /// Schemas whose root is no object: shared types.
    pub types: Vec<SharedType>,
    /// What could not be imported, in the order of the list.
    pub quarantined: Vec<Quarantined>,
    /// What a person should know of what was imported, in the order of the list.
    pub findings: Vec<Finding>,
}

/// One imported tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Where it stands in the text.
    pub subject: Subject,
    /// Its manifest.
    pub manifest: Manifest,
    /// SHA-256 of the definition as served, by [`definition_digest`].
    pub digest: String,
}

/// A schema that is no contract by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedType {
    /// Where it stands in the text.
    pub subject: Subject,
    /// Stem of its file in `manifests/types/`.
    pub name: String,
    /// The schema, as it was.
    pub schema: Value,
}

/// A definition that could not be imported.
#[derive(Debug, Clone, PartialEq)]
pub struct Quarantined {
    /// Where it stands in the text.
    pub subject: Subject,
    /// Why.
    pub reason: Fault,
}

/// One definition among those of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Its number, from 1.
    pub number: usize,
    /// The line where it starts, from 1.
    pub line: usize,
    /// The name as served, where it has one that can be read.
    pub name: Option<String>,
}
