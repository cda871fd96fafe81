//! Renders a checked model as files in memory. Knows no path outside a surface's own folder and
//! never touches the disk, the clock or the environment.

mod files;
mod javascript;
pub mod text;

pub mod advertised;
pub mod docs;
pub mod mcp;
pub mod oxagen;
pub mod rust;
pub mod typescript;
mod vectors;
pub mod wire;

pub use files::FileSet;

use crate::lint::CheckedModel;

/// One surface.
pub trait Emitter: Sync {
    /// Stable id: command-line name, key below `[surfaces]` and folder name.
    fn id(&self) -> &'static str;
    /// One sentence for `list` and the docs.
    fn about(&self) -> &'static str;
    /// Where the surface goes, relative to the project root; none when the project does not ask for it.
    fn out(&self, model: &CheckedModel) -> Option<String>;
    /// Adds every file of the surface to `out`. Same model in, same bytes out.
    fn emit(&self, model: &CheckedModel, out: &mut FileSet);
}

/// Every surface, in the order of the docs.
pub const EMITTERS: &[&dyn Emitter] = &[
    &rust::Rust,
    &typescript::TypeScript,
    &oxagen::Oxagen,
    &mcp::Mcp,
    &advertised::Advertised,
    &wire::Wire,
    &docs::Docs,
];

/// The folder of a surface: what it says itself, or `<out>/<id>`.
fn folder(model: &CheckedModel, own: Option<&String>, id: &str) -> String {
    own.cloned()
        .unwrap_or_else(|| format!("{}/{id}", model.project.out))
}
