//! The tools that this program brings: files, search, a shell, scratch state. Each is written
//! against its generated contract and works below one folder, the workspace.
//!
//! File tools open everything below the workspace's own handle: no link and no `..` leads out of
//! it. `bash` starts there and can go wherever the user of this program can.

mod bash;
mod blocking;
mod delete_file;
mod edit_file;
mod edits;
mod glob;
mod grep;
mod place;
mod read_file;
mod state;
mod stoppable;
mod walk;
mod workspace;
mod write_file;

use std::sync::Arc;

use stella_contracts::events;
use toolcontract_protocol::{Contract as _, EventManifest};
use toolcontract_runtime::{process::Environment, registry::Builder, tool::Tool};

pub use bash::Bash;
pub use delete_file::DeleteFile;
pub use edit_file::EditFile;
pub use glob::Glob;
pub use grep::Grep;
pub use read_file::ReadFile;
pub use state::{GetState, ListState, SaveState, Store};
pub use workspace::{Workspace, WorkspaceError};
pub use write_file::WriteFile;

/// Adds every tool of this program to `builder`, and the events of the catalog. Commands get
/// `environment` and nothing else.
#[must_use]
pub fn add(builder: Builder, workspace: Workspace, environment: Environment) -> Builder {
    let workspace = Arc::new(workspace);
    let store = Arc::new(Store::default());
    builder
        .workspace_root(workspace.root())
        .declare_events(&catalog_events())
        .tool(Bash::new(&workspace, environment))
        .tool(ReadFile(Arc::clone(&workspace)))
        .tool(WriteFile(Arc::clone(&workspace)))
        .tool(EditFile(Arc::clone(&workspace)))
        .tool(DeleteFile(Arc::clone(&workspace)))
        .tool(Grep(Arc::clone(&workspace)))
        .tool(Glob(workspace))
        .tool(SaveState(Arc::clone(&store)))
        .tool(GetState(Arc::clone(&store)))
        .tool(ListState(store))
}

/// The names of every tool of this program.
pub(crate) fn names() -> [&'static str; 10] {
    fn name<T: Tool>() -> &'static str {
        &T::Contract::contract().name
    }
    [
        name::<Bash>(),
        name::<ReadFile>(),
        name::<WriteFile>(),
        name::<EditFile>(),
        name::<DeleteFile>(),
        name::<Grep>(),
        name::<Glob>(),
        name::<SaveState>(),
        name::<GetState>(),
        name::<ListState>(),
    ]
}

/// The events that the catalog's contracts may list.
pub(crate) fn catalog_events() -> Vec<EventManifest> {
    events::SCHEMAS
        .iter()
        .map(|(name, schema)| EventManifest {
            schema: None,
            name: (*name).to_owned(),
            description: String::new(),
            replayable: false,
            // Generated text is JSON; if it were not, no payload would fit.
            payload_schema: serde_json::from_str(schema).unwrap_or(serde_json::Value::Bool(false)),
        })
        .collect()
}
