//! `toolgate mcp`: the built-in tools for MCP clients, on standard streams or over HTTP. The person
//! behind the client is asked where a call needs one.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use clap::Args;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::Principal;
use toolcontract_runtime::{
    hosts::HostName,
    mcp::server::{Access, HttpLimits, Server, Settings},
};

use super::{Exit, Failure, Governance, Io, interrupt::interrupted};

/// Arguments of `mcp`.
#[derive(Debug, Args)]
pub struct Mcp {
    #[command(flatten)]
    governance: Governance,
    #[command(flatten)]
    wire: WireArgs,
}

/// How clients connect.
#[derive(Debug, Clone, Args)]
pub(super) struct WireArgs {
    /// Serve over HTTP at this address instead of on standard streams, such as `127.0.0.1:8080`
    #[arg(long, value_name = "ADDRESS")]
    http: Option<SocketAddr>,
    /// Serve only who sends the token in this file; needed where others than this machine can
    /// connect
    #[arg(long, value_name = "FILE", requires = "http")]
    token_file: Option<PathBuf>,
    /// A host under which clients know the server, such as `tools.example`, or `tools.example:8080`
    /// where only that port counts; may be given more than once
    #[arg(long, value_name = "NAME", requires = "http")]
    allow_host: Vec<HostName>,
    /// An origin whose pages may call, such as `https://app.example.com:443`; may be given more
    /// than once
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    allow_origin: Vec<String>,
    /// How many sessions of clients before 2026-07-28 there may be
    #[arg(long, value_name = "COUNT", requires = "http")]
    max_sessions: Option<usize>,
    /// How many connections may be open
    #[arg(long, value_name = "COUNT", requires = "http")]
    max_connections: Option<usize>,
}

impl Mcp {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        let registry = self.governance.builder()?.build()?;
        let principal = &self.governance.caller.principal;
        let server = Server::new(registry, settings(principal))?;
        let runtime = self.wire.runtime()?;
        let served = runtime.block_on(async {
            let served = self.wire.serve(&server, io).await;
            server.end().await;
            served
        });
        // A read of standard input cannot be interrupted.
        runtime.shutdown_background();
        served
    }
}

/// This program, on behalf of the principal that was named.
pub(super) fn settings(principal: &Principal) -> Settings {
    let version = env!("CARGO_PKG_VERSION");
    Settings::new(principal.clone(), "toolgate", version)
}

impl WireArgs {
    /// What a server runs on. For one client on standard streams that is one thread: what blocks
    /// has threads of its own, and nothing is woken on another core for each message.
    ///
    /// # Errors
    /// When the system gives none.
    pub(super) fn runtime(&self) -> std::io::Result<tokio::runtime::Runtime> {
        let mut builder = match self.http {
            Some(_) => tokio::runtime::Builder::new_multi_thread(),
            None => tokio::runtime::Builder::new_current_thread(),
        };
        builder.enable_all().build()
    }

    fn limits(&self) -> HttpLimits {
        let defaults = HttpLimits::default();
        HttpLimits {
            sessions: self.max_sessions.unwrap_or(defaults.sessions),
            connections: self.max_connections.unwrap_or(defaults.connections),
            ..defaults
        }
    }

    /// Serves until the client goes away, or somebody interrupts.
    pub(super) async fn serve(&self, server: &Server, io: &mut Io<'_>) -> Result<Exit, Failure> {
        let Some(address) = self.http else {
            tokio::select! {
                served = server.serve_stdio() => served?,
                () = interrupted() => {}
            }
            return Ok(Exit::Clean);
        };
        let access = Access {
            token: self.token_file.as_deref().map(token).transpose()?,
            hosts: self.allow_host.clone(),
            origins: self.allow_origin.clone(),
            limits: self.limits(),
        };
        // Said before anything is listened on, and before anybody is told that it is served.
        access.admits(address.ip())?;
        let listener = TcpListener::bind(address)
            .await
            .map_err(|error| format!("`{address}` cannot be listened on: {error}"))?;
        writeln!(io.err, "serving http://{}/mcp", listener.local_addr()?)?;
        let over = CancellationToken::new();
        let interrupt = over.clone();
        tokio::spawn(async move {
            interrupted().await;
            interrupt.cancel();
        });
        server.serve_http(listener, access, over).await?;
        Ok(Exit::Clean)
    }
}

fn token(path: &Path) -> Result<String, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("`{}` cannot be read: {error}", path.display()))?;
    Ok(text.trim().to_owned())
}
