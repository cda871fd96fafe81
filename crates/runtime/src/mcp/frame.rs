//! One message of a client, read before the library that acts on it.
//!
//! Refuses what is no JSON-RPC, a member that is there twice, and a call that is not shaped like
//! one. The arguments of a call are cut out as they came: the registry reads them, with the same
//! limits and the same refusals as on every other surface.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, ErrorData,
    JsonObject, RequestId, RequestMetaObject, ServerJsonRpcMessage,
};
use serde_json::{Value, value::RawValue};
use toolcontract_manifest::members::Members;
use toolcontract_schema::bounds::{self, Limits, Numbers};

/// How many bytes one message may have.
pub(crate) const MAX_MESSAGE: usize = 4 << 20;

/// The methods of the protocol that this server has.
const METHODS: [&str; 4] = ["initialize", "server/discover", "tools/list", "tools/call"];

/// The arguments of a call, as they came.
#[derive(Debug, Clone)]
pub(crate) struct Arguments(pub(crate) Arc<str>);

/// A message that may be passed on.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) message: ClientJsonRpcMessage,
    /// Of a call of a tool.
    pub(crate) arguments: Option<Arguments>,
}

/// Why a message is not passed on.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The request that it refuses; none where there is none, or its id cannot be read.
    pub(crate) id: Option<RequestId>,
    pub(crate) error: ErrorData,
    /// Whether the sender waits for an answer. A notification and an answer are never answered.
    pub(crate) is_answered: bool,
}

impl Refusal {
    /// A message with more bytes than are read.
    pub(crate) fn too_large() -> Box<Self> {
        let text = format!("a message has at most {MAX_MESSAGE} bytes");
        Self::unread(ErrorData::invalid_request(text, None))
    }

    /// A request that is not taken.
    pub(crate) fn of(id: &RequestId, error: ErrorData) -> Box<Self> {
        Box::new(Self {
            id: Some(id.clone()),
            error,
            is_answered: true,
        })
    }

    fn unread(error: ErrorData) -> Box<Self> {
        Box::new(Self {
            id: None,
            error,
            is_answered: true,
        })
    }

    /// What the sender is told.
    pub(crate) fn into_answer(self) -> Option<ServerJsonRpcMessage> {
        self.is_answered
            .then(|| ServerJsonRpcMessage::error(self.error, self.id))
    }
}

/// Reads one message.
pub(crate) fn read(bytes: &[u8]) -> Result<Frame, Box<Refusal>> {
    if bytes.len() > MAX_MESSAGE {
        return Err(Refusal::too_large());
    }
    let whole: &RawValue = serde_json::from_slice(bytes).map_err(|error| {
        Refusal::unread(ErrorData::parse_error(format!("not JSON: {error}"), None))
    })?;
    let members: Members<'_> = serde_json::from_str(whole.get()).map_err(|_| {
        let what = "a message is one JSON object; lists of them are no longer part of the protocol";
        Refusal::unread(ErrorData::invalid_request(what, None))
    })?;
    let id = members
        .get("id")
        .and_then(|id| serde_json::from_str(id).ok());
    let refuse = |error| {
        Box::new(Refusal {
            is_answered: members.get("method").is_some() && members.get("id").is_some(),
            id: id.clone(),
            error,
        })
    };
    if let Some(key) = members.repeated() {
        return Err(refuse(twice(&key)));
    }
    if members.get("jsonrpc") != Some(r#""2.0""#) {
        let what = "`jsonrpc` of a message is `2.0`";
        return Err(refuse(ErrorData::invalid_request(what, None)));
    }
    match (members.get("method"), &id) {
        (Some(r#""tools/call""#), Some(id)) => {
            let params = members.get("params").unwrap_or("{}");
            let (params, meta, arguments) = call(params).map_err(refuse)?;
            let mut request = CallToolRequest::new(params);
            request.extensions.insert(meta);
            let request = ClientRequest::CallToolRequest(request);
            Ok(Frame {
                message: ClientJsonRpcMessage::request(request, id.clone()),
                arguments: Some(arguments),
            })
        }
        _ => Ok(Frame {
            message: other(whole.get()).map_err(refuse)?,
            arguments: None,
        }),
    }
}

/// Any message but a call.
fn other(text: &str) -> Result<ClientJsonRpcMessage, ErrorData> {
    let value = checked(text)?;
    // `rmcp` takes a cursor that is none for the beginning of the list.
    let cursor = value.pointer("/params/cursor");
    if cursor.is_some_and(|cursor| !cursor.is_string() && !cursor.is_null()) {
        return Err(ErrorData::invalid_params("`cursor` is text", None));
    }
    let message = serde_json::from_value(value)
        .map_err(|_| ErrorData::invalid_request("this is no message of the protocol", None))?;
    // What `rmcp` knows and cannot read, it takes for a request of somebody's own.
    if let ClientJsonRpcMessage::Request(request) = &message
        && let ClientRequest::CustomRequest(custom) = &request.request
        && METHODS.contains(&custom.method.as_str())
    {
        let what = "the parameters are not those of this method";
        return Err(ErrorData::invalid_params(what, None));
    }
    Ok(message)
}

type Call = (CallToolRequestParams, RequestMetaObject, Arguments);

/// The parameters of a call; its arguments are left as they are.
fn call(params: &str) -> Result<Call, ErrorData> {
    let invalid = |what: &'static str| ErrorData::invalid_params(what, None);
    let members: Members<'_> =
        serde_json::from_str(params).map_err(|_| invalid("`params` of a call is an object"))?;
    if let Some(key) = members.repeated() {
        return Err(twice(&key));
    }
    let member = |key| members.get(key).filter(|text| *text != "null");
    let name = member("name").and_then(|name| serde_json::from_str::<String>(name).ok());
    let name = name.ok_or_else(|| invalid("`name` of a call is the name of a tool"))?;
    let arguments = member("arguments").unwrap_or("{}");
    if !arguments.starts_with('{') {
        return Err(invalid("`arguments` of a call is an object"));
    }
    let meta = match member("_meta") {
        None => JsonObject::new(),
        Some(meta) => object(meta).ok_or_else(|| invalid("`_meta` is an object"))?,
    };
    let mut call = CallToolRequestParams::new(name);
    if let Some(responses) = member("inputResponses") {
        let responses =
            object(responses).ok_or_else(|| invalid("`inputResponses` is an object"))?;
        call = call.with_input_responses(responses.into_iter().collect());
    }
    if let Some(state) = member("requestState") {
        let state: Option<String> = serde_json::from_str(state).ok();
        call = call.with_request_state(state.ok_or_else(|| invalid("`requestState` is text"))?);
    }
    Ok((
        call,
        RequestMetaObject(meta.into()),
        Arguments(Arc::from(arguments)),
    ))
}

fn object(text: &str) -> Option<JsonObject> {
    match checked(text) {
        Ok(Value::Object(object)) => Some(object),
        Ok(_) | Err(_) => None,
    }
}

/// The value of a text, each member once, within the limits.
fn checked(text: &str) -> Result<Value, ErrorData> {
    const LIMITS: Limits = Limits {
        bytes: MAX_MESSAGE,
        depth: 64,
        nodes: 100_000,
        numbers: Numbers::Any,
    };
    bounds::read(text.as_bytes(), &LIMITS)
        .map_err(|fault| ErrorData::invalid_request(fault.to_string(), None))
}

fn twice(key: &str) -> ErrorData {
    let key = crate::text::one_line(key, 64);
    ErrorData::invalid_request(format!("the member `{key}` is there twice"), None)
}

#[cfg(test)]
mod tests {
    use rmcp::model::ErrorCode;

    use super::*;

    fn refused(text: &str) -> (i32, bool) {
        let refusal = read(text.as_bytes()).expect_err(text);
        (refusal.error.code.0, refusal.is_answered)
    }

    fn passes(text: &str) -> Frame {
        read(text.as_bytes()).unwrap_or_else(|refusal| panic!("{text}: {:?}", refusal.error))
    }

    #[test]
    fn arguments_are_cut_out_as_they_came() {
        let text = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"x":1,"x":2}}}"#;
        let frame = passes(text);
        assert_eq!(&*frame.arguments.expect("a call").0, r#"{"x":1,"x":2}"#);
        let none = r#"{"jsonrpc":"2.0","id":"7","method":"tools/call","params":{"name":"a"}}"#;
        assert_eq!(&*passes(none).arguments.expect("a call").0, "{}");
        let list = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;
        assert!(passes(list).arguments.is_none());
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let code = |code: ErrorCode| code.0;
        let (parse, request, params) = (
            code(ErrorCode::PARSE_ERROR),
            code(ErrorCode::INVALID_REQUEST),
            code(ErrorCode::INVALID_PARAMS),
        );
        for (text, code, is_answered) in [
            ("{", parse, true),
            ("[]", request, true),
            (
                r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
                request,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","method":"a","method":"b"}"#,
                request,
                false,
            ),
            (r#"{"jsonrpc":"2.0","id":1}"#, request, false),
            (r#"{"id":1,"method":"ping"}"#, request, true),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":5}}"#,
                params,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
                params,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#,
                params,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}"#,
                params,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":[]}}"#,
                params,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}"#,
                request,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"p":1,"p":2}}}"#,
                params,
                true,
            ),
        ] {
            assert_eq!(refused(text), (code, is_answered), "{text}");
        }
    }
}
