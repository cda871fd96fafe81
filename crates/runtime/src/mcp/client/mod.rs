//! Tools of other MCP servers. What a server says of itself is a claim and buys nothing: its tools
//! are declared contracts, its hints are shown as claims, and a definition that changes is refused
//! until somebody registers it anew.
//!
//! `rmcp` speaks the protocol; definitions and results are read from their text.

mod admit;
mod child;
mod config;
mod list;
mod name;
mod offer;
mod outcome;
mod raw;
mod remote;
mod state;

use std::{io, sync::Arc, time::Duration};

use rmcp::{
    RoleClient,
    service::{ClientInitializeError, RunningService, ServiceExt as _},
};
use tokio::sync::watch;
use toolcontract_manifest::import::Imported;

use crate::text::one_line;
pub use admit::{Held, admit};
use child::Child;
pub use child::Program;
pub use config::{ConfigError, Configured, configured};
pub use list::ListError;
pub use name::{is_name, qualified, split};
pub use offer::{Offered, Refused, Tool};
pub use remote::Remote;
use state::{Ear, State};

/// How long a server may take to begin.
const BEGIN: Duration = Duration::from_secs(30);
/// How long one call may take, where nothing else is said.
pub const CALL: Duration = Duration::from_secs(60);

/// A connection to one server. When it goes, so does the server's process.
pub struct Connection {
    name: String,
    service: RunningService<RoleClient, Ear>,
    state: Arc<State>,
    time: Duration,
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
    #[error("the server `{name}` cannot be started")]
    Start {
        /// The server.
        name: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// It did not begin as the protocol says.
    #[error("the server `{name}` did not begin as the protocol says")]
    Begin {
        /// The server.
        name: String,
        /// What went wrong.
        #[source]
        source: Box<ClientInitializeError>,
    },
    /// It did not begin in time.
    #[error("the server `{name}` did not begin within {} s", BEGIN.as_secs())]
    Slow {
        /// The server.
        name: String,
    },
}

impl Connection {
    /// Starts `program` as the server `name`, and begins.
    ///
    /// # Errors
    /// When the name is none, the program does not start, or does not answer.
    pub async fn start(name: &str, program: &Program) -> Result<Self, ConnectError> {
        if !is_name(name) {
            return Err(ConnectError::Name {
                name: name.to_owned(),
            });
        }
        let child = Child::start(name, program).map_err(|source| ConnectError::Start {
            name: name.to_owned(),
            source,
        })?;
        let state = Arc::new(State::default());
        let begun = tokio::time::timeout(BEGIN, Ear(Arc::clone(&state)).serve(child)).await;
        let service = match begun {
            Ok(Ok(service)) => service,
            Ok(Err(source)) => {
                return Err(ConnectError::Begin {
                    name: name.to_owned(),
                    source: Box::new(source),
                });
            }
            Err(_) => {
                return Err(ConnectError::Slow {
                    name: name.to_owned(),
                });
            }
        };
        Ok(Self {
            name: name.to_owned(),
            service,
            state,
            time: CALL,
        })
    }

    /// The same connection, whose calls may take `time`.
    #[must_use]
    pub fn with_call_time(self, time: Duration) -> Self {
        Self { time, ..self }
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

    /// What the server lists now, each tool read by itself.
    ///
    /// # Errors
    /// When there is no list that can be read.
    pub async fn offered(&self) -> Result<Offered, ListError> {
        let pages = list::pages(self.service.peer()).await?;
        let imported = list::imported(&self.name, &pages)?;
        Ok(offer::offered(self, imported))
    }

    /// The text of what the server lists now, and what can be read of it.
    ///
    /// # Errors
    /// When there is no list that can be read.
    pub async fn listed(&self) -> Result<(String, Imported), ListError> {
        let pages = list::pages(self.service.peer()).await?;
        let imported = list::imported(&self.name, &pages)?;
        Ok((pages.join("\n"), imported))
    }

    /// Ends the connection in order.
    pub async fn close(self) {
        // What goes wrong then is of no use to anybody.
        let _ = self.service.cancel().await;
    }
}
