//! `toolgate why`: what would be decided about a call, every line to change so that it comes out
//! otherwise, and what every rule says. Runs no tool and asks nobody; of a server that is named it
//! asks for the tools.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use toolcontract_manifest::text::escape;
use toolcontract_runtime::policy::{PolicyToolSet, role::RolePolicy, why::explain_with};
use toolcontract_schema::bounds;

use super::{
    Exit, Failure, Io,
    contracts::{Contracts, Found, Known, SERVER},
    offers::{Offers, PassArgs},
    policy::{self, Screen},
    principal::{self, Label},
    settings::{SWITCHES_NOTHING, SettingsFile},
    unmet::unserved,
    upstream::ServerArgs,
};

/// Arguments of `why`.
#[derive(Debug, Args)]
pub struct WhyCommand {
    /// The policy
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// The tool; of a server that is named, `mcp__SERVER__TOOL`
    #[arg(long, value_name = "NAME")]
    tool: String,
    /// Take the switches of this settings file into account; its hooks are not run
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Who calls: `user`, `role:ID`, `host:ID`, `plugin:ID` or `subagent:ID`
    #[arg(long, value_name = "LABEL", default_value = "user", value_parser = principal::label)]
    principal: Label,
    /// Whom a sub-agent acts for; may be given more than once, the nearest first
    #[arg(long, value_name = "LABEL", value_parser = principal::label)]
    acting_for: Vec<Label>,
    /// The input, as JSON
    #[arg(long, value_name = "JSON", default_value = "{}")]
    input: String,
    #[command(flatten)]
    contracts: Contracts,
    #[command(flatten)]
    servers: ServerArgs,
    #[command(flatten)]
    pass: PassArgs,
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
            Found::Contracts(known) => self.asked(known, io)?,
            Found::Faults(findings) => return policy::faults(&findings, screen, io),
        };
        let settings = match &self.settings {
            Some(path) => Some(SettingsFile::load(path)?),
            None => None,
        };
        if let Some(file) = &settings {
            file.tell(known.all(), SWITCHES_NOTHING, io.err)?;
        }
        let policy = match policy::load(&self.policy, known.all())? {
            Ok(policy) => policy,
            Err(findings) => return policy::faults(&findings, screen, io),
        };
        for line in unserved(&policy, &known.listed().collect::<Vec<_>>()) {
            writeln!(io.err, "{line}")?;
        }
        let contract = match known.contract(&self.tool) {
            Ok(contract) => contract,
            Err(error) if known.has_asked(&self.tool) => return Err(error.into()),
            Err(error) => return Err(self.waiting(&policy).unwrap_or(error).into()),
        };
        let input = bounds::read(self.input.as_bytes(), &bounds::Limits::default())
            .map_err(|error| format!("the input cannot be read: {error}"))?;
        let everything = PolicyToolSet::everything();
        let switches = match &settings {
            Some(file) => &file.settings.tools,
            None => &everything,
        };
        let principal = principal::acting(&self.principal, &self.acting_for)?;
        let mut why = explain_with(&policy, switches, contract, &principal, &input);
        why.notes = known.notes(&contract.name);
        let hooks = settings.map_or(0, |file| file.settings.hooks.len());
        if hooks > 0 {
            why.notes.push(format!(
                "{hooks} of the settings' hooks have a say as well, and are not run here"
            ));
        }
        match self.format {
            Form::Human => write!(io.out, "{why}")?,
            Form::Json => {
                serde_json::to_writer_pretty(&mut *io.out, &why)?;
                writeln!(io.out)?;
            }
        }
        Ok(Exit::Clean)
    }

    /// What is known, with the tools of the tool's server, where one is named.
    fn asked(&self, known: Known, io: &mut Io<'_>) -> Result<Known, Failure> {
        if self.servers.is_empty() {
            return Ok(known);
        }
        let place = self.pass.place(&self.contracts);
        let server = self.servers.of_tool(&self.tool, place)?;
        let offers = Offers::of(vec![server], &self.contracts)?;
        offers.tell_refused(io.err)?;
        Ok(known.with(&offers))
    }

    /// What to say of a tool whose contract comes later than the policy.
    fn waiting(&self, policy: &RolePolicy) -> Option<String> {
        let rules = policy.waiting_for(&self.tool)?;
        let (shown, path) = (escape(&self.tool), policy.path());
        let known = match self.tool.starts_with("mcp__") {
            true => format!("once somebody adopts it, or when its server is named: {SERVER}"),
            false => "once a session brings it, since `late_tools` lists it".to_owned(),
        };
        let rules = rules.iter().map(|unbound| {
            let (rule, line) = (&unbound.rule, unbound.line);
            format!("{path}:{line}: rule `{rule}` waits for it")
        });
        let rules: Vec<String> = rules.collect();
        let rules = match rules.is_empty() {
            true => "no rule names it".to_owned(),
            false => rules.join("\n"),
        };
        Some(format!(
            "`{shown}` has no contract yet: it is known {known}\n{rules}\n\
             rules for every tool (`*`), for its group or with `facts` hold for it as well, as its contract says"
        ))
    }
}
