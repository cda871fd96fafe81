//! `toolgate policy`: whether a policy fits the tools that there are, and one to start from.
//! Overwrites no file.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use clap::{Args, Subcommand, ValueEnum};
use toolcontract_manifest::{
    Diagnostic, Source,
    print::{self, Format, Settings},
};
use toolcontract_protocol::ToolContract;
use toolcontract_runtime::policy::role::{PolicyError, RolePolicy, schema, starter};

use super::{
    Exit, Failure, Io,
    contracts::{Contracts, Found, Known, SERVER},
    examples, new_file,
    offers::ServedArgs,
};

/// Commands on policies.
#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    /// Say whether a policy can be in force, and everything that is wrong with it
    #[command(after_help = examples::CHECK)]
    Check(Box<Check>),
    /// Print a policy to start from, made of the contracts that there are or of what servers offer
    #[command(after_help = examples::INIT)]
    Init(Box<Init>),
    /// Print the JSON Schema of policies, for editors
    #[command(after_help = examples::SCHEMA)]
    Schema,
}

/// Arguments of `policy check`.
#[derive(Debug, Args)]
pub struct Check {
    /// The policy
    file: PathBuf,
    #[command(flatten)]
    contracts: Contracts,
    #[command(flatten)]
    served: ServedArgs,
    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Screen::Human)]
    format: Screen,
}

/// Arguments of `policy init`.
#[derive(Debug, Args)]
pub struct Init {
    /// Write a new file instead of printing
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    contracts: Contracts,
    #[command(flatten)]
    served: ServedArgs,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Screen {
    /// For a person
    Human,
    /// One JSON object a line
    Json,
    /// Workflow commands of GitHub
    Github,
    /// SARIF 2.1.0
    Sarif,
}

impl Screen {
    pub(super) fn format(self) -> Format {
        match self {
            Self::Human => Format::Human,
            Self::Json => Format::Json,
            Self::Github => Format::Github,
            Self::Sarif => Format::Sarif,
        }
    }
}

impl PolicyCommand {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        match self {
            Self::Check(arguments) => check(arguments, io),
            Self::Init(arguments) => init(arguments, io),
            Self::Schema => {
                serde_json::to_writer_pretty(&mut *io.out, &schema())?;
                writeln!(io.out)?;
                Ok(Exit::Clean)
            }
        }
    }
}

fn check(arguments: &Check, io: &mut Io<'_>) -> Result<Exit, Failure> {
    let known = match arguments.contracts.find(io.err)? {
        Found::Contracts(known) => known,
        Found::Faults(findings) => return faults(&findings, arguments.format, io),
    };
    let Some(offers) = arguments.served.ask(&arguments.contracts)? else {
        return held_against(arguments, &known, &BTreeSet::new(), io);
    };
    offers.tell_refused(io.err)?;
    let exit = held_against(arguments, &known.with(&offers), &offers.servers(), io)?;
    Ok(offers.end(exit, io))
}

/// Holds the policy against what is `known`; of `servers` that is all there is.
fn held_against(
    arguments: &Check,
    known: &Known,
    servers: &BTreeSet<String>,
    io: &mut Io<'_>,
) -> Result<Exit, Failure> {
    let policy = RolePolicy::load_beside(&arguments.file, known.all(), servers);
    let policy = match findings_apart(policy)? {
        Ok(policy) => policy,
        Err(findings) => return faults(&findings, arguments.format, io),
    };
    if arguments.format != Screen::Human {
        faults(&[], arguments.format, io)?;
        return Ok(Exit::Clean);
    }
    let (rules, tools) = (policy.rules(), known.all().count());
    let path = arguments.file.display();
    writeln!(
        io.out,
        "{path}: whole, {rules} rules, checked against {tools} tools"
    )?;
    if let Some(about) = known.about() {
        writeln!(io.out, "tools: {about}")?;
    }
    let mut of_servers = false;
    for unbound in policy.unbound() {
        let (rule, line, tool) = (&unbound.rule, unbound.line, &unbound.tool);
        writeln!(
            io.out,
            "unbound: rule `{rule}` (line {line}) waits for `{tool}`"
        )?;
        of_servers |= tool.starts_with("mcp__");
    }
    if of_servers {
        writeln!(
            io.out,
            "tools of servers are known here once they are adopted, or when its server is named: {SERVER}"
        )?;
    }
    Ok(Exit::Clean)
}

/// Reads a policy. A file that cannot be read is no finding.
pub(super) fn load<'c>(
    path: &Path,
    contracts: impl IntoIterator<Item = &'c ToolContract>,
) -> Result<Result<RolePolicy, Vec<Diagnostic>>, Failure> {
    findings_apart(RolePolicy::load(path, contracts))
}

fn findings_apart(
    policy: Result<RolePolicy, PolicyError>,
) -> Result<Result<RolePolicy, Vec<Diagnostic>>, Failure> {
    match policy {
        Ok(policy) => Ok(Ok(policy)),
        Err(PolicyError::Findings { findings }) => Ok(Err(findings)),
        Err(error) => Err(error.into()),
    }
}

/// Prints findings.
pub(super) fn faults(
    findings: &[Diagnostic],
    screen: Screen,
    io: &mut Io<'_>,
) -> Result<Exit, Failure> {
    let settings = Settings {
        format: screen.format(),
        colors: io.colour,
        about: |_| None,
    };
    print::print(findings, settings, &mut *io.out)?;
    Ok(Exit::Findings)
}

fn init(arguments: &Init, io: &mut Io<'_>) -> Result<Exit, Failure> {
    let out = arguments.out.as_deref();
    if let Some(offers) = arguments.served.ask(&arguments.contracts)? {
        if offers.contracts().next().is_none() {
            return Err(
                "no server offers a tool, so there is nothing to write a policy about".into(),
            );
        }
        let given = give(&offers.starter(), offers.contracts(), out, io)?;
        return Ok(offers.end(given, io));
    }
    let known = match arguments.contracts.find(io.err)? {
        Found::Contracts(known) if known.all().next().is_none() => {
            return Err("there are no tools, so there is nothing to write a policy about".into());
        }
        Found::Contracts(known) => known,
        Found::Faults(findings) => return faults(&findings, Screen::Human, io),
    };
    give(&starter(known.all()), known.all(), out, io)
}

/// Prints the policy in `text`, or writes a new file, once it is known to fit `contracts`.
fn give<'c>(
    text: &str,
    contracts: impl IntoIterator<Item = &'c ToolContract>,
    out: Option<&Path>,
    io: &mut Io<'_>,
) -> Result<Exit, Failure> {
    let source = Source {
        path: "policy.toml".to_owned(),
        bytes: text.as_bytes().to_vec(),
    };
    if let (None, findings) = RolePolicy::parse(&source, contracts) {
        return faults(&findings, Screen::Human, io);
    }
    let Some(path) = out else {
        write!(io.out, "{text}")?;
        return Ok(Exit::Clean);
    };
    new_file::write(path, text)?;
    writeln!(io.out, "wrote {}", path.display())?;
    Ok(Exit::Clean)
}
