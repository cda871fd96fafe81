//! `toolgate proxy`: stands in front of an MCP server, governs its tools, and serves them again. To
//! a client it is that server; nothing but its configuration changes.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    sync::Once,
};

use clap::Args;
use toolcontract_manifest::text::one_line;
use toolcontract_protocol::Principal;
use toolcontract_runtime::{
    adoption::{Ledger, Standing, standing},
    mcp::{
        client::{Connection, Tool, split},
        proxy::{Names, Proxy as Upstream, ProxyError, Remarks},
        server::Server,
    },
    registry::Registry,
};

use super::{
    Exit, Failure, Io, Rules,
    mcp::{WireArgs, settings},
    principal::CallerArgs,
    scripts::LedgerArgs,
    upstream::{Place, ServerArgs, chain, governing, not_served, open},
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
    rules: Rules,
    #[command(flatten)]
    caller: CallerArgs,
    #[command(flatten)]
    ledger: LedgerArgs,
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
        let govern = governing(&self.rules, &self.ledger, self.adopted_only)?;
        let ledger = self.ledger.open(&self.rules.root)?;
        let first = Once::new();
        let govern = |tools: Vec<Tool>| {
            if let Some(ledger) = &ledger {
                first.call_once(|| adopted(&tools, ledger));
            }
            Ok(govern(tools)?.build()?)
        };
        let (connections, names) = self.connect(io).await?;
        let proxy = Upstream::new(connections, names, govern);
        let (served, remarks) = proxy.served().await?;
        tell(&remarks, io.err)?;
        writeln!(
            io.err,
            "{}",
            count(&served.registry, &self.caller.principal)
        )?;
        if let Some(why) = self.why_nothing(&served.registry)? {
            writeln!(io.err, "{why}")?;
        }
        let server = Server::new(served, settings(&self.caller.principal))?;
        // While it serves, its own streams are the wire's.
        let remark = |remark: Result<&Remarks, &ProxyError>| {
            let mut err = io::stderr();
            let _ = match remark {
                Ok(remarks) => tell(remarks, &mut err),
                Err(error) => writeln!(err, "{}", chain(error)),
            };
        };
        let served = tokio::select! {
            served = self.wire.serve(&server, io) => served,
            gone = proxy.follow(&server, remark) => match gone {
                Ok(never) => match never {},
                Err(error) => Err(error.into()),
            },
        };
        server.end().await;
        served
    }
}

impl Proxy {
    /// Why none of the tools is served to the principal, where that is so.
    fn why_nothing(&self, served: &Registry) -> Result<Option<String>, Failure> {
        let principal = &self.caller.principal;
        let contracts: Vec<_> = served.contracts().collect();
        if contracts.is_empty() || served.offered(principal).next().is_some() {
            return Ok(None);
        }
        let others = self.rules.of_other_servers(&contracts)?;
        let who = one_line(&principal.to_string(), 128);
        Ok(Some(match others.first() {
            Some(tool) if !self.servers.is_file() => format!(
                "nothing is served: the policy names `{}`, and this server is `{}`; give it its name with `--name`",
                one_line(tool, 128),
                self.name
            ),
            Some(tool) => format!(
                "nothing is served: the policy names `{}`, and no server of the file has that",
                one_line(tool, 128)
            ),
            None if self.adopted_only => format!(
                "nothing is served: only adopted tools are, and none of them is allowed to `{who}`"
            ),
            None => format!(
                "nothing is served: no rule lets `{who}` call one of the tools; `toolgate policy init` writes rules to start from"
            ),
        }))
    }

    /// Every server that begins. One that does not is told, and takes no other along.
    async fn connect(&self, io: &mut Io<'_>) -> Result<(Vec<Connection>, Names), Failure> {
        let place = Place {
            folder: Some(self.rules.root.clone()),
            environment: self.rules.environment(),
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

/// Says which workspace counts, and what of it and of others is adopted.
fn adopted(tools: &[Tool], ledger: &Ledger) {
    let stands = |tool: &&Tool| {
        let standing = standing(ledger, &tool.contract, &tool.pin());
        matches!(standing, Standing::Adopted(..))
    };
    let (all, adopted) = (tools.len(), tools.iter().filter(stands).count());
    let workspace = one_line(ledger.workspace(), 500);
    let mut err = io::stderr();
    let _ = writeln!(
        err,
        "workspace `{workspace}`: {adopted} of {all} tools are adopted in it"
    );
    let names = tools.iter().filter_map(|tool| split(&tool.contract.name));
    let servers: BTreeSet<&str> = names.map(|(server, _)| server).collect();
    for server in servers {
        let elsewhere = ledger
            .elsewhere(&format!("mcp__{server}__"))
            .unwrap_or_default();
        if elsewhere > 0 {
            let _ = writeln!(
                err,
                "{elsewhere} tools of `{server}` are adopted in another workspace and do not count here; `--root` names the workspace"
            );
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
        writeln!(err, "{}", not_served(server, refused))?;
    }
    // What has no place in a contract is not passed on; the rest is for `scan`.
    let told = remarks.findings.iter();
    let count = told
        .filter(|(_, finding)| !finding.what.is_of_protocol())
        .count();
    if count > 0 {
        writeln!(
            err,
            "{count} remarks about what is served; `toolgate scan` shows them"
        )?;
    }
    Ok(())
}
