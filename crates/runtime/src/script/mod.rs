//! Tools that users write: a manifest with a `command` in a folder of its own. Read without
//! following a link, checked as every other tool, run without a shell.
//!
//! What a script tool says about itself is a claim. It is `declared`, of risk `high` or worse and
//! in the group `custom`, until a person adopts it; see [`crate::adoption`].

mod check;
mod discover;
mod files;
mod folder;
mod program;
mod stage;
mod tool;
mod variables;

pub use discover::{Discovery, Script, discover};
pub use files::{NamedFile, Role, Source};
pub use folder::{FolderError, ToolFolder};
pub use program::{Program, ProgramError};
pub use tool::ScriptTool;

/// The policy group of script tools, whatever their manifests say.
pub const GROUP: &str = "custom";
