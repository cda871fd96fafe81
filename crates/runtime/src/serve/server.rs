//! A server: what it is made of, and how it starts and ends.

use std::{io, net::SocketAddr, sync::Arc};

use tokio::net::{TcpListener, ToSocketAddrs};
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::Principal;

use super::{
    auth::{Doorkeeper, Token},
    body::Bodies,
    counts::{Counters, Counts},
    driver::Driver,
    limits::ServeLimits,
    routes,
    sessions::Sessions,
    turns::Turns,
};
use crate::{
    clock::{Clock, SystemClock},
    connection::{self, Allowed},
    hosts::{AllowedHosts, HostName},
    registry::Builder,
};

type Govern = Box<dyn Fn(&Principal) -> Builder + Send + Sync>;

/// A server before it listens.
pub struct Server {
    token: Token,
    govern: Govern,
    driver: Arc<dyn Driver>,
    hosts: Vec<HostName>,
    limits: ServeLimits,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("hosts", &self.hosts)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// A server for whoever holds `token`.
    ///
    /// `govern` begins the registry of each turn for its principal: gates, journal, limits, and
    /// tools that run here. The server adds the host's tools, sets the clock, and asks whom the
    /// host named when it opened the session. `driver` is the engine.
    #[must_use]
    pub fn new(
        token: Token,
        govern: impl Fn(&Principal) -> Builder + Send + Sync + 'static,
        driver: impl Driver,
    ) -> Self {
        Self {
            token,
            govern: Box::new(govern),
            driver: Arc::new(driver),
            hosts: Vec::new(),
            limits: ServeLimits::default(),
            clock: Arc::new(SystemClock::default()),
        }
    }

    /// Host names that the server answers to, beside loopback ones where it listens on loopback.
    #[must_use]
    pub fn hosts(self, hosts: Vec<HostName>) -> Self {
        Self { hosts, ..self }
    }

    /// The limits.
    #[must_use]
    pub fn limits(self, limits: ServeLimits) -> Self {
        Self { limits, ..self }
    }

    /// The clock. The machine's, unless said otherwise.
    #[must_use]
    pub fn clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock, ..self }
    }

    /// Listens at `address`; port 0 takes a free one. Nothing is answered before
    /// [`Listening::run`].
    ///
    /// # Errors
    /// What the system says about the address.
    pub async fn bind(self, address: impl ToSocketAddrs) -> io::Result<Listening> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            govern: self.govern,
            driver: self.driver,
            clock: self.clock,
            limits: self.limits,
            doorkeeper: Doorkeeper::new(self.token),
            hosts: AllowedHosts::at(address, &self.hosts),
            bodies: Bodies::new(self.limits),
            turns: Turns::default(),
            sessions: Sessions::default(),
            counters: Arc::default(),
            closing: CancellationToken::new(),
        });
        Ok(Listening {
            listener,
            address,
            shared,
        })
    }
}

/// What all requests share.
pub(super) struct Shared {
    pub(super) govern: Govern,
    pub(super) driver: Arc<dyn Driver>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) limits: ServeLimits,
    pub(super) doorkeeper: Doorkeeper,
    pub(super) hosts: AllowedHosts,
    pub(super) bodies: Bodies,
    pub(super) turns: Turns,
    pub(super) sessions: Sessions,
    pub(super) counters: Arc<Counters>,
    /// No turn is opened any more.
    pub(super) closing: CancellationToken,
}

/// A server that listens.
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Listening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Listening")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Listening {
    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Looks into the server while it runs.
    #[must_use]
    pub fn observer(&self) -> Observer {
        Observer(Arc::clone(&self.shared))
    }

    /// Answers until `end` ends. Turns that run then are cancelled; what is left of connections
    /// after the grace of the limits is closed.
    pub async fn run(self, end: CancellationToken) {
        let router = routes::router(&self.shared);
        let shared = &self.shared;
        let limits = &shared.limits;
        let allowed = Allowed {
            connections: limits.connections,
            head_bytes: limits.head_bytes,
            head_time: limits.head_time,
            grace: limits.grace,
        };
        let closing = || {
            shared.closing.cancel();
            shared.turns.cancel_all("the server ends");
        };
        let clock = shared.clock.as_ref();
        connection::accept(allowed, clock, self.listener, router, end, closing).await;
    }
}

/// Looks into a server while it runs.
#[derive(Clone)]
pub struct Observer(Arc<Shared>);

impl std::fmt::Debug for Observer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Observer").field(&self.counts()).finish()
    }
}

impl Observer {
    /// What happened since the server started.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.0.counters.now()
    }

    /// How many turns run.
    #[must_use]
    pub fn running(&self) -> usize {
        self.0.turns.running()
    }

    /// How many frames are kept for hosts, and how many bytes they have.
    #[must_use]
    pub fn kept(&self) -> (usize, usize) {
        self.0.turns.kept()
    }
}
