//! What a call came to, as MCP says it. A failure that a model can act on is a result with
//! `isError`; only a tool that is not there is an error of the protocol.

use rmcp::model::{CallToolResult, ContentBlock, ErrorData, JsonObject, MetaObject};
use serde_json::{Value, json};
use toolcontract_protocol::{ErrorClass, ErrorCode, ToolOutput};

use crate::mcp::META_KEY;

/// The result of a call that came to `output`, with the blocks that go beside its text.
pub(super) fn result(
    output: ToolOutput,
    attachments: Vec<Value>,
) -> Result<CallToolResult, ErrorData> {
    match output {
        ToolOutput::Ok { content, data } => {
            let blocks = attachments
                .into_iter()
                .filter_map(|block| serde_json::from_value(block).ok());
            let text = std::iter::once(ContentBlock::text(content));
            let mut result = CallToolResult::success(text.chain(blocks).collect());
            result.structured_content = data;
            Ok(result)
        }
        ToolOutput::Error {
            message,
            class,
            code,
            data,
        } => {
            let facts = facts(class, code.as_ref(), data);
            if code == Some(ErrorCode::UnknownTool) {
                let data = json!({ META_KEY: facts });
                return Err(ErrorData::invalid_params(message, Some(data)));
            }
            // Nothing structured: it would be held to the output schema of a success.
            let mut result = CallToolResult::error(vec![ContentBlock::text(message)]);
            result.meta = Some(MetaObject(JsonObject::from_iter([(
                META_KEY.to_owned(),
                facts,
            )])));
            Ok(result)
        }
    }
}

/// What a program acts on.
fn facts(class: ErrorClass, code: Option<&ErrorCode>, data: Option<Value>) -> Value {
    let mut facts = JsonObject::from_iter([("class".to_owned(), json!(class))]);
    if let Some(code) = code {
        facts.insert("code".to_owned(), json!(code));
    }
    if let Some(data) = data {
        facts.insert("data".to_owned(), data);
    }
    Value::Object(facts)
}
