//! Connections of the HTTP wires: how many, how large and how slow the head of a request may be, and
//! how each is closed when whoever is on it reads nothing or the server ends.

use std::{io, sync::Arc, time::Duration};

use axum::{Router, http::StatusCode, response::IntoResponse as _};
use futures_util::future::{Either, ready};
use hyper::{Request, body::Incoming, server::conn::http1, service::Service as _};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;

/// What connections may cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowed {
    /// How many may be open; further ones wait to be accepted.
    pub(crate) connections: usize,
    /// How many bytes the head of a request may have.
    pub(crate) head_bytes: usize,
    /// How long a head may take, and how long a connection may say nothing between two requests.
    pub(crate) head_time: Duration,
    /// How long what is left may take to end when the server does.
    pub(crate) grace: Duration,
}

/// The connection of a request, as a route sees it.
#[derive(Debug, Clone)]
#[cfg_attr(
    not(feature = "serve"),
    expect(dead_code, reason = "only the serve wire hangs up")
)]
pub(crate) struct Connection(CancellationToken);

#[cfg(feature = "serve")]
impl Connection {
    /// Closes the connection.
    pub(crate) fn token(&self) -> CancellationToken {
        self.0.clone()
    }
}

/// How long to wait after the system gave no connection.
const AFTER_FAULT: Duration = Duration::from_millis(50);

/// Answers on `listener` until `end` ends; `closing` is then called, and what is left of
/// connections after the grace is closed.
pub(crate) async fn accept(
    allowed: Allowed,
    clock: &dyn Clock,
    listener: TcpListener,
    router: Router,
    end: CancellationToken,
    closing: impl FnOnce(),
) {
    let places = allowed.connections.clamp(1, Semaphore::MAX_PERMITS);
    let places = Arc::new(Semaphore::new(places));
    let mut open = JoinSet::new();
    loop {
        // Whom there is no place for waits in the queue of the system.
        let place = tokio::select! {
            biased;
            () = end.cancelled() => break,
            place = Arc::clone(&places).acquire_owned() => place,
        };
        let accepted = tokio::select! {
            biased;
            () = end.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        while open.try_join_next().is_some() {}
        match accepted {
            Ok((stream, _)) => {
                let (router, end) = (router.clone(), end.clone());
                open.spawn(async move {
                    serve(allowed, stream, router, end).await;
                    drop(place);
                });
            }
            // Out of file descriptors, or a peer that went away at once.
            Err(_) => tokio::time::sleep(AFTER_FAULT).await,
        }
    }
    closing();
    let until = clock.monotonic() + allowed.grace;
    tokio::select! {
        () = async { while open.join_next().await.is_some() {} } => {}
        () = clock.sleep_until(until) => {}
    }
}

/// How many bytes the head of `request` had, blanks around values left out.
fn head_bytes(request: &Request<Incoming>) -> usize {
    let line = request.method().as_str().len() + request.uri().to_string().len();
    let fields = request.headers().iter();
    line + fields
        .map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len())
        .sum::<usize>()
}

async fn serve(allowed: Allowed, stream: TcpStream, router: Router, end: CancellationToken) {
    // A message is small, and a peer waits for it. Without it everything works, later.
    let _: io::Result<()> = stream.set_nodelay(true);
    let closed = CancellationToken::new();
    let connection = Connection(closed.clone());
    let service = TowerToHyperService::new(router);
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        if head_bytes(&request) > allowed.head_bytes {
            let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
            return Either::Left(ready(Ok(status.into_response())));
        }
        request.extensions_mut().insert(connection.clone());
        Either::Right(service.call(request))
    });
    let http = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(allowed.head_time)
        // The smallest that the parser takes is 8 KiB. It looks only while it waits for more, so a
        // head that comes in few pieces may be larger.
        .max_buf_size(allowed.head_bytes.max(8 << 10))
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(http);
    tokio::select! {
        _ = http.as_mut() => return,
        () = closed.cancelled() => return,
        () = end.cancelled() => http.as_mut().graceful_shutdown(),
    }
    tokio::select! {
        _ = http => {}
        () = closed.cancelled() => {}
    }
}
