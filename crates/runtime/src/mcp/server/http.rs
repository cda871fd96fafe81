//! Streamable HTTP, at `/mcp`. A browser page reaches nothing that it was not let in to: `Host` and
//! `Origin` are checked. A program elsewhere reaches nothing without the token.
//!
//! A body without measure, one that does not come, and one that is no message are refused before
//! anything acts on them.

use std::{convert::Infallible, io, net::IpAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use rmcp::{
    model::ServerJsonRpcMessage,
    transport::{
        StreamableHttpServerConfig, StreamableHttpService,
        streamable_http_server::session::local::LocalSessionManager,
    },
};
use subtle::ConstantTimeEq as _;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{Handler, Server};
use crate::mcp::frame::{self, MAX_MESSAGE, Refusal};

/// How long the body of a request may take to come.
const BODY: Duration = Duration::from_secs(30);

/// Who may connect.
#[derive(Clone, Default)]
pub struct Access {
    /// What a client must send as bearer token. Without one, only the machine itself is served.
    pub token: Option<String>,
    /// Names under which clients know the server, beside those of the machine itself.
    pub hosts: Vec<String>,
    /// Origins whose pages may call, such as `https://app.example.com:443`. Without one, no page
    /// may.
    pub origins: Vec<String>,
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Access")
            .field("token", &self.token.as_ref().map(|_| "not shown"))
            .field("hosts", &self.hosts)
            .field("origins", &self.origins)
            .finish()
    }
}

/// Why HTTP is not served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// Everybody on the network could call.
    #[error(
        "`{0}` is not an address of this machine alone; set a token, or use a loopback address"
    )]
    Unprotected(IpAddr),
    /// The token can be guessed.
    #[error("the token has fewer than {0} characters")]
    ShortToken(usize),
    /// The system does not serve.
    #[error("cannot serve on this address")]
    Io(#[from] io::Error),
}

/// The shortest token.
const TOKEN: usize = 16;

impl Server {
    /// Serves clients over HTTP until `over` ends.
    ///
    /// # Errors
    /// When others than the machine itself could call without a token.
    pub async fn serve_http(
        &self,
        listener: TcpListener,
        access: Access,
        over: CancellationToken,
    ) -> Result<(), HttpError> {
        let ip = listener.local_addr()?.ip();
        match &access.token {
            None if !ip.is_loopback() => return Err(HttpError::Unprotected(ip)),
            Some(token) if token.len() < TOKEN => return Err(HttpError::ShortToken(TOKEN)),
            None | Some(_) => {}
        }
        let app = self.router(access, over.clone());
        axum::serve(listener, app)
            .with_graceful_shutdown(over.cancelled_owned())
            .await?;
        Ok(())
    }

    fn router(&self, access: Access, over: CancellationToken) -> Router {
        let mut config = StreamableHttpServerConfig::default()
            .enforce_origin_validation()
            .with_max_request_body_bytes(MAX_MESSAGE)
            .with_cancellation_token(over);
        config.allowed_hosts.extend(access.hosts);
        config.allowed_origins = access.origins;
        let shared = Arc::clone(&self.shared);
        let service = StreamableHttpService::new(
            move || Ok(Handler::of_requests(Arc::clone(&shared))),
            Arc::new(LocalSessionManager::default()),
            config,
        );
        let token = access.token.map(Arc::from);
        Router::new()
            .route_service("/mcp", service)
            .layer(middleware::from_fn(read))
            .layer(middleware::from_fn_with_state(token, authenticate))
    }
}

async fn authenticate(
    State(token): State<Option<Arc<str>>>,
    request: Request,
    next: Next,
) -> Result<Response, StatusCode> {
    match token {
        Some(token) if !carries(request.headers(), &token) => Err(StatusCode::UNAUTHORIZED),
        Some(_) | None => Ok(next.run(request).await),
    }
}

/// Whether the bearer token of a request is `token`. Takes as long for a wrong one.
fn carries(headers: &HeaderMap, token: &str) -> bool {
    let given = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    given.is_some_and(|(_, given)| bool::from(given.trim().as_bytes().ct_eq(token.as_bytes())))
}

/// Reads the message of a request, and passes on what is one.
async fn read(request: Request, next: Next) -> Result<Response, Infallible> {
    if request.method() != Method::POST {
        return Ok(next.run(request).await);
    }
    let (mut parts, body) = request.into_parts();
    let bytes = match tokio::time::timeout(BODY, to_bytes(body, MAX_MESSAGE)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => {
            return Ok(refused(
                StatusCode::PAYLOAD_TOO_LARGE,
                *Refusal::too_large(),
            ));
        }
        Err(_) => return Ok(StatusCode::REQUEST_TIMEOUT.into_response()),
    };
    let frame = match frame::read(&bytes) {
        Ok(frame) => frame,
        Err(refusal) => return Ok(refused(StatusCode::BAD_REQUEST, *refusal)),
    };
    let body = match frame.arguments {
        // The arguments go beside the message, as they came.
        Some(arguments) => {
            parts.extensions.insert(arguments);
            parts.headers.remove(header::CONTENT_LENGTH);
            match serde_json::to_vec(&frame.message) {
                Ok(bytes) => Body::from(bytes),
                Err(_) => return Ok(StatusCode::INTERNAL_SERVER_ERROR.into_response()),
            }
        }
        None => Body::from(bytes),
    };
    Ok(next.run(Request::from_parts(parts, body)).await)
}

fn refused(status: StatusCode, refusal: Refusal) -> Response {
    let answer = ServerJsonRpcMessage::error(refusal.error, refusal.id);
    let text = serde_json::to_string(&answer).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}
