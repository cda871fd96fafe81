//! Streamable HTTP, at `/mcp`. A browser page reaches nothing that it was not let in to: `Host` and
//! `Origin` are checked. A program elsewhere reaches nothing without the token.
//!
//! Connections, heads, bodies and sessions are bounded in number, size and time; what is no message
//! is refused before anything acts on it.

mod limits;
mod message;
mod sessions;

use std::{io, net::IpAddr, sync::Arc};

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::{self, Next},
    response::Response,
};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use subtle::ConstantTimeEq as _;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{Handler, Running, Server};
use crate::{
    clock::SystemClock,
    connection::{self, Allowed},
    hosts::{AllowedHosts, HostName},
    mcp::frame::MAX_MESSAGE,
};
pub use limits::HttpLimits;
use message::{Reader, read};
use sessions::Sessions;

/// Who may connect, and what that may cost.
#[derive(Clone, Default)]
pub struct Access {
    /// What a client must send as bearer token. Without one, only the machine itself is served.
    pub token: Option<String>,
    /// Names under which clients know the server, beside those of the machine itself.
    pub hosts: Vec<HostName>,
    /// Origins whose pages may call, such as `https://app.example.com:443`. Without one, no page
    /// may.
    pub origins: Vec<String>,
    /// How many clients, and how slow and large they may be.
    pub limits: HttpLimits,
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Access")
            .field("token", &self.token.as_ref().map(|_| "not shown"))
            .field("hosts", &self.hosts)
            .field("origins", &self.origins)
            .field("limits", &self.limits)
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

impl Access {
    /// Whether it may be served at `ip` on these terms.
    ///
    /// # Errors
    /// When others than the machine itself could call without a token, or guess it.
    pub fn admits(&self, ip: IpAddr) -> Result<(), HttpError> {
        match &self.token {
            None if !ip.is_loopback() => Err(HttpError::Unprotected(ip)),
            Some(token) if token.len() < TOKEN => Err(HttpError::ShortToken(TOKEN)),
            None | Some(_) => Ok(()),
        }
    }
}

impl Server {
    /// Serves clients over HTTP until `over` ends; calls that run then are given up.
    ///
    /// # Errors
    /// When others than the machine itself could call without a token.
    pub async fn serve_http(
        &self,
        listener: TcpListener,
        access: Access,
        over: CancellationToken,
    ) -> Result<(), HttpError> {
        access.admits(listener.local_addr()?.ip())?;
        let limits = access.limits;
        let allowed = Allowed {
            connections: limits.connections,
            head_bytes: limits.head_bytes,
            head_time: limits.head_time,
            grace: limits.grace,
        };
        let running = self.shared.running.part();
        let app = self.router(access, over.clone(), running.clone());
        let clock = SystemClock::default();
        let closing = || running.give_up();
        connection::accept(allowed, &clock, listener, app, over, closing).await;
        Ok(())
    }

    fn router(&self, access: Access, over: CancellationToken, running: Running) -> Router {
        let mut config = StreamableHttpServerConfig::default()
            .enforce_origin_validation()
            .with_max_request_body_bytes(MAX_MESSAGE)
            // It reads one `Host` of several; ours refuses such a request.
            .disable_allowed_hosts()
            .with_cancellation_token(over);
        config.allowed_origins = access.origins;
        let shared = Arc::clone(&self.shared);
        let sessions = Arc::new(Sessions::new(&access.limits));
        let reader = Reader::new(Arc::clone(&sessions), &access.limits);
        let service = StreamableHttpService::new(
            move || Ok(Handler::of_requests(Arc::clone(&shared), running.clone())),
            sessions,
            config,
        );
        let token = access.token.map(Arc::from);
        let hosts = Arc::new(AllowedHosts::loopback_and(&access.hosts));
        Router::new()
            .route_service("/mcp", service)
            .layer(middleware::from_fn_with_state(reader, read))
            .layer(middleware::from_fn_with_state(token, authenticate))
            .layer(middleware::from_fn_with_state(hosts, addressed))
    }
}

async fn addressed(
    State(hosts): State<Arc<AllowedHosts>>,
    request: Request,
    next: Next,
) -> Result<Response, (StatusCode, &'static str)> {
    match hosts.admit(request.uri(), request.headers()) {
        true => Ok(next.run(request).await),
        false => Err((
            StatusCode::FORBIDDEN,
            "this server does not answer to this host name",
        )),
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
