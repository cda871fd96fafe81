//! The routes, and what stands in front of them: for whom a request is, who it comes from, and
//! only then what it wants.

use std::sync::Arc;

use axum::{
    Extension, Json, Router,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use toolcontract_protocol::{
    frame::{ApprovalAnswerIn, CancelIn, ToolResultIn},
    session::{Accepted, SessionCreated, SessionState, TurnCreated},
};

use super::{
    address::{Asked, Id},
    open,
    refusal::Refusal,
    server::Shared,
    stream::{self, From},
};
use crate::{connection::Connection, nonce::nonce};

type Answer<T> = Result<Json<T>, Refusal>;
type Server = State<Arc<Shared>>;

/// Every route.
pub(super) fn router(shared: &Arc<Shared>) -> Router {
    let guarded = Router::new()
        .route("/v1/metrics", get(metrics))
        .route("/v1/turns", post(open_turn))
        .route("/v1/turns/{id}/events", get(events))
        .route("/v1/turns/{id}/tool-result", post(tool_result))
        .route("/v1/turns/{id}/approval-answer", post(approval_answer))
        .route("/v1/turns/{id}/cancel", post(cancel))
        .route("/v1/sessions", post(open_session))
        .route("/v1/sessions/{id}", get(session).delete(close_session))
        .route("/v1/sessions/{id}/turns", post(open_session_turn))
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(from_fn_with_state(Arc::clone(shared), authenticated));
    Router::new()
        .route("/healthz", get(healthy))
        .route("/readyz", get(ready))
        .merge(guarded)
        .layer(from_fn_with_state(Arc::clone(shared), addressed))
        .with_state(Arc::clone(shared))
}

/// Refuses a request for another host, and names every request.
async fn addressed(State(shared): Server, request: Request<Body>, next: Next) -> Response {
    let id = request_id(request.headers());
    let mut response = if shared.hosts.admit(request.uri(), request.headers()) {
        next.run(request).await
    } else {
        shared.counters.wrong_host.add();
        let text =
            "the server does not answer to this host name; allow it where the server is started";
        Refusal::new(StatusCode::FORBIDDEN, "wrong_host", text).into_response()
    };
    if let Some(id) = id {
        let name = HeaderName::from_static("x-request-id");
        response.headers_mut().insert(name, id);
    }
    response
}

/// The longest name of a request that is given back, in bytes.
const MAX_REQUEST_ID: usize = 128;

fn request_id(headers: &HeaderMap) -> Option<HeaderValue> {
    let told = headers.get("x-request-id").filter(|id| {
        let bytes = id.as_bytes();
        (1..=MAX_REQUEST_ID).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
    });
    match told {
        Some(id) => Some(id.clone()),
        None => HeaderValue::try_from(nonce()?).ok(),
    }
}

/// Refuses a request without the token.
async fn authenticated(
    State(shared): Server,
    request: Request<Body>,
    next: Next,
) -> Result<Response, Refusal> {
    let admitted =
        shared
            .doorkeeper
            .admit(request.headers(), &shared.limits, shared.clock.as_ref());
    if let Err(refusal) = admitted.await {
        shared.counters.unauthorized.add();
        return Err(refusal);
    }
    Ok(next.run(request).await)
}

async fn healthy() -> Json<Accepted> {
    Json(Accepted::Ok)
}

async fn ready(State(shared): Server) -> (StatusCode, Json<Value>) {
    if shared.closing.is_cancelled() {
        let state = json!({ "state": "closing" });
        return (StatusCode::SERVICE_UNAVAILABLE, Json(state));
    }
    (StatusCode::OK, Json(json!({ "state": "ready" })))
}

async fn metrics(State(shared): Server) -> Json<Value> {
    let (frames, bytes) = shared.turns.kept();
    Json(json!({
        "counts": shared.counters.now(),
        "turns_running": shared.turns.running(),
        "frames_kept": frames,
        "frame_bytes_kept": bytes,
    }))
}

async fn open_turn(State(shared): Server, request: Request<Body>) -> Answer<TurnCreated> {
    let spec = body(&shared, request).await?;
    open::turn(&shared, spec).map(Json)
}

async fn open_session(State(shared): Server, request: Request<Body>) -> Answer<SessionCreated> {
    let spec = body(&shared, request).await?;
    open::session(&shared, spec).map(Json)
}

async fn open_session_turn(
    State(shared): Server,
    Id(id): Id,
    request: Request<Body>,
) -> Answer<TurnCreated> {
    let spec = body(&shared, request).await?;
    open::session_turn(&shared, &id, spec).map(Json)
}

async fn session(State(shared): Server, Id(id): Id) -> Answer<SessionState> {
    let now = shared.clock.monotonic();
    shared.sessions.state(&id, &shared.limits, now).map(Json)
}

async fn close_session(State(shared): Server, Id(id): Id) -> Answer<Accepted> {
    if let Some(turn) = shared.sessions.close(&id)? {
        // A turn that has just ended needs no cancelling.
        if let Ok(turn) = shared.turns.get(&turn) {
            turn.cancel(Some("the session was closed"));
        }
    }
    Ok(Json(Accepted::Ok))
}

async fn events(
    State(shared): Server,
    Id(id): Id,
    Asked(from): Asked<From>,
    headers: HeaderMap,
    Extension(connection): Extension<Connection>,
) -> Result<Response, Refusal> {
    let live = shared.turns.get(&id)?;
    stream::stream(&live, &from, &headers, &connection)
}

async fn tool_result(
    State(shared): Server,
    Id(id): Id,
    request: Request<Body>,
) -> Answer<Accepted> {
    let result: ToolResultIn = body(&shared, request).await?;
    let live = shared.turns.get(&id)?;
    live.line.result(&result.request_id, result.output)?;
    Ok(Json(Accepted::Ok))
}

async fn approval_answer(
    State(shared): Server,
    Id(id): Id,
    request: Request<Body>,
) -> Answer<Accepted> {
    let answer: ApprovalAnswerIn = body(&shared, request).await?;
    let live = shared.turns.get(&id)?;
    let said = (answer.answer, answer.answered_by);
    live.line.answer(&answer.approval_id, said)?;
    Ok(Json(Accepted::Ok))
}

async fn cancel(State(shared): Server, Id(id): Id, request: Request<Body>) -> Answer<Accepted> {
    let cancel: CancelIn = body_or(&shared, request, b"{}").await?;
    let live = shared.turns.get(&id)?;
    live.cancel(cancel.reason.as_deref());
    Ok(Json(Accepted::Ok))
}

async fn no_route() -> Refusal {
    Refusal::not_found("unknown_route", "there is no such route")
}

async fn no_method() -> Refusal {
    let text = "this route does not take this method; `Allow` says which it takes";
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", text)
}

async fn body<T: DeserializeOwned>(shared: &Shared, request: Request<Body>) -> Result<T, Refusal> {
    body_or(shared, request, b"").await
}

/// The body, or `absent` in place of one without bytes.
async fn body_or<T: DeserializeOwned>(
    shared: &Shared,
    request: Request<Body>,
    absent: &'static [u8],
) -> Result<T, Refusal> {
    let read = shared
        .bodies
        .read(request, shared.clock.as_ref(), absent)
        .await;
    if read.is_err() {
        shared.counters.bodies_refused.add();
    }
    read
}
