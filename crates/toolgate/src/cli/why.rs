//! `toolgate why`: what would be decided about a call, every line to change so that it comes out
//! otherwise, and what every rule says. Runs nothing and asks nobody.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use toolcontract_protocol::Principal;
use toolcontract_runtime::policy::why::explain;
use toolcontract_schema::bounds;

use super::{
    Exit, Failure, Io,
    contracts::{Contracts, Found},
    policy::{self, Screen},
};

/// Arguments of `why`.
#[derive(Debug, Args)]
pub struct WhyCommand {
    /// The policy
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// The tool
    #[arg(long, value_name = "NAME")]
    tool: String,
    /// Who calls: `user`, `role:ID`, `host:ID`, `plugin:ID` or `subagent:ID`
    #[arg(long, value_name = "LABEL", default_value = "user")]
    principal: String,
    /// Whom a sub-agent acts for; may be given more than once, the nearest first
    #[arg(long, value_name = "LABEL")]
    acting_for: Vec<String>,
    /// The input, as JSON
    #[arg(long, value_name = "JSON", default_value = "{}")]
    input: String,
    #[command(flatten)]
    contracts: Contracts,
    /// How the explanation is printed
    #[arg(long, value_enum, default_value_t = Form::Human)]
    format: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For a person
    Human,
    /// One JSON object
    Json,
}

impl WhyCommand {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        let screen = match self.format {
            Form::Human => Screen::Human,
            Form::Json => Screen::Json,
        };
        let known = match self.contracts.find(io.err)? {
            Found::Contracts(known) => known,
            Found::Faults(findings) => return policy::faults(&findings, screen, io),
        };
        let policy = match policy::load(&self.policy, known.all())? {
            Ok(policy) => policy,
            Err(findings) => return policy::faults(&findings, screen, io),
        };
        let contract = known.contract(&self.tool)?;
        let input = bounds::read(self.input.as_bytes(), &bounds::Limits::default())
            .map_err(|error| format!("the input cannot be read: {error}"))?;
        let mut why = explain(&policy, contract, &self.principal()?, &input);
        why.notes = known.notes(&contract.name);
        match self.format {
            Form::Human => write!(io.out, "{why}")?,
            Form::Json => {
                serde_json::to_writer_pretty(&mut *io.out, &why)?;
                writeln!(io.out)?;
            }
        }
        Ok(Exit::Clean)
    }

    /// The caller: the last of those named is the one whom nobody started.
    fn principal(&self) -> Result<Principal, Failure> {
        let mut labels: Vec<&String> = std::iter::once(&self.principal)
            .chain(&self.acting_for)
            .collect();
        let first = labels.pop().unwrap_or(&self.principal);
        let mut principal: Principal = match first.strip_prefix("subagent:") {
            Some(_) => {
                return Err(
                    "say with `--acting-for` whom the sub-agent acts for, such as `user`".into(),
                );
            }
            None => first.parse()?,
        };
        while let Some(label) = labels.pop() {
            match label.strip_prefix("subagent:") {
                Some(id) if !id.is_empty() => principal = principal.spawn(id),
                _ => {
                    return Err(format!(
                        "only `subagent:ID` acts for somebody, not `{}`",
                        label.escape_debug()
                    )
                    .into());
                }
            }
        }
        Ok(principal)
    }
}
