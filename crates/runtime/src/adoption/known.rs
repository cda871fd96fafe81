//! The contract of a tool of a server, from what was written down when it was adopted: what can be
//! known of it without starting the server. Whether the server still lists the same is not known.

use serde_json::Value;
use toolcontract_protocol::{ToolContract, event::TOOL_CALL_PROGRESS};

use super::Adopted;
use crate::policy::SERVED;

impl Adopted {
    /// The contract of a tool of a server as it was adopted, with its grade. None for a script
    /// tool, whose manifest is in the workspace.
    #[must_use]
    pub fn served_contract(&self) -> Option<ToolContract> {
        if !self.name.starts_with(SERVED) {
            return None;
        }
        let definition = self.pin.definition.as_object()?;
        let description = definition.get("description").and_then(Value::as_str);
        let input = definition.get("inputSchema")?.clone();
        let contract = ToolContract {
            output_schema: definition.get("outputSchema").cloned(),
            events: vec![TOOL_CALL_PROGRESS.to_owned()],
            ..ToolContract::declared(&self.name, description.unwrap_or_default(), input)
        };
        Some(self.grade.apply(&contract, &self.digest))
    }
}
