//! Which MCP servers a command is about: one that it starts, one that it reaches, or those of a
//! file. Refuses secrets on the command line: of those it takes the names of variables.

use std::{
    ffi::OsString,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use clap::Args;
use tokio::task::JoinSet;
use toolcontract_manifest::text::{escape, one_line};
use toolcontract_runtime::{
    mcp::client::{
        Address, Configured, ConnectError, Connection, ListError, Program, Refused, Tool, Upstream,
        admit, configured, split,
    },
    process::Environment,
    registry::Builder,
    regular,
};

use super::{Failure, Rules, scripts::LedgerArgs};

/// The largest file of servers, in bytes.
const MAX_FILE: u64 = 1 << 20;
/// The most characters of an error that is told on one line.
const MAX_FAULT: usize = 1_000;

/// Arguments about servers.
#[derive(Debug, Clone, Args)]
pub(super) struct ServerArgs {
    /// Reach the server at this address, over streamable HTTP; `http` only on this machine
    #[arg(long, value_name = "URL", conflicts_with_all = ["servers", "command"])]
    url: Option<String>,
    /// The variable that holds the bearer token for the address
    #[arg(long, value_name = "NAME", requires = "url")]
    bearer_env: Option<String>,
    /// A header for the address, and the variable that holds its value; may be given more than once
    #[arg(long, value_name = "HEADER=NAME", requires = "url")]
    header_env: Vec<String>,
    /// A file of servers: what `[servers.NAME]` holds
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    servers: Option<PathBuf>,
    /// Only this server of the file
    #[arg(long, value_name = "NAME", requires = "servers")]
    server: Option<String>,
    /// How many seconds a server has to begin and to list its tools; for those of a file,
    /// `start_seconds` says so
    #[arg(long, value_name = "SECONDS", conflicts_with = "servers", value_parser = clap::value_parser!(u64).range(1..=3600))]
    start_seconds: Option<u64>,
    /// The server: a program and its arguments, started without a shell
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// What a program that is started gets.
pub(super) struct Place {
    pub(super) folder: Option<PathBuf>,
    pub(super) environment: Environment,
}

impl ServerArgs {
    /// Whether no server is named.
    pub(super) fn is_empty(&self) -> bool {
        self.url.is_none() && self.servers.is_none() && self.command.is_empty()
    }

    /// Whether servers keep the names that a file gives them.
    pub(super) fn is_file(&self) -> bool {
        self.servers.is_some()
    }

    /// The servers; one that is started or reached is called `name`.
    pub(super) fn configured(&self, name: &str, place: Place) -> Result<Vec<Configured>, Failure> {
        if let Some(path) = &self.servers {
            return of_file(path, self.server.as_deref());
        }
        let upstream = match &self.url {
            Some(url) => Upstream::Address(self.address(url)?),
            None if self.command.is_empty() => {
                return Err(
                    "no server is named: give a command behind `--`, `--url` or `--servers`".into(),
                );
            }
            None => Upstream::Program(Program {
                argv: self.command.clone(),
                folder: place.folder,
                environment: place.environment,
            }),
        };
        let mut server = Configured::new(name, upstream);
        if let Some(seconds) = self.start_seconds {
            server.start_time = Duration::from_secs(seconds);
        }
        Ok(vec![server])
    }

    /// The server that the tool `mcp__SERVER__TOOL` is of.
    pub(super) fn of_tool(&self, tool: &str, place: Place) -> Result<Configured, Failure> {
        let Some((name, _)) = split(tool) else {
            let tool = escape(tool);
            return Err(format!(
                "`{tool}` is not `mcp__SERVER__TOOL`, as tools of servers are called"
            )
            .into());
        };
        let servers = self.configured(name, place)?;
        let mut found = servers.into_iter().filter(|server| server.name == name);
        found
            .next()
            .ok_or_else(|| format!("there is no server `{name}` in the file").into())
    }

    fn address(&self, url: &str) -> Result<Address, Failure> {
        let mut address = Address::new(url)?;
        if let Some(variable) = &self.bearer_env {
            address = address.with_bearer(variable);
        }
        for pair in &self.header_env {
            let (header, variable) = pair
                .split_once('=')
                .ok_or("`--header-env` is a header and a variable, such as `X-Key=MY_KEY`")?;
            address = address.with_secret_header(header, variable)?;
        }
        Ok(address)
    }
}

fn of_file(path: &Path, only: Option<&str>) -> Result<Vec<Configured>, Failure> {
    let fault = |error: &dyn std::fmt::Display| format!("`{}`: {error}", path.display());
    let bytes = regular::read(path, MAX_FILE + 1).map_err(|error| fault(&error))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(fault(&format!("it has more than {MAX_FILE} bytes")).into());
    }
    let text = String::from_utf8(bytes).map_err(|error| fault(&error))?;
    // The folder of `servers.toml` is written as nothing at all.
    let base = path.parent().filter(|base| *base != Path::new(""));
    let mut servers =
        configured(&text, base.unwrap_or(Path::new("."))).map_err(|error| fault(&error))?;
    if let Some(only) = only {
        servers.retain(|server| server.name == only);
        if servers.is_empty() {
            return Err(fault(&format!("there is no server `{only}`")).into());
        }
    }
    Ok(servers)
}

/// What makes registries of tools of servers, as the policy and the ledger say. Standard error is
/// told which tools are withheld, and why.
///
/// # Errors
/// When the policy, the settings, the journal or the ledger cannot be used.
pub(super) fn governing(
    rules: &Rules,
    ledger: &LedgerArgs,
    adopted_only: bool,
) -> Result<impl Fn(Vec<Tool>) -> Result<Builder, Failure> + use<>, Failure> {
    let begin = rules.begin_over()?;
    let (ledger, _) = ledger.needed(&rules.root)?;
    // A policy with a fault is told before anything is started.
    begin(&[])?;
    Ok(move |tools: Vec<Tool>| {
        let contracts: Vec<_> = tools.iter().map(|tool| &tool.contract).collect();
        let builder = begin(&contracts)?;
        let (builder, held) = admit(builder, tools, &ledger, adopted_only);
        for held in held {
            let _ = writeln!(io::stderr(), "withheld: `{}`: {held}", held.name);
        }
        Ok(builder)
    })
}

/// Why a tool that `server` lists is not served.
pub(super) fn not_served(server: &str, refused: &Refused) -> String {
    let name = one_line(refused.wire_name.as_deref().unwrap_or("(no name)"), 128);
    let reason = one_line(&refused.reason.to_string(), 500);
    format!("{server}: `{name}` is not served: {reason}")
}

/// An error with its causes, on one line.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    one_line(&text, MAX_FAULT)
}

/// Opens a connection to each server at once: those that begin, in the order of names, and why the
/// others do not.
pub(super) async fn open(
    servers: Vec<Configured>,
) -> Result<(Vec<Connection>, Vec<ConnectError>), Failure> {
    let mut opening = JoinSet::new();
    for server in servers {
        opening.spawn(async move { Connection::open(&server).await });
    }
    let (mut open, mut failed) = (Vec::new(), Vec::new());
    while let Some(opened) = opening.join_next().await {
        match opened? {
            Ok(connection) => open.push(connection),
            Err(error) => failed.push(error),
        }
    }
    open.sort_by(|a, b| a.name().cmp(b.name()));
    failed.sort_by_key(ToString::to_string);
    Ok((open, failed))
}

/// What servers answered, and why others did not.
pub(super) struct Asked<T> {
    /// In the order of names.
    pub(super) answers: Vec<(String, T)>,
    pub(super) failed: Vec<Failure>,
}

impl<T> Asked<T> {
    /// The answers.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn some(mut self) -> Result<Self, Failure> {
        if !self.answers.is_empty() {
            return Ok(self);
        }
        match self.failed.len() {
            0 => Ok(self),
            1 => Err(self.failed.remove(0)),
            _ => {
                let told = self.failed.iter().map(|failure| chain(&**failure));
                Err(told.collect::<Vec<_>>().join("\n").into())
            }
        }
    }
}

/// Asks each of `servers`, all at once, and ends the connections. One that does not answer takes no
/// other along.
pub(super) fn ask<T, F>(
    servers: Vec<Configured>,
    question: impl Fn(Arc<Connection>) -> F + Clone + Send + 'static,
) -> Result<Asked<T>, Failure>
where
    T: Send + 'static,
    F: Future<Output = Result<T, ListError>> + Send,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut asked = JoinSet::new();
        for server in servers {
            let question = question.clone();
            asked.spawn(async move {
                let connection = Arc::new(Connection::open(&server).await?);
                let answer = question(Arc::clone(&connection)).await;
                if let Some(connection) = Arc::into_inner(connection) {
                    connection.close().await;
                }
                let answer =
                    answer.map_err(|error| format!("server `{}`: {error}", server.name))?;
                Ok::<_, Failure>((server.name, answer))
            });
        }
        let (mut answers, mut failed) = (Vec::new(), Vec::new());
        while let Some(answer) = asked.join_next().await {
            match answer? {
                Ok(answer) => answers.push(answer),
                Err(failure) => failed.push(failure),
            }
        }
        answers.sort_by(|(a, _), (b, _)| a.cmp(b));
        failed.sort_by_key(ToString::to_string);
        Ok(Asked { answers, failed })
    })
}
