//! Turns the text of manifests into values with places.
//!
//! All shape faults of all files come back in one run, each with file, line and column.
//! Reads files below the manifests folder only; follows no link out of it; writes nothing.
#![warn(missing_docs)]

pub mod diagnostic;
pub mod document;
pub mod folder;
pub mod names;
mod nearest;
pub mod project;
pub mod text;

pub use diagnostic::{Diagnostic, Level};
pub use document::{Document, Node};
pub use folder::{Folder, Loaded, load};
pub use nearest::nearest;
pub use project::Project;
