//! The message of a request, read before anything acts on it. Refuses a body without measure, one
//! that does not come, one that is no message, and a session for which there is no place.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, ServerJsonRpcMessage,
};

use tokio::sync::Semaphore;

use super::{
    HttpLimits,
    sessions::{SESSION, Sessions, beginning_at},
};
use crate::mcp::frame::{self, Frame, MAX_MESSAGE, Refusal};

/// A permit stands for so many bytes.
const UNIT: usize = 1 << 10;

/// What reads messages.
#[derive(Clone)]
pub(super) struct Reader {
    sessions: Arc<Sessions>,
    room: Arc<Semaphore>,
    body_time: Duration,
}

impl Reader {
    pub(super) fn new(sessions: Arc<Sessions>, limits: &HttpLimits) -> Self {
        // Every body that may come at all finds room.
        let bytes = limits.bodies_bytes.max(MAX_MESSAGE);
        Self {
            sessions,
            room: Arc::new(Semaphore::new((bytes / UNIT).min(Semaphore::MAX_PERMITS))),
            body_time: limits.body_time,
        }
    }

    /// The body, or the answer to a request whose body is not taken.
    async fn body(&self, headers: &HeaderMap, body: Body) -> Result<Bytes, Response> {
        let told = headers.get(header::CONTENT_LENGTH);
        let told: Option<usize> = told.and_then(|length| length.to_str().ok()?.parse().ok());
        let bytes = told.unwrap_or(MAX_MESSAGE).clamp(1, MAX_MESSAGE);
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        let read = async {
            let _room = self.room.acquire_many(units).await;
            to_bytes(body, MAX_MESSAGE).await
        };
        match tokio::time::timeout(self.body_time, read).await {
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(_)) => {
                let refusal = *Refusal::too_large();
                Err(refused(StatusCode::PAYLOAD_TOO_LARGE, refusal))
            }
            Err(_) => Err(StatusCode::REQUEST_TIMEOUT.into_response()),
        }
    }
}

/// After how many seconds a client may try again that found no place.
const RETRY_AFTER: u16 = 5;

/// Reads the message of a request, and passes on what is one.
pub(super) async fn read(State(reader): State<Reader>, request: Request, next: Next) -> Response {
    if request.method() == Method::DELETE && !reader.sessions.has(request.headers()) {
        return StatusCode::NOT_FOUND.into_response();
    }
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let bytes = match reader.body(&parts.headers, body).await {
        Ok(bytes) => bytes,
        Err(response) => return response,
    };
    let Frame { message, arguments } = match frame::read(&bytes) {
        Ok(frame) => frame,
        Err(refusal) => return refused(StatusCode::BAD_REQUEST, *refusal),
    };
    let begins = begins_session(&message, &parts.headers);
    let place = begins.then(|| reader.sessions.place()).flatten();
    if begins && place.is_none() {
        return no_place(message);
    }
    let body = match arguments {
        // The arguments go beside the message, as they came.
        Some(arguments) => {
            parts.extensions.insert(arguments);
            parts.headers.remove(header::CONTENT_LENGTH);
            match serde_json::to_vec(&message) {
                Ok(bytes) => Body::from(bytes),
                Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            }
        }
        None => Body::from(bytes),
    };
    beginning_at(place, next.run(Request::from_parts(parts, body))).await
}

/// Whether the message would begin a session.
fn begins_session(message: &ClientJsonRpcMessage, headers: &HeaderMap) -> bool {
    let begins = matches!(
        message,
        JsonRpcMessage::Request(request)
            if matches!(request.request, ClientRequest::InitializeRequest(_))
    );
    begins && !headers.contains_key(SESSION)
}

fn no_place(message: ClientJsonRpcMessage) -> Response {
    let id = match message {
        JsonRpcMessage::Request(request) => Some(request.id),
        _ => None,
    };
    let what = "there are as many sessions as there may be; end one, or try again later";
    let refusal = Refusal {
        id,
        error: ErrorData::invalid_request(what, None),
        is_answered: true,
    };
    let mut response = refused(StatusCode::TOO_MANY_REQUESTS, refusal);
    let headers = response.headers_mut();
    headers.insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER));
    response
}

fn refused(status: StatusCode, refusal: Refusal) -> Response {
    let answer = ServerJsonRpcMessage::error(refusal.error, refusal.id);
    let text = serde_json::to_string(&answer).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}
