//! Turns the text of manifests into values with places.
//!
//! All shape faults of all files come back in one run, each with file, line and column.
//! Reads files below the manifests folder only; follows no link out of it; writes nothing.
#![warn(missing_docs)]

pub mod diagnostic;
pub mod document;
pub mod folder;
pub mod project;

pub use diagnostic::{Diagnostic, Level};
pub use document::{Document, Node};
pub use folder::{Folder, Loaded, load};
pub use project::Project;
