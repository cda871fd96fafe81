//! `toolgate call`: one governed call. Where a person must answer, the terminal is asked; without
//! a terminal the call is refused.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufReader, IsTerminal as _, Read as _},
};

use clap::Args;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use toolcontract_manifest::{nearest, text::escape};
use toolcontract_protocol::{ErrorCode, ToolOutput};
use toolcontract_runtime::{
    approval::Terminal,
    call::CallReport,
    caller::{Caller, Session},
    mcp::client::Connection,
    registry::{Builder, Registry},
};

use super::{
    Exit, Failure, Governance, Io,
    interrupt::interrupted,
    upstream::{Place, ServerArgs, governing},
};

/// The longest input that is read from standard input, in bytes; a registry refuses less.
const MAX_INPUT: u64 = 64 << 20;

/// Arguments of `call`.
#[derive(Debug, Args)]
pub struct Call {
    /// The tool; of a server that is named, `mcp__SERVER__TOOL`
    tool: String,
    /// Its input as JSON; `-` reads standard input
    #[arg(long, value_name = "JSON", default_value = "{}")]
    input: String,
    #[command(flatten)]
    governance: Governance,
    /// Print JSON: the output, and what was decided
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    servers: ServerArgs,
}

impl Call {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        let session = Session::new(nonce()?);
        let stop = CancellationToken::new();
        let caller =
            Caller::in_process(self.governance.caller.principal.clone(), &session, "call-1")
                .cancelled_by(stop.clone());
        let input = self.input()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        let (registry, report) = runtime.block_on(async {
            let (registry, server) = self.registry(io).await?;
            // The first interrupt ends the call in order; the second one ends the program.
            tokio::spawn(async move {
                interrupted().await;
                stop.cancel();
            });
            let report = registry.call(&self.tool, input.as_slice(), &caller).await;
            if let Some(server) = server {
                server.close().await;
            }
            Ok::<_, Failure>((registry, report))
        })?;
        // Whoever asks on a terminal still waits for a line that nobody needs any more.
        runtime.shutdown_background();
        self.print(&report, io)?;
        if report.code() == Some(&ErrorCode::UnknownTool) {
            let names = registry.contracts().map(|contract| contract.name.as_str());
            writeln!(io.err, "note: {}", unknown(&self.tool, names))?;
        }
        Ok(match report.output.is_ok() {
            true => Exit::Clean,
            false => Exit::Findings,
        })
    }

    /// The tools of this program and of scripts, or those of the server that is named.
    async fn registry(&self, io: &mut Io<'_>) -> Result<(Registry, Option<Connection>), Failure> {
        if self.servers.is_empty() {
            let builder = self.governance.builder_telling(io.err)?;
            return Ok((asking(builder).build()?, None));
        }
        let Governance { rules, scripts, .. } = &self.governance;
        let govern = governing(rules, &scripts.ledger, false)?;
        let place = Place {
            folder: Some(rules.root.clone()),
            environment: rules.environment(),
        };
        let server = self.servers.of_tool(&self.tool, place)?;
        let connection = Connection::open(&server).await?;
        let offered = connection.offered().await?;
        Ok((asking(govern(offered.tools)?).build()?, Some(connection)))
    }

    fn input(&self) -> io::Result<Vec<u8>> {
        if self.input != "-" {
            return Ok(self.input.clone().into_bytes());
        }
        let mut input = Vec::new();
        io::stdin().take(MAX_INPUT).read_to_end(&mut input)?;
        Ok(input)
    }

    fn print(&self, report: &CallReport, io: &mut Io<'_>) -> io::Result<()> {
        if self.json {
            serde_json::to_writer_pretty(&mut *io.out, &as_json(report))?;
            return writeln!(io.out);
        }
        match &report.output {
            ToolOutput::Ok { content, .. } => {
                write!(io.out, "{}", escape(content))?;
                if !content.ends_with('\n') {
                    writeln!(io.out)?;
                }
            }
            ToolOutput::Error {
                message,
                class,
                code,
                ..
            } => {
                let code = code
                    .as_ref()
                    .map(|code| format!(" ({})", escape(code.as_str())));
                writeln!(
                    io.err,
                    "{class}{}: {}",
                    code.unwrap_or_default(),
                    escape(message)
                )?;
                let decided = &report.trace.decided_by;
                if !report.ran {
                    let (rule, why) = (escape(&decided.rule), escape(&decided.description));
                    writeln!(io.err, "decided by {rule}: {why}")?;
                }
            }
        }
        if let Some(detail) = &report.detail {
            writeln!(io.err, "note: {}", escape(detail))?;
        }
        Ok(())
    }
}

/// What to know about a name that is no tool's.
fn unknown<'n>(tool: &str, names: impl Iterator<Item = &'n str>) -> String {
    let mut catalog = stella_contracts::catalog().iter();
    if catalog.any(|contract| contract.name == tool) {
        return format!("`{tool}` is of the catalog, and this `toolgate` does not have it");
    }
    match nearest(tool, names) {
        Some(near) => format!("did you mean `{}`?", escape(near)),
        None => "`toolgate list` shows the tools that there are".to_owned(),
    }
}

/// For a program, not for a model: it tells rules and reasons.
fn as_json(report: &CallReport) -> Value {
    json!({
        "tool": report.tool,
        "output": report.output,
        "ran": report.ran,
        "decision": report.verdict,
        "trace": report.trace,
        "approval": report.approval,
        "input_digest": report.input_digest,
        "events": { "emitted": report.events.emitted, "dropped": report.events.dropped() },
        "detail": report.detail,
    })
}

/// Asks on the terminal, where there is one. Standard input may be a pipe.
fn asking(builder: Builder) -> Builder {
    let open = || {
        let terminal = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
        let also: File = terminal.try_clone()?;
        io::Result::Ok((terminal, also))
    };
    match open() {
        Ok((reader, writer)) if reader.is_terminal() => {
            builder.approvals(Terminal::new(BufReader::new(reader), writer))
        }
        _ => builder,
    }
}

/// A name for a session that no other has.
fn nonce() -> Result<String, Failure> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| format!("the system gives no random bytes: {error}"))?;
    Ok(format!("call-{:016x}", u64::from_be_bytes(bytes)))
}
