//! The only door to the disk: writes what differs, atomically, or reports drift.
//!
//! [`plan`] looks and changes nothing; it is all that a check needs. [`write`](write()) and
//! [`Plan::apply`] stage every new file first, then replace, then delete. What a surface folder
//! holds that nobody here made is left alone. Refuses paths that leave a surface's folder, links
//! inside it, and two files in one place.

mod apply;
mod disk;
mod edited;
mod error;
mod folders;
mod hold;
mod listing;
mod look;
mod place;
mod plan;
mod side_by_side;
mod state;
mod steps;
mod tree;

pub use apply::write;
pub use disk::{Disk, Kind, LocalDisk, Staged, make_root};
pub use error::WriteError;
pub use hold::Hold;
pub use listing::LISTING;
pub use plan::{Cause, Entry, Files, Loose, Plan, State, Surface, Wanted, plan};

/// Files that are never deleted, at any price: without them no cargo command runs in a workspace
/// that has the surface as a member, also not the one that would make them again.
pub const KEPT: &[&str] = &["Cargo.toml", "src/lib.rs"];

/// Folders inside a surface that belong to other programs.
pub const IGNORED_FOLDERS: [&str; 3] = ["target", "node_modules", "dist"];

/// Files inside a surface that package managers and desktops leave there.
pub const IGNORED_FILES: &[&str] = &["Cargo.lock", "package-lock.json", ".DS_Store"];
