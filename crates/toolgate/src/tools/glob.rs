//! `glob`: files by name.

use std::{path::Path, sync::Arc, time::Duration};

use globset::{GlobBuilder, GlobMatcher};
use stella_contracts::glob::{Contract, Input, Output};
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::ErrorClass;
use toolcontract_runtime::{
    ctx::ToolCtx,
    tool::{Tool, ToolError},
};

use super::{
    blocking::{blocking, stopped},
    walk::{Kind, Start, Walk, start},
    workspace::{Workspace, shown, slashed},
};

const TIME: Duration = Duration::from_secs(60);
/// How many paths are listed.
const MAX_PATHS: usize = 500;

/// `glob` in a workspace.
#[derive(Debug)]
pub struct Glob(pub Arc<Workspace>);

impl Tool for Glob {
    type Contract = Contract;

    async fn call(&self, input: Input, ctx: &ToolCtx) -> Result<Output, ToolError> {
        let workspace = Arc::clone(&self.0);
        blocking(ctx, TIME, move |stop| list(&workspace, &input, stop)).await
    }

    fn render(&self, output: &Output) -> Option<String> {
        let mut text = output.paths.join("\n");
        if output.paths.is_empty() {
            text.push_str("[no file matches]");
        }
        if output.truncated {
            text.push_str("\n[more files match; narrow the pattern or the path]");
        }
        Some(text)
    }
}

fn list(
    workspace: &Workspace,
    input: &Input,
    stop: &CancellationToken,
) -> Result<Output, ToolError> {
    let matcher = compile(&input.pattern)?;
    let Start::Folder(folder, handle) = start(workspace, input.path.as_deref())? else {
        let path = shown(input.path.as_deref().unwrap_or_default());
        let message = format!("`{path}` is a file; name a folder to look in");
        return Err(ToolError::new(ErrorClass::InvalidInput, message));
    };
    // A link counts where it leads to a file inside.
    let is_file = |path: &Path, kind| match kind {
        Kind::File => true,
        Kind::Link => workspace.metadata(path).is_ok_and(|file| file.is_file()),
    };
    let mut paths: Vec<String> = Walk::new(folder.clone(), handle, stop)
        .filter(|(path, _)| matcher.is_match(path.strip_prefix(&folder).unwrap_or(path)))
        .filter(|(path, kind)| is_file(path, *kind))
        .map(|(path, _)| slashed(&path))
        .take(MAX_PATHS + 1)
        .collect();
    if stop.is_cancelled() && paths.is_empty() {
        return Err(stopped());
    }
    let truncated = paths.len() > MAX_PATHS || stop.is_cancelled();
    paths.truncate(MAX_PATHS);
    Ok(Output { paths, truncated })
}

/// Compiles a glob in which `*` stays inside one folder.
pub(super) fn compile(pattern: &str) -> Result<GlobMatcher, ToolError> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| {
        let why = shown(&error.kind().to_string());
        let message = format!("`{}` is no glob: {why}", shown(pattern));
        ToolError::new(ErrorClass::InvalidInput, message)
    })
}
