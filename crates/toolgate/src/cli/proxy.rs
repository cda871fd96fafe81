//! `toolgate proxy`: stands in front of an MCP server, governs its tools, and serves them again. To
//! a client it is that server; nothing but its configuration changes.

use std::io::{self, Write};

use clap::Args;
use toolcontract_manifest::text::escape;
use toolcontract_protocol::Principal;
use toolcontract_runtime::{
    mcp::{
        client::{Connection, Tool},
        proxy::{Names, Proxy as Upstream, ProxyError, Remarks},
        server::Server,
    },
    registry::Registry,
};

use super::{
    Exit, Failure, Governance, Io,
    mcp::{WireArgs, settings},
    upstream::{Place, ServerArgs, governing, open},
};

/// Arguments of `proxy`.
#[derive(Debug, Args)]
pub struct Proxy {
    /// What policies and journals call the server: its tools are `mcp__NAME__TOOL` there
    #[arg(long, default_value = "server", conflicts_with = "servers")]
    name: String,
    #[command(flatten)]
    servers: ServerArgs,
    #[command(flatten)]
    governance: Governance,
    #[command(flatten)]
    wire: WireArgs,
    /// Let only tools be called that a person has adopted
    #[arg(long)]
    adopted_only: bool,
}

impl Proxy {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        let served = runtime.block_on(self.serve(io));
        // A read of standard input cannot be interrupted.
        runtime.shutdown_background();
        served
    }

    async fn serve(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        let govern = governing(&self.governance, self.adopted_only)?;
        let govern = |tools: Vec<Tool>| Ok(govern(tools)?.build()?);
        let (connections, names) = self.connect(io).await?;
        let proxy = Upstream::new(connections, names, govern);
        let (served, remarks) = proxy.served().await?;
        tell(&remarks, io.err)?;
        writeln!(
            io.err,
            "{}",
            count(&served.registry, &self.governance.principal)
        )?;
        let server = Server::new(served, settings(&self.governance))?;
        // While it serves, its own streams are the wire's.
        let remark = |remark: Result<&Remarks, &ProxyError>| {
            let mut err = io::stderr();
            let _ = match remark {
                Ok(remarks) => tell(remarks, &mut err),
                Err(error) => writeln!(err, "{}", chain(error)),
            };
        };
        tokio::select! {
            served = self.wire.serve(&server, io) => served,
            gone = proxy.follow(&server, remark) => match gone {
                Ok(never) => match never {},
                Err(error) => Err(error.into()),
            },
        }
    }
}

impl Proxy {
    /// Every server that begins. One that does not is told, and takes no other along.
    async fn connect(&self, io: &mut Io<'_>) -> Result<(Vec<Connection>, Names), Failure> {
        let place = Place {
            folder: Some(self.governance.root.clone()),
            environment: self.governance.environment(),
        };
        let servers = self.servers.configured(&self.name, place)?;
        let (connections, failed) = open(servers).await?;
        if !self.servers.is_file() {
            let failed = failed.into_iter().next();
            return failed.map_or(
                Ok((connections, Names::AsServed)),
                |error| Err(error.into()),
            );
        }
        for error in failed {
            writeln!(io.err, "{}", chain(&error))?;
        }
        match connections.is_empty() {
            true => Err("no server has begun".into()),
            false => Ok((connections, Names::Qualified)),
        }
    }
}

/// How many tools are served, and how many of them nobody may call.
fn count(served: &Registry, principal: &Principal) -> String {
    let all = served.contracts().count();
    let shown = served.offered(principal).count();
    let tools = if all == 1 { "tool" } else { "tools" };
    match all.saturating_sub(shown) {
        0 => format!("{all} {tools} served"),
        withheld => format!("{all} {tools}, {shown} served and {withheld} withheld"),
    }
}

/// Says what of a server is not served, and what is odd about the rest.
fn tell(remarks: &Remarks, err: &mut dyn Write) -> io::Result<()> {
    for silent in &remarks.silent {
        writeln!(err, "{}", chain(silent))?;
    }
    for (server, refused) in &remarks.refused {
        let name = refused.wire_name.as_deref().unwrap_or("(no name)");
        let reason = refused.reason.to_string();
        writeln!(
            err,
            "{server}: `{}` is not served: {}",
            escape(name),
            escape(&reason)
        )?;
    }
    // What has no place in a contract is not passed on; the rest is for `scan`.
    if !remarks.findings.is_empty() {
        let count = remarks.findings.len();
        writeln!(
            err,
            "{count} remarks about what is served; `toolgate scan` shows them"
        )?;
    }
    Ok(())
}

/// An error with its causes, on one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    escape(&text).into_owned()
}
