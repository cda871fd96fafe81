//! Turns the text of manifests into values with places.
//!
//! All shape faults of all files come back in one run, each with file, line and column.
//! Reads files below the manifests folder only; follows no link out of it; writes nothing.
//!
//! ```
//! use toolcontract_manifest::{Source, read_tool};
//!
//! let source = Source {
//!     path: "tools/greet.toml".to_owned(),
//!     bytes: b"name = \"greet\"\ndescripton = \"Says hello.\"\n".to_vec(),
//! };
//! let (manifest, findings) = read_tool(&source);
//! assert!(manifest.is_none());
//! let slip = findings.iter().find(|finding| finding.rule == "unknown-key").unwrap();
//! assert_eq!(slip.message, "unknown key `descripton`");
//! assert_eq!(slip.help.as_deref(), Some("did you mean `description`?"));
//! ```
#![warn(missing_docs)]

pub mod diagnostic;
mod disk;
pub mod document;
pub mod fault;
pub mod folder;
pub mod import;
mod kind;
pub mod members;
pub mod names;
mod nearest;
pub mod parse;
pub mod position;
pub mod print;
pub mod project;
mod read;
mod reference;
pub mod schemas;
mod shape;
mod source;
pub mod text;

pub use diagnostic::{Diagnostic, Level, has_error, sort};
pub use document::{Document, Node};
pub use folder::{Folder, LoadError, Loaded, load, load_sources};
pub use nearest::nearest;
pub use position::Position;
pub use project::Project;
pub use read::{read_as, read_tool};
pub use source::Source;
