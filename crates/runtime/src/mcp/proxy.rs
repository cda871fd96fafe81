//! A server that stands in front of other servers: their tools are let in, governed like any other,
//! and served again. When a list changes, it is read anew and governed anew. A server that
//! goes away takes its own tools along; with the last one, the proxy ends.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::future::{join_all, select_all};
use tokio::sync::watch;
use toolcontract_manifest::import::Finding;

use super::{
    client::{Connection, ListError, Refused, Tool},
    server::{Served, Server},
};
use crate::registry::Registry;

/// How long a server that changes its list may go on changing before it is read.
const SETTLE: Duration = Duration::from_millis(50);

/// How long it takes until a server that listed nothing is asked again: the first time, and at most.
const AGAIN: Duration = Duration::from_secs(10);
const AGAIN_AT_MOST: Duration = Duration::from_secs(300);

/// What a tool is called outward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// As its server calls it, for a proxy of one server: clients notice no difference.
    AsServed,
    /// By server and tool, as policies and journals know it.
    Qualified,
}

/// Why nothing is served.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A proxy. `govern` makes a registry of the tools that the servers offer.
pub struct Proxy<G> {
    connections: Vec<Connection>,
    /// Of each connection, what has not been looked at yet. A change between the first list and
    /// the first look is one.
    changes: Vec<watch::Receiver<u64>>,
    /// Connections whose servers are there and listed nothing when they were asked last.
    silent: Mutex<Vec<usize>>,
    names: Names,
    govern: G,
}

impl<G> std::fmt::Debug for Proxy<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Proxy")
            .field("connections", &self.connections)
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

/// What a person should know of what the servers offer.
#[derive(Debug, Default)]
pub struct Remarks {
    /// What is not served, by server.
    pub refused: Vec<(String, Refused)>,
    /// What is odd about the rest, by server.
    pub findings: Vec<(String, Finding)>,
    /// Why a server offers nothing, where another one does.
    pub silent: Vec<ProxyError>,
}

/// Why a proxy has nothing to serve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProxyError {
    /// A server lists nothing that can be read.
    #[error("server `{server}`")]
    List {
        /// The server.
        server: String,
        /// What is wrong.
        #[source]
        source: ListError,
    },
    /// Nobody governs the tools.
    #[error("the tools cannot be governed")]
    Govern(#[source] Failure),
    /// A server is gone.
    #[error("the server `{0}` is gone")]
    Gone(String),
}

impl<G> Proxy<G>
where
    G: Fn(Vec<Tool>) -> Result<Registry, Failure>,
{
    /// A proxy in front of `connections`.
    pub fn new(connections: Vec<Connection>, names: Names, govern: G) -> Self {
        Self {
            changes: connections.iter().map(Connection::changes).collect(),
            silent: Mutex::default(),
            connections,
            names,
            govern,
        }
    }

    /// What is to be served now.
    ///
    /// # Errors
    /// When no server lists its tools, or nobody governs them.
    pub async fn served(&self) -> Result<(Served, Remarks), ProxyError> {
        let offers = join_all(self.connections.iter().map(Connection::offered)).await;
        let mut remarks = Remarks::default();
        let (mut tools, mut silent) = (Vec::new(), Vec::new());
        for (index, (connection, offered)) in self.connections.iter().zip(offers).enumerate() {
            let server = connection.name();
            let offered = match offered {
                Ok(offered) => offered,
                Err(_) if connection.is_closed() => {
                    remarks.silent.push(ProxyError::Gone(server.to_owned()));
                    continue;
                }
                Err(source) => {
                    let server = server.to_owned();
                    silent.push(index);
                    remarks.silent.push(ProxyError::List { server, source });
                    continue;
                }
            };
            remarks
                .refused
                .extend(offered.refused.into_iter().map(|r| (server.to_owned(), r)));
            remarks
                .findings
                .extend(offered.findings.into_iter().map(|f| (server.to_owned(), f)));
            tools.extend(offered.tools);
        }
        *self.silent() = silent;
        if remarks.silent.len() == self.connections.len()
            && let Some(first) = remarks.silent.pop()
        {
            return Err(first);
        }
        let about = tools.iter().map(|tool| {
            let mut about = tool.about.clone();
            if self.names == Names::AsServed {
                about.name = Some(tool.wire_name.clone());
            }
            (tool.contract.name.clone(), about)
        });
        let about = about.collect();
        let registry = (self.govern)(tools).map_err(ProxyError::Govern)?;
        Ok((Served { registry, about }, remarks))
    }

    /// Ends when a server lists something that listed nothing before.
    async fn speaks_again(&self, wait: &mut Duration) {
        loop {
            tokio::time::sleep(*wait).await;
            *wait = (*wait * 2).min(AGAIN_AT_MOST);
            let silent = self.silent().clone();
            let silent = silent
                .iter()
                .filter_map(|index| self.connections.get(*index));
            let lists = join_all(silent.map(Connection::listed)).await;
            if lists.iter().any(Result::is_ok) {
                return;
            }
        }
    }

    fn silent(&self) -> MutexGuard<'_, Vec<usize>> {
        self.silent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves every change of a list with `server`, and tells what is remarkable about it. A server
    /// that listed nothing is asked again from time to time. Ends when the last of the servers is
    /// gone.
    ///
    /// # Errors
    /// Always: there is no other end.
    pub async fn follow(
        &self,
        server: &Server,
        mut remark: impl FnMut(Result<&Remarks, &ProxyError>),
    ) -> Result<std::convert::Infallible, ProxyError> {
        let mut here: Vec<&Connection> = self.connections.iter().collect();
        let mut changes = self.changes.clone();
        let mut wait = AGAIN;
        loop {
            let changed = changes
                .iter_mut()
                .map(|changes| Box::pin(changes.changed()));
            let gone = here.iter().map(|connection| Box::pin(connection.gone()));
            tokio::select! {
                biased;
                (_, index, _) = select_all(gone) => {
                    let gone = here.swap_remove(index);
                    if here.is_empty() {
                        return Err(ProxyError::Gone(gone.name().to_owned()));
                    }
                }
                _ = select_all(changed) => {}
                () = self.speaks_again(&mut wait) => {}
            }
            tokio::time::sleep(SETTLE).await;
            for changes in &mut changes {
                changes.mark_unchanged();
            }
            // What cannot be read or governed is not served; every call of it is refused, since
            // its definition is not known any more.
            match self.served().await {
                Ok((served, remarks)) => {
                    server.replace(served);
                    remark(Ok(&remarks));
                }
                Err(error) => remark(Err(&error)),
            }
        }
    }
}
