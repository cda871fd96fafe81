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
    walk::{Start, start, walk},
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
    let Start::Folder(folder) = start(workspace, input.path.as_deref())? else {
        let path = shown(input.path.as_deref().unwrap_or_default());
        let message = format!("`{path}` is a file; name a folder to look in");
        return Err(ToolError::new(ErrorClass::InvalidInput, message));
    };
    let mut output = Output {
        paths: Vec::new(),
        truncated: false,
    };
    for (path, entry) in walk(workspace, &folder, None) {
        if stop.is_cancelled() {
            return if output.paths.is_empty() {
                Err(stopped())
            } else {
                output.truncated = true;
                Ok(output)
            };
        }
        let inside = path.strip_prefix(&folder).unwrap_or(&path);
        let is_file = match entry.file_type() {
            Some(kind) if kind.is_symlink() => is_file(workspace, &path),
            kind => kind.is_some_and(|kind| kind.is_file()),
        };
        if !is_file || !matcher.is_match(inside) {
            continue;
        }
        if output.paths.len() >= MAX_PATHS {
            output.truncated = true;
            break;
        }
        output.paths.push(slashed(&path));
    }
    Ok(output)
}

/// Whether a link leads to a file inside.
fn is_file(workspace: &Workspace, path: &Path) -> bool {
    workspace
        .metadata(path)
        .is_ok_and(|metadata| metadata.is_file())
}

/// Compiles a glob in which `*` stays inside one folder.
pub(super) fn compile(pattern: &str) -> Result<GlobMatcher, ToolError> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| {
        let message = format!("`{}` is no glob: {}", shown(pattern), error.kind());
        ToolError::new(ErrorClass::InvalidInput, message)
    })
}
