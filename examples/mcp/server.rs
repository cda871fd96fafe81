//! An MCP server of notes, in one file: tools written against generated contracts, a gate that asks
//! before a note is deleted, the person behind the client who answers.
//!
//! A client starts it as `{ "command": "example-mcp-server" }`.

use std::{
    collections::HashMap,
    error::Error,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::Value;
use stella_contracts::{delete_state, events, save_state, types::StateKey};
use toolcontract_protocol::{AuthzEvalError, Decision, EventManifest, Principal, ToolContract};
use toolcontract_runtime::{
    authz::AuthzGate,
    ctx::ToolCtx,
    mcp::server::{Server, Settings},
    registry::Registry,
    tool::{Tool, ToolError},
};

/// Notes by key.
type Notes = Arc<Mutex<HashMap<StateKey, String>>>;

struct SaveNote(Notes);
struct DeleteNote(Notes);

impl Tool for SaveNote {
    type Contract = save_state::Contract;

    async fn call(
        &self,
        input: save_state::Input,
        _: &ToolCtx<save_state::Event>,
    ) -> Result<save_state::Output, ToolError> {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = input.content.len() as u64;
        let before = notes.insert(input.key.clone(), input.content);
        Ok(save_state::Output {
            key: input.key,
            bytes,
            replaced: before.is_some(),
        })
    }
}

impl Tool for DeleteNote {
    type Contract = delete_state::Contract;

    async fn call(
        &self,
        input: delete_state::Input,
        _: &ToolCtx<delete_state::Event>,
    ) -> Result<delete_state::Output, ToolError> {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let deleted = notes.remove(&input.key).is_some();
        Ok(delete_state::Output {
            key: input.key,
            deleted,
        })
    }
}

/// Lets everything run, and asks before something is deleted.
struct AskToDelete;

impl AuthzGate for AskToDelete {
    fn name(&self) -> &str {
        "ask-to-delete"
    }

    fn check(
        &self,
        contract: &ToolContract,
        _: &Principal,
        _: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        Ok(match contract.name.as_str() {
            "delete_state" => Decision::require_approval("a note that is deleted is gone"),
            _ => Decision::Allow,
        })
    }
}

/// The events that contracts of the catalog may list.
fn declared() -> Result<Vec<EventManifest>, serde_json::Error> {
    let all = events::SCHEMAS.iter().map(|(name, schema)| {
        Ok(EventManifest {
            schema: None,
            name: (*name).to_owned(),
            description: String::new(),
            replayable: false,
            payload_schema: serde_json::from_str(schema)?,
        })
    });
    all.collect()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let notes = Notes::default();
    let registry = Registry::builder(AskToDelete)
        .declare_events(&declared()?)
        .tool(SaveNote(Arc::clone(&notes)))
        .tool(DeleteNote(notes))
        .build()?;
    let settings = Settings::new(Principal::User, "notes", "1.0.0");
    Server::new(registry, settings)?.serve_stdio().await?;
    Ok(())
}
