//! A server that is reached over streamable HTTP: the requests of `rmcp`'s transport, with answers
//! that are read as text before any type of an SDK sees them.
//!
//! Refuses a redirect to another host, an answer without measure, and a call after the server has
//! begun anew: what it lists then is read first.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::{StreamExt as _, TryStreamExt as _, stream::BoxStream};
use reqwest::{
    Client, Response, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use rmcp::{
    model::{ClientJsonRpcMessage, ClientRequest, ErrorData, RequestId, ServerJsonRpcMessage},
    transport::{
        StreamableHttpClientTransport,
        common::client_side_sse::ExponentialBackoff,
        streamable_http_client::{
            HttpStatusError, SseError, StreamableHttpClient, StreamableHttpClientTransportConfig,
            StreamableHttpError, StreamableHttpPostResponse, StreamableHttpResponseLimits,
        },
    },
};
use sse_stream::{Sse, SseStream};

use super::{
    address::Address,
    raw::{Awaited, MAX_MESSAGE, with_named_headers},
    reach::{HttpClientError, client},
    state::State,
};
use crate::text::chain;

/// How long it takes at most until a stream that broke is asked for again.
const RETRY: Duration = Duration::from_secs(30);
/// The most bytes of one answer in events: signs of life, and a message.
const MAX_EVENTS: usize = 2 * MAX_MESSAGE;

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";

type Fault = StreamableHttpError<reqwest::Error>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

/// Sends what a client says to one server, and reads what it answers.
#[derive(Clone)]
pub(super) struct Http {
    client: Client,
    awaited: Awaited,
    state: Arc<State>,
    has_begun: Arc<AtomicBool>,
}

impl Http {
    /// A client of `address`, with `headers` in each request.
    pub(super) fn new(
        address: &Address,
        headers: HeaderMap,
        state: Arc<State>,
    ) -> Result<Self, HttpClientError> {
        Ok(Self {
            client: client(address, headers)?,
            awaited: Awaited::new(Arc::clone(&state)),
            state,
            has_begun: Arc::default(),
        })
    }

    /// A connection to `address`.
    pub(super) fn transport(&self, address: &Address) -> StreamableHttpClientTransport<Self> {
        let mut config = StreamableHttpClientTransportConfig::with_uri(address.as_str())
            .max_sse_event_size(MAX_MESSAGE);
        let mut retry = ExponentialBackoff::default();
        retry.max_delay = Some(RETRY);
        config.retry_config = Arc::new(retry);
        StreamableHttpClientTransport::with_client(self.clone(), config)
    }

    /// What is answered in place of the server. Once it has begun anew, nobody knows what its tools
    /// are until its list is read, so no call goes out.
    fn held_back(&self, message: &ClientJsonRpcMessage) -> Option<StreamableHttpPostResponse> {
        let ClientJsonRpcMessage::Request(request) = message else {
            return None;
        };
        match &request.request {
            ClientRequest::InitializeRequest(_) => {
                if self.has_begun.swap(true, Ordering::SeqCst) {
                    self.state.forget_all();
                }
                None
            }
            ClientRequest::CallToolRequest(call)
                if self.state.digest(&call.params.name).is_none() =>
            {
                self.state.hold_back(&request.id);
                let error = ErrorData::internal_error("held back", None);
                let answer = ServerJsonRpcMessage::error(error, Some(request.id.clone()));
                Some(StreamableHttpPostResponse::Json(answer, None))
            }
            _ => None,
        }
    }

    async fn post(
        &self,
        url: &str,
        message: &ClientJsonRpcMessage,
        session: Option<&str>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Fault> {
        let mut request = self
            .client
            .post(url)
            .headers(headers.into_iter().collect())
            .header(ACCEPT, format!("{JSON}, {EVENTS}"));
        if let Some(session) = session {
            request = request.header(SESSION, session);
        }
        let response = request.json(message).send().await.map_err(nameless)?;
        let status = response.status();
        match status {
            StatusCode::ACCEPTED | StatusCode::NO_CONTENT => {
                return Ok(StreamableHttpPostResponse::Accepted);
            }
            StatusCode::NOT_FOUND if session.is_some() => return Err(Fault::SessionExpired),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                return Err(unexpected(format!("HTTP {status}: it asks who calls")));
            }
            _ if status.is_redirection() => {
                return Err(unexpected(format!(
                    "HTTP {status}: a redirect to another host, or one that loses the message, \
                     is not followed"
                )));
            }
            _ => {}
        }
        let has_session = session.is_some();
        let session = header(&response, SESSION);
        let kind = header(&response, CONTENT_TYPE).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if status.is_success() && kind.eq_ignore_ascii_case(EVENTS) {
            return Ok(StreamableHttpPostResponse::Sse(
                self.events(response),
                session,
            ));
        }
        let ClientJsonRpcMessage::Request(request) = message else {
            return match status.is_success() {
                true => Ok(StreamableHttpPostResponse::Accepted),
                false => Err(of_status(status)),
            };
        };
        let body = whole(response).await?;
        match self.awaited.read(&body) {
            Some(ServerJsonRpcMessage::Error(error))
                if status == StatusCode::BAD_REQUEST
                    && has_session
                    && is_of_session(&error.error) =>
            {
                Err(Fault::SessionExpired)
            }
            // An error that answers no request of ours answers this one.
            Some(ServerJsonRpcMessage::Error(error)) => {
                let error = ServerJsonRpcMessage::error(error.error, Some(request.id.clone()));
                Ok(StreamableHttpPostResponse::Json(error, session))
            }
            Some(message) if status.is_success() => {
                let message = with_named_headers(message);
                Ok(StreamableHttpPostResponse::Json(message, session))
            }
            _ if !status.is_success() => Err(of_status(status)),
            _ => Err(unexpected(
                "the answer is no message of the protocol".to_owned(),
            )),
        }
    }

    /// The events of an answer, each read as text.
    fn events(&self, response: Response) -> Events {
        let mut bytes = 0;
        let limited = response.bytes_stream().map(move |chunk| {
            let chunk = chunk.map_err(std::io::Error::other)?;
            bytes += chunk.len();
            match bytes > MAX_EVENTS {
                true => Err(std::io::Error::from(std::io::ErrorKind::FileTooLarge)),
                false => Ok(chunk),
            }
        });
        self.read_each(SseStream::from_bytes_stream(limited).boxed())
    }

    /// Events whose messages the transport can read without losing what an SDK's types would.
    fn read_each(&self, events: Events) -> Events {
        let awaited = self.awaited.clone();
        let read = move |mut event: Sse| {
            let message = event
                .data
                .take()
                .and_then(|text| awaited.read(text.as_bytes()))
                .map(with_named_headers);
            event.data = message.and_then(|message| serde_json::to_string(&message).ok());
            event
        };
        events.map_ok(read).boxed()
    }
}

impl StreamableHttpClient for Http {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Fault> {
        if let Some(answer) = self.held_back(&message) {
            return Ok(answer);
        }
        self.awaited.note(&message);
        let sent = self.post(&uri, &message, session.as_deref(), headers).await;
        if sent.is_err()
            && let Some(id) = id(&message)
        {
            self.awaited.forget(id);
        }
        sent
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        _: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Fault> {
        // The limits are ours, and the same for every server.
        self.post_message(uri, message, session, token, headers)
            .await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Fault> {
        let client = &self.client;
        client.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<Events, Fault> {
        let events = self
            .client
            .get_stream_with_max_sse_event_size(
                uri,
                session,
                last_event,
                token,
                headers,
                MAX_MESSAGE,
            )
            .await?;
        Ok(self.read_each(events))
    }
}

/// What a person is told of a failure here, where the transport's own words are not enough.
pub(super) fn told(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    match error.downcast_ref::<Fault>()? {
        Fault::Client(error) => Some(chain(error)),
        Fault::UnexpectedServerResponse(what) => Some(what.clone().into_owned()),
        Fault::HttpStatus(error) => Some(match StatusCode::from_u16(error.status) {
            Ok(status) => format!("HTTP {status}"),
            Err(_) => error.to_string(),
        }),
        _ => None,
    }
}

/// Whether an answer came that is larger than what is read.
pub(super) fn is_too_large(error: &(dyn std::error::Error + 'static)) -> bool {
    matches!(
        error.downcast_ref(),
        Some(Fault::ResponseBodyTooLarge { .. })
    )
}

/// Whether the server, or something before it, did not take a request for one.
pub(super) fn is_bad_request(error: &(dyn std::error::Error + 'static)) -> bool {
    let bad = StatusCode::BAD_REQUEST.as_u16();
    matches!(error.downcast_ref(), Some(Fault::HttpStatus(error)) if error.status == bad)
}

/// The whole body, unless it is without measure.
async fn whole(response: Response) -> Result<Vec<u8>, Fault> {
    let too_large = || Fault::ResponseBodyTooLarge {
        max_size: MAX_MESSAGE,
    };
    let mut body = Vec::new();
    let mut chunks = response.bytes_stream();
    while let Some(chunk) = chunks.try_next().await.map_err(nameless)? {
        if body.len() + chunk.len() > MAX_MESSAGE {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Whether an error of status 400 says that the session is not known, which the protocol says with
/// 404. The server has done nothing then, and what was sent may be sent again.
fn is_of_session(error: &ErrorData) -> bool {
    error.message.to_ascii_lowercase().contains("session")
}

fn header(response: &Response, name: HeaderName) -> Option<String> {
    let value = response.headers().get(name)?;
    Some(value.to_str().ok()?.to_owned())
}

fn id(message: &ClientJsonRpcMessage) -> Option<&RequestId> {
    match message {
        ClientJsonRpcMessage::Request(request) => Some(&request.id),
        _ => None,
    }
}

/// The error without the address, which may hold what is for the server alone.
fn nameless(error: reqwest::Error) -> Fault {
    Fault::Client(error.without_url())
}

fn of_status(status: StatusCode) -> Fault {
    Fault::HttpStatus(HttpStatusError::new(status.as_u16(), None))
}

fn unexpected(what: String) -> Fault {
    Fault::UnexpectedServerResponse(what.into())
}
