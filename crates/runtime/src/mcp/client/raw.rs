//! What a server sends, before any library reads it. The results of `tools/list` and `tools/call`
//! stay text: as values of an SDK, members that are there twice, nulls and unknown keys would be
//! lost, and one bad tool would take the others along.

use std::{
    collections::HashSet,
    fmt,
    sync::{Arc, MutexGuard},
};

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, CustomResult, RequestId,
    ServerJsonRpcMessage, ServerResult,
};
#[cfg(feature = "mcp-http")]
use rmcp::model::{ListToolsResult, MetaObject, Tool};
use serde::{
    Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor},
};
use serde_json::Value;
use toolcontract_manifest::members::Members;
use toolcontract_schema::bounds::{self, Limits, Numbers};

use super::state::State;

/// How many bytes one message of a server may have.
pub(super) const MAX_MESSAGE: usize = 8 << 20;

/// Where the text of a list is that a transport has to look at.
const TEXT: &str = "dev.toolcontract/text";

/// How a server says that its list has changed.
const LIST_CHANGED: &str = r#""notifications/tools/list_changed""#;

/// The requests whose results stay text.
#[derive(Debug, Clone)]
pub(super) struct Awaited {
    state: Arc<State>,
}

impl Awaited {
    /// Tells `state` of changes of the list at once, in the order in which messages come in.
    pub(super) fn new(state: Arc<State>) -> Self {
        Self { state }
    }

    /// Notes a request that goes out, and one that is called off.
    pub(super) fn note(&self, message: &ClientJsonRpcMessage) {
        if let ClientJsonRpcMessage::Notification(notification) = message
            && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
            && let Some(id) = &cancelled.params.request_id
        {
            self.ids().remove(id);
        }
        if let ClientJsonRpcMessage::Request(request) = message
            && let ClientRequest::ListToolsRequest(_) | ClientRequest::CallToolRequest(_) =
                &request.request
        {
            self.ids().insert(request.id.clone());
        }
    }

    /// Forgets a request that did not go out.
    #[cfg(feature = "mcp-http")]
    pub(super) fn forget(&self, id: &RequestId) {
        self.ids().remove(id);
    }

    /// The message in a text that came in. None where it is none of the protocol: many servers
    /// write other things to their output.
    pub(super) fn read(&self, text: &[u8]) -> Option<ServerJsonRpcMessage> {
        let members: Members<'_> = serde_json::from_slice(text).ok()?;
        if members.repeated().is_some() {
            return None;
        }
        let id: Option<RequestId> = members
            .get("id")
            .and_then(|id| serde_json::from_str(id).ok());
        if members.get("method") == Some(LIST_CHANGED) {
            self.state.forget_all();
        }
        let is_awaited = |id: &RequestId| self.ids().remove(id);
        match (members.get("method"), members.get("result"), id) {
            (None, Some(result), Some(id)) if is_awaited(&id) => {
                let raw = CustomResult::new(Value::String(result.to_owned()));
                let result = ServerResult::CustomResult(raw);
                Some(ServerJsonRpcMessage::response(result, id))
            }
            (_, _, id) => {
                if let (Some(id), Some(_)) = (&id, members.get("error")) {
                    self.ids().remove(id);
                }
                serde_json::from_value(checked(text)?).ok()
            }
        }
    }

    /// What stands for the answer that begins so and is too large to be read. None where that is no
    /// answer that is waited for, or does not say so in its beginning.
    pub(super) fn unread(&self, beginning: &[u8]) -> Option<ServerJsonRpcMessage> {
        let mut head = Head::default();
        let mut reader = serde_json::Deserializer::from_slice(beginning);
        // It ends in the middle, which is an error.
        let _ = (&mut head).deserialize(&mut reader);
        let id = head.id.filter(|_| head.is_answer && !head.is_method)?;
        let unread = ServerResult::CustomResult(CustomResult::new(Value::Null));
        let is_awaited = self.ids().remove(&id);
        is_awaited.then(|| ServerJsonRpcMessage::response(unread, id))
    }

    fn ids(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.state.awaited()
    }
}

/// What the members of a message say up to where its text ends.
#[derive(Debug, Default)]
struct Head {
    id: Option<RequestId>,
    is_answer: bool,
    is_method: bool,
}

impl<'de> DeserializeSeed<'de> for &mut Head {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Head {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(key) = members.next_key::<String>()? {
            match key.as_str() {
                "id" => {
                    self.id = members.next_value()?;
                    continue;
                }
                "result" => self.is_answer = true,
                "method" => self.is_method = true,
                _ => {}
            }
            members.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

/// The text of a result that stayed text. None where it was too large to be read.
pub(super) fn text(result: ServerResult) -> Option<String> {
    match result {
        ServerResult::CustomResult(CustomResult(Value::String(text))) => Some(text),
        ServerResult::ListToolsResult(list) => match list.meta?.0.shift_remove(TEXT)? {
            Value::String(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// What a transport over HTTP has to know of a list: the schemas that name a header for an argument.
/// The text goes along. Any other message is the same.
#[cfg(feature = "mcp-http")]
pub(super) fn with_named_headers(message: ServerJsonRpcMessage) -> ServerJsonRpcMessage {
    let ServerJsonRpcMessage::Response(mut response) = message else {
        return message;
    };
    if let ServerResult::CustomResult(CustomResult(Value::String(text))) = &response.result
        && text.contains(r#""x-mcp-header""#)
        && let Ok(List { tools }) = serde_json::from_str(text)
    {
        let tools = tools.into_iter().filter_map(|mut tool| {
            let name = tool.get("name")?.as_str()?.to_owned();
            match tool.get_mut("inputSchema")?.take() {
                Value::Object(schema) => Some(Tool::new(name, "", schema)),
                _ => None,
            }
        });
        let mut list = ListToolsResult::with_all_items(tools.collect());
        let mut meta = MetaObject::default();
        meta.0.insert(TEXT.to_owned(), Value::String(text.clone()));
        list.meta = Some(meta);
        response.result = ServerResult::ListToolsResult(list);
    }
    ServerJsonRpcMessage::Response(response)
}

/// A list of tools as a server sends it.
#[cfg(feature = "mcp-http")]
#[derive(serde::Deserialize)]
struct List {
    tools: Vec<Value>,
}

/// The value of a text of a server, each member once, within bounds.
pub(super) fn checked(text: &[u8]) -> Option<Value> {
    let limits = Limits {
        bytes: MAX_MESSAGE,
        numbers: Numbers::Any,
        ..Limits::default()
    };
    bounds::read(text, &limits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_an_answer_that_is_awaited_stands_for_it() {
        let unread = |beginning: &str| {
            let awaited = Awaited::new(Arc::default());
            awaited.ids().insert(RequestId::Number(7));
            let message = awaited.unread(beginning.as_bytes());
            (message.is_some(), awaited.ids().is_empty())
        };
        for answer in [
            r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"text":"aaa"#,
            r#"{"id":7,"result":"#,
            r#"{"result":{},"id":7,"jsonrpc"#,
        ] {
            assert_eq!(unread(answer), (true, true), "{answer}");
        }
        for other in [
            r#"{"jsonrpc":"2.0","id":8,"result":{"#,
            r#"{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"#,
            r#"{"jsonrpc":"2.0","id":7"#,
            r#"{"jsonrpc":"2.0","result":{"content":[{"text":"{\"id\":7"#,
            r#"{"jsonrpc":"2.0","result":{"id":7"#,
            "[7",
            "",
        ] {
            assert_eq!(unread(other), (false, false), "{other}");
        }
    }
}
