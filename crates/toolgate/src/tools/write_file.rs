//! `write_file`: a whole file, replaced at once or not at all.

use std::{sync::Arc, time::Duration};

use stella_contracts::{
    events::{FileCreated, FileUpdated},
    write_file::{Contract, Event, Input, Output},
};
use toolcontract_runtime::{
    ctx::ToolCtx,
    tool::{Tool, ToolError},
};

use super::{blocking::blocking, edits, workspace::Workspace};

const TIME: Duration = Duration::from_secs(60);

/// `write_file` in a workspace.
#[derive(Debug)]
pub struct WriteFile(pub Arc<Workspace>);

impl Tool for WriteFile {
    type Contract = Contract;

    async fn call(&self, input: Input, ctx: &ToolCtx<Event>) -> Result<Output, ToolError> {
        let workspace = Arc::clone(&self.0);
        let (output, changed) = blocking(ctx, TIME, move |_| write(&workspace, &input)).await?;
        let Output {
            path,
            lines_added,
            lines_removed,
            ..
        } = output.clone();
        if output.created {
            ctx.emit(&Event::FileCreated(FileCreated {
                path,
                lines_added,
                lines_removed,
            }));
        } else if changed {
            ctx.emit(&Event::FileUpdated(FileUpdated {
                path,
                lines_added,
                lines_removed,
            }));
        }
        Ok(output)
    }
}

/// Writes, and says whether that changed anything.
fn write(workspace: &Workspace, input: &Input) -> Result<(Output, bool), ToolError> {
    let _alone = workspace.change();
    let place = workspace.place_to_write(&input.path)?;
    let before = place.bytes()?;
    let changed = before.as_deref() != Some(input.content.as_bytes());
    if changed {
        place.replace(input.content.as_bytes())?;
    }
    // A file that was no text has no lines to compare with.
    let old = before
        .as_deref()
        .map(|bytes| str::from_utf8(bytes).unwrap_or_default());
    let (lines_added, lines_removed) = match old {
        None => (edits::lines(&input.content), 0),
        Some(old) => edits::changed(old, &input.content),
    };
    let output = Output {
        created: before.is_none(),
        bytes: input.content.len() as u64,
        path: place.path,
        lines_added,
        lines_removed,
    };
    Ok((output, changed))
}
