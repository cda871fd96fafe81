//! `toolgate proxy`: stands in front of an MCP server, governs its tools, and serves them again. To
//! a client it is that server; nothing but its configuration changes.

use std::{
    ffi::OsString,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use toolcontract_manifest::text::escape;
use toolcontract_protocol::Principal;
use toolcontract_runtime::{
    mcp::{
        client::{Connection, Held, Program, Tool, admit, configured},
        proxy::{Names, Proxy as Upstream, ProxyError, Remarks},
        server::Server,
    },
    registry::Registry,
};

use super::{
    Exit, Failure, Governance, Io,
    mcp::{WireArgs, settings},
};

/// Arguments of `proxy`.
#[derive(Debug, Args)]
pub struct Proxy {
    /// What policies and journals call the server: its tools are `mcp__NAME__TOOL` there
    #[arg(long, default_value = "server")]
    name: String,
    /// Stand in front of every server of this file, which clients then call by server and tool
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "command"])]
    servers: Option<PathBuf>,
    #[command(flatten)]
    governance: Governance,
    #[command(flatten)]
    wire: WireArgs,
    /// Let only tools be called that a person has adopted
    #[arg(long)]
    adopted_only: bool,
    /// The server: a program and its arguments, started without a shell
    #[arg(
        last = true,
        required_unless_present = "servers",
        value_name = "COMMAND"
    )]
    command: Vec<OsString>,
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
        let begin = self.governance.begin_over()?;
        let Some(ledger) = self.governance.ledger()? else {
            return Err("no place for a ledger is known; name one with `--ledger`".into());
        };
        let govern = |tools: Vec<Tool>| {
            let contracts: Vec<_> = tools.iter().map(|tool| &tool.contract).collect();
            let builder = begin(&contracts)?;
            let (builder, held) = admit(builder, tools, &ledger, self.adopted_only);
            for Held { name, standing } in held {
                let _ = writeln!(io::stderr(), "withheld: `{name}`: {standing}");
            }
            Ok(builder.build()?)
        };
        // A policy with a fault is told before anything is started.
        begin(&[])?;
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
            let mut err = std::io::stderr();
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
        let Some(path) = &self.servers else {
            let program = Program {
                argv: self.command.clone(),
                folder: Some(self.governance.root.clone()),
                environment: self.governance.environment(),
            };
            let connection = Connection::start(&self.name, &program).await?;
            return Ok((vec![connection], Names::AsServed));
        };
        let fault = |error: &dyn std::fmt::Display| format!("`{}`: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| fault(&error))?;
        // The folder of `servers.toml` is written as nothing at all.
        let base = path.parent().filter(|base| *base != Path::new(""));
        let base = base.unwrap_or(Path::new("."));
        let servers = configured(&text, base).map_err(|error| fault(&error))?;
        let mut starting = tokio::task::JoinSet::new();
        for server in servers {
            starting.spawn(async move {
                let started = Connection::start(&server.name, &server.program).await;
                started.map(|connection| connection.with_call_time(server.call_time))
            });
        }
        let mut connections = Vec::new();
        while let Some(started) = starting.join_next().await {
            match started? {
                Ok(connection) => connections.push(connection),
                Err(error) => writeln!(io.err, "{}", chain(&error))?,
            }
        }
        if connections.is_empty() {
            return Err(fault(&"no server has begun").into());
        }
        connections.sort_by(|a, b| a.name().cmp(b.name()));
        Ok((connections, Names::Qualified))
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
