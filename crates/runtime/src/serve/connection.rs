//! Connections: how many, how large and how slow the head of a request may be, and how each is
//! closed when the host on it reads nothing or the server ends.

use std::{io, sync::Arc, time::Duration};

use axum::Router;
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

use super::server::Shared;

/// The connection of a request, as a route sees it.
#[derive(Debug, Clone)]
pub(super) struct Connection(CancellationToken);

impl Connection {
    /// Closes the connection.
    pub(super) fn token(&self) -> CancellationToken {
        self.0.clone()
    }
}

/// How long to wait after the system gave no connection.
const AFTER_FAULT: Duration = Duration::from_millis(50);

/// Answers on `listener` until `end` ends.
pub(super) async fn accept(
    shared: &Arc<Shared>,
    listener: TcpListener,
    router: Router,
    end: CancellationToken,
) {
    let places = Arc::new(Semaphore::new(
        shared.limits.connections.clamp(1, Semaphore::MAX_PERMITS),
    ));
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
                let (shared, router, end) = (Arc::clone(shared), router.clone(), end.clone());
                open.spawn(async move {
                    serve(&shared, stream, router, end).await;
                    drop(place);
                });
            }
            // Out of file descriptors, or a host that went away at once.
            Err(_) => tokio::time::sleep(AFTER_FAULT).await,
        }
    }
    shared.closing.cancel();
    shared.turns.cancel_all("the server ends");
    let until = shared.clock.monotonic() + shared.limits.grace;
    tokio::select! {
        () = async { while open.join_next().await.is_some() {} } => {}
        () = shared.clock.sleep_until(until) => {}
    }
}

async fn serve(shared: &Shared, stream: TcpStream, router: Router, end: CancellationToken) {
    // A frame is small, and a host waits for it. Without it everything works, later.
    let _: io::Result<()> = stream.set_nodelay(true);
    let closed = CancellationToken::new();
    let connection = Connection(closed.clone());
    let service = TowerToHyperService::new(router);
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(connection.clone());
        service.call(request)
    });
    let http = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(shared.limits.head_time)
        // The smallest that the parser takes is 8 KiB.
        .max_buf_size(shared.limits.head_bytes.max(8 << 10))
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
