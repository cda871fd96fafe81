//! An MCP server over any registry: every tool that the principal may use is listed from its
//! contract, and every call goes through [`Registry::call`](crate::registry::Registry::call).
//!
//! One process serves one principal, whom whoever starts it names; what a client says about itself
//! is only shown. Approvals go to the person behind the client, unless said otherwise.

mod approve;
mod call;
mod catalog;
mod definition;
mod handler;
mod http;
mod lines;
mod open;
mod progress;
mod result;
mod running;
mod state;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use rmcp::{
    ServiceExt as _,
    model::{Implementation, MetaObject, ProtocolVersion, ServerCapabilities, ServerConfig},
    service::ServerInitializeError,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::watch,
};
use toolcontract_protocol::Principal;

use crate::{caller::Session, text::one_line};
use catalog::Catalog;
pub use catalog::Served;
pub use definition::About;
use handler::Handler;
pub use http::{Access, HttpError, HttpLimits};
use lines::Lines;
use running::Running;
use state::Seal;

/// How many tools one page lists. Many clients read the first page only.
const PAGE: usize = 1_000;
/// The versions of the protocol that are served.
const VERSIONS: &[ProtocolVersion] = ProtocolVersion::KNOWN_VERSIONS;
/// The member of `_meta` that says who answers.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// Characters of what is told of a client that did not begin.
const SAID: usize = 300;

/// Who is asked when a call needs a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// The person behind the client, by elicitation.
    Client,
    /// Whoever the registry was built to ask.
    Registry,
}

/// An MCP server. Cheap to clone; clones are one server.
#[derive(Debug, Clone)]
pub struct Server {
    shared: Arc<Shared>,
}

/// What all connections of a server share.
#[derive(Debug)]
struct Shared {
    principal: Principal,
    ask: Ask,
    page: usize,
    info: ServerConfig,
    /// `info` as it stands in results.
    signature: serde_json::Value,
    catalog: watch::Sender<Arc<Catalog>>,
    seal: Seal,
    /// What the calls of clients without sessions share.
    session: Arc<Session>,
    sessions: AtomicU64,
    calls: AtomicU64,
    running: Running,
    /// What makes the sessions of this process unlike those of others.
    process: String,
}

/// How a server is set up.
#[derive(Debug, Clone)]
pub struct Settings {
    /// On whose behalf every client calls.
    pub principal: Principal,
    /// The server's name, as clients show it.
    pub name: String,
    /// The server's version.
    pub version: String,
    /// Who is asked when a call needs a person.
    pub ask: Ask,
    /// How many tools one page lists; at least 1.
    pub page: usize,
}

impl Settings {
    /// A server called `name`, whose clients call on behalf of `principal` and answer for
    /// themselves.
    #[must_use]
    pub fn new(principal: Principal, name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            principal,
            name: name.into(),
            version: version.into(),
            ask: Ask::Client,
            page: PAGE,
        }
    }
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The system gives out no random bytes.
    #[error("the system gives out no random bytes, without which no approval can be sealed")]
    NoRandomness,
    /// A client connected and did not begin as the protocol says.
    #[error("the client did not begin as the protocol says: {0}")]
    NotBegun(String),
    /// The connection ended because something in the server failed.
    #[error("the connection failed")]
    Failed(#[source] tokio::task::JoinError),
}

impl Server {
    /// A server of `served`.
    ///
    /// # Errors
    /// When the system has no random bytes.
    pub fn new(served: impl Into<Served>, settings: Settings) -> Result<Self, ServeError> {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        let implementation = Implementation::new(settings.name, settings.version);
        let mut process = [0; 8];
        getrandom::fill(&mut process).map_err(|_| ServeError::NoRandomness)?;
        let process = format!("{:016x}", u64::from_be_bytes(process));
        Ok(Self {
            shared: Arc::new(Shared {
                principal: settings.principal,
                ask: settings.ask,
                page: settings.page.max(1),
                signature: serde_json::json!(implementation),
                info: ServerConfig::new(capabilities).with_server_info(implementation),
                catalog: watch::Sender::new(Catalog::new(served.into())),
                seal: Seal::new()?,
                session: Session::new(format!("mcp_{process}_0")),
                sessions: AtomicU64::new(0),
                calls: AtomicU64::new(0),
                running: Running::default(),
                process,
            }),
        })
    }

    /// Serves something else from now on, and tells the clients that the list has changed. Calls
    /// that run go on; questions that wait for an answer are not answered any more.
    pub fn replace(&self, served: impl Into<Served>) {
        let catalog = Catalog::new(served.into());
        self.shared.catalog.send_replace(catalog);
    }

    /// Serves one client on the standard streams of the process, until it goes away.
    ///
    /// # Errors
    /// When the client does not begin as the protocol says.
    pub async fn serve_stdio(&self) -> Result<(), ServeError> {
        let (reader, writer) = rmcp::transport::stdio_pipes();
        self.serve_lines(reader, writer).await
    }

    /// Serves one client that sends and reads messages as lines, until it goes away.
    ///
    /// # Errors
    /// When the client does not begin as the protocol says.
    pub async fn serve_lines(
        &self,
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Result<(), ServeError> {
        let open = Arc::default();
        let running = self.shared.running.part();
        let handler =
            Handler::of_connection(Arc::clone(&self.shared), Arc::clone(&open), running.clone());
        let lines = Lines::new(reader, writer, open, running);
        let service = match handler.serve(lines).await {
            Ok(service) => service,
            Err(error) => return not_begun(&error),
        };
        service.waiting().await.map_err(ServeError::Failed)?;
        Ok(())
    }

    /// Gives up every call that runs, on whichever connection, and waits until the journal says so.
    /// Nothing is called any more after it. A program that served calls this before it ends: what is
    /// dropped with its runtime may come too late to be written down.
    pub async fn end(&self) {
        self.shared.running.end().await;
    }
}

/// How a connection ended on which nothing was asked for.
fn not_begun(error: &ServerInitializeError) -> Result<(), ServeError> {
    Err(ServeError::NotBegun(match error {
        // It went away without having asked for anything, as a probe does.
        ServerInitializeError::ConnectionClosed(_)
        | ServerInitializeError::TransportError { .. }
        | ServerInitializeError::Cancelled => return Ok(()),
        ServerInitializeError::InitializeFailed(error) => one_line(&error.message, SAID),
        _ => "it sent something else before its first request".to_owned(),
    }))
}

impl Shared {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog.borrow())
    }

    /// Changes of what is served, from now on.
    fn changes(&self) -> watch::Receiver<Arc<Catalog>> {
        let mut changes = self.catalog.subscribe();
        changes.mark_unchanged();
        changes
    }

    fn new_session(&self) -> Arc<Session> {
        let number = self.sessions.fetch_add(1, Ordering::Relaxed) + 1;
        Session::new(format!("mcp_{}_{number}", self.process))
    }

    fn next_call(&self) -> String {
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        format!("call_{number}")
    }

    /// Says who answers.
    fn sign(&self, meta: &mut MetaObject) {
        meta.insert(SERVER_INFO.to_owned(), self.signature.clone());
    }
}
