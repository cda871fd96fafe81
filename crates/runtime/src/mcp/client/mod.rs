//! Tools of other MCP servers. What a server says of itself is a claim and buys nothing: its tools
//! are declared contracts, its hints are shown as claims, and a definition that changes is refused
//! until somebody registers it anew.
//!
//! `rmcp` speaks the protocol; definitions and results are read from their text.

#[cfg(feature = "mcp-http")]
mod address;
mod admit;
mod begin;
mod child;
mod config;
#[cfg(feature = "mcp-http")]
mod http;
mod list;
mod name;
mod news;
mod offer;
mod outcome;
mod raw;
#[cfg(feature = "mcp-http")]
mod reach;
mod remote;
mod state;
mod told;

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{sync::watch, task::JoinSet, time::Instant};
use toolcontract_manifest::import::Imported;

use crate::text::one_line;
#[cfg(feature = "mcp-http")]
pub use address::{Address, AddressError};
pub use admit::{Held, admit};
pub use child::Program;
pub use config::{ConfigError, configured};
pub use list::ListError;
pub use name::{is_name, qualified, split};
pub use offer::{Offered, Refused, Tool};
#[cfg(feature = "mcp-http")]
pub use reach::HttpClientError;
pub use remote::Remote;
use state::State;

/// How long a server may take to begin and list its tools, where nothing else is said.
pub const START: Duration = Duration::from_secs(30);
/// How long one call may take, where nothing else is said.
pub const CALL: Duration = Duration::from_secs(60);
/// How often a list is read again that changes while it is read.
const AGAIN: usize = 3;

/// Where a server is.
#[derive(Debug, Clone)]
pub enum Upstream {
    /// A process that is started.
    Program(Program),
    /// Elsewhere, over streamable HTTP.
    #[cfg(feature = "mcp-http")]
    Address(Address),
}

impl Upstream {
    /// What of it is pinned with the definitions of its tools: the command line, or the address.
    #[must_use]
    pub fn identity(&self) -> Value {
        match self {
            Self::Program(program) => {
                let words = program.argv.iter().map(|word| word.to_string_lossy());
                json!({ "command": words.collect::<Vec<_>>() })
            }
            #[cfg(feature = "mcp-http")]
            Self::Address(address) => json!({ "url": address.as_str() }),
        }
    }
}

/// A server that a connection can be opened to.
#[derive(Debug, Clone)]
pub struct Configured {
    /// The name.
    pub name: String,
    /// Where it is.
    pub upstream: Upstream,
    /// How long it may take to begin and list its tools, and each later time to list them.
    pub start_time: Duration,
    /// How long one of its calls may take.
    pub call_time: Duration,
}

impl Configured {
    /// The server `name`, with the usual times.
    #[must_use]
    pub fn new(name: impl Into<String>, upstream: Upstream) -> Self {
        Self {
            name: name.into(),
            upstream,
            start_time: START,
            call_time: CALL,
        }
    }
}

/// A connection to one server. When it goes, so does the server's process.
pub struct Connection {
    name: String,
    service: begin::Service,
    state: Arc<State>,
    identity: Value,
    start_time: Duration,
    call_time: Duration,
    /// Until when the first list must be there.
    first_list: Mutex<Option<Instant>>,
    /// Who listens to the news of the server.
    _news: JoinSet<()>,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The name would make two tools one.
    #[error(
        "`{}` cannot name a server: 1 to 64 of `A-Z a-z 0-9 _ - .`, a letter or digit at both ends, no `__`",
        one_line(name, 80)
    )]
    Name {
        /// The name.
        name: String,
    },
    /// The program cannot be started.
    #[error(
        "the server `{name}` cannot be started: program `{}`",
        one_line(program, 200)
    )]
    Start {
        /// The server.
        name: String,
        /// The program.
        program: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// What its requests carry is not there.
    #[cfg(feature = "mcp-http")]
    #[error("the server `{name}` cannot be asked")]
    Address {
        /// The server.
        name: String,
        /// What is missing.
        #[source]
        source: AddressError,
    },
    /// No request can be made.
    #[cfg(feature = "mcp-http")]
    #[error("the server `{name}` cannot be reached")]
    Http {
        /// The server.
        name: String,
        /// Why.
        #[source]
        source: HttpClientError,
    },
    /// It did not begin as the protocol says.
    #[error("the server `{name}`{place} did not begin: {why}")]
    Begin {
        /// The server.
        name: String,
        /// Where it is, as a message shows it; empty for a process.
        place: String,
        /// What went wrong.
        why: String,
    },
    /// It did not begin in time.
    #[error("the server `{name}`{place} did not begin within {} s{why}", time.as_secs())]
    Slow {
        /// The server.
        name: String,
        /// Where it is, as a message shows it; empty for a process.
        place: String,
        /// What it did instead, as far as that is known.
        why: String,
        /// How long it had.
        time: Duration,
    },
}

impl Connection {
    /// Starts `program` as the server `name`, and begins.
    ///
    /// # Errors
    /// When the name is none, the program does not start, or does not answer.
    pub async fn start(name: &str, program: &Program) -> Result<Self, ConnectError> {
        let upstream = Upstream::Program(program.clone());
        Self::open(&Configured::new(name, upstream)).await
    }

    /// Starts or reaches `server`, and begins.
    ///
    /// # Errors
    /// When the name is none, the server is not there, or does not answer in time.
    pub async fn open(server: &Configured) -> Result<Self, ConnectError> {
        let name = server.name.clone();
        if !is_name(&name) {
            return Err(ConnectError::Name { name });
        }
        let deadline = Instant::now() + server.start_time;
        let state = Arc::new(State::default());
        let service = begin::begin(server, &state, deadline).await?;
        let news = news::listen(&name, service.peer(), &state, deadline).await;
        Ok(Self {
            name,
            service,
            state,
            identity: server.upstream.identity(),
            start_time: server.start_time,
            call_time: server.call_time,
            first_list: Mutex::new(Some(deadline)),
            _news: news,
        })
    }

    /// The same connection, whose calls may take `time`.
    #[must_use]
    pub fn with_call_time(self, time: Duration) -> Self {
        Self {
            call_time: time,
            ..self
        }
    }

    /// The server.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How often the server said that its list has changed. From then on its tools are refused
    /// until [`Self::offered`] has read the new list.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.state.changes()
    }

    /// Whether the server is gone.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.service.is_transport_closed()
    }

    /// Ends when the server is gone.
    pub async fn gone(&self) {
        let mut tick = tokio::time::interval(Duration::from_millis(200));
        while !self.is_closed() {
            tick.tick().await;
        }
    }

    /// What the server lists now, each tool read by itself. A list that changes while it is read is
    /// read again; where it goes on changing, its tools are refused until it is asked for anew.
    ///
    /// # Errors
    /// When there is no list that can be read.
    pub async fn offered(&self) -> Result<Offered, ListError> {
        let mut again = AGAIN;
        loop {
            let changes = self.state.count();
            let (_, imported) = self.listed().await?;
            if again == 0 || changes == self.state.count() {
                return Ok(offer::offered(self, imported, changes));
            }
            again -= 1;
        }
    }

    /// The text of what the server lists now, and what can be read of it.
    ///
    /// # Errors
    /// When there is no list that can be read.
    pub async fn listed(&self) -> Result<(String, Imported), ListError> {
        let pages = list::pages(self.service.peer());
        let pages = tokio::time::timeout_at(self.list_deadline(), pages).await;
        let pages = pages.map_err(|_| ListError::Slow {
            time: self.start_time,
        })??;
        let imported = list::imported(&self.name, &pages)?;
        Ok((pages.join("\n"), imported))
    }

    /// Until when a list that is asked for now must be there.
    fn list_deadline(&self) -> Instant {
        let first = self.first_list.lock();
        let first = first.unwrap_or_else(PoisonError::into_inner).take();
        first.unwrap_or_else(|| Instant::now() + self.start_time)
    }

    /// Ends the connection in order.
    pub async fn close(self) {
        // What goes wrong then is of no use to anybody.
        let _ = self.service.cancel().await;
    }
}
