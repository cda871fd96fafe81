//! The files below a folder of the workspace, in the order of paths. Leaves out what ignore files
//! name, `.git`, and what symbolic links lead to.

use std::path::{Path, PathBuf};

use ignore::{DirEntry, Walk, WalkBuilder, types::Types};
use toolcontract_protocol::ErrorClass;
use toolcontract_runtime::tool::ToolError;

use super::workspace::{Workspace, of_system, relative, shown};

/// Where a search begins.
pub(super) enum Start {
    File(PathBuf),
    Folder(PathBuf),
}

/// What is at `path`, which is inside the workspace; at the workspace itself without one.
pub(super) fn start(workspace: &Workspace, path: Option<&str>) -> Result<Start, ToolError> {
    let path = path.unwrap_or(".");
    let inside = relative(path)?;
    // `.` has no components, and no handle opens an empty path.
    let named = if inside.as_os_str().is_empty() {
        Path::new(".")
    } else {
        &inside
    };
    let metadata = workspace
        .metadata(named)
        .map_err(|error| of_system(path, &error))?;
    if metadata.is_dir() {
        Ok(Start::Folder(inside))
    } else if metadata.is_file() {
        Ok(Start::File(inside))
    } else {
        let message = format!("`{}` is neither a file nor a folder", shown(path));
        Err(ToolError::new(ErrorClass::InvalidInput, message))
    }
}

/// Every entry below `folder`, with its path relative to the workspace.
pub(super) fn walk(
    workspace: &Workspace,
    folder: &Path,
    types: Option<Types>,
) -> impl Iterator<Item = (PathBuf, DirEntry)> {
    let root = workspace.root().to_owned();
    let mut builder = WalkBuilder::new(root.join(folder));
    builder
        .hidden(false)
        .parents(false)
        .git_global(false)
        .require_git(false)
        .follow_links(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .sort_by_file_path(Path::cmp);
    if let Some(types) = types {
        builder.types(types);
    }
    let walk: Walk = builder.build();
    walk.filter_map(Result::ok).filter_map(move |entry| {
        let relative = entry.path().strip_prefix(&root).ok()?.to_owned();
        Some((relative, entry))
    })
}
