//! `delete_file`: one file or one symbolic link. Refuses folders and everything else.

use std::{sync::Arc, time::Duration};

use stella_contracts::{
    delete_file::{Contract, Event, Input, Output, OutputKind as Kind},
    events::FileDeleted,
};
use toolcontract_protocol::ErrorClass;
use toolcontract_runtime::{
    ctx::ToolCtx,
    tool::{Tool, ToolError},
};

use super::{
    blocking::blocking,
    edits,
    workspace::{MAX_WHOLE, Workspace, shown},
};

const TIME: Duration = Duration::from_secs(60);

/// `delete_file` in a workspace.
#[derive(Debug)]
pub struct DeleteFile(pub Arc<Workspace>);

impl Tool for DeleteFile {
    type Contract = Contract;

    async fn call(&self, input: Input, ctx: &ToolCtx<Event>) -> Result<Output, ToolError> {
        let workspace = Arc::clone(&self.0);
        let (output, lines_removed) =
            blocking(ctx, TIME, move |_| delete(&workspace, &input)).await?;
        ctx.emit(&Event::FileDeleted(FileDeleted {
            path: output.path.clone(),
            lines_added: 0,
            lines_removed,
        }));
        Ok(output)
    }
}

fn delete(workspace: &Workspace, input: &Input) -> Result<(Output, u64), ToolError> {
    let _alone = workspace.change();
    let refuse = |class, what: &str| {
        let message = format!("`{}` {what}", shown(&input.path));
        Err(ToolError::new(class, message))
    };
    let place = workspace.place_of_entry(&input.path)?;
    let Some(entry) = place.entry()? else {
        return refuse(ErrorClass::NotFound, "does not exist");
    };
    let kind = if entry.is_symlink() {
        Kind::Symlink
    } else if entry.is_file() {
        Kind::File
    } else if entry.is_dir() {
        return refuse(
            ErrorClass::InvalidInput,
            "is a folder; only files are deleted",
        );
    } else {
        return refuse(ErrorClass::InvalidInput, "is no regular file");
    };
    let lines = match kind {
        Kind::File if entry.len() <= MAX_WHOLE => {
            let bytes = place.bytes().ok().flatten().unwrap_or_default();
            str::from_utf8(&bytes).map_or(0, edits::lines)
        }
        Kind::File | Kind::Symlink => 0,
    };
    place.remove()?;
    let output = Output {
        path: place.path,
        kind,
        bytes: entry.len(),
    };
    Ok((output, lines))
}
