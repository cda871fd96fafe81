//! `toolgate why`: what would be decided about a call, every line to change so that it comes out
//! otherwise, and what every rule says. Runs nothing and asks nobody.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use toolcontract_manifest::text::escape;
use toolcontract_protocol::{Principal, principal::PrincipalError};
use toolcontract_runtime::policy::{PolicyToolSet, Settings, role::RolePolicy, why::explain_with};
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
    /// Take the switches of this settings file into account; its hooks are not run
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
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
        let contract = match known.contract(&self.tool) {
            Ok(contract) => contract,
            Err(error) => return Err(self.waiting(&policy).unwrap_or(error).into()),
        };
        let input = bounds::read(self.input.as_bytes(), &bounds::Limits::default())
            .map_err(|error| format!("the input cannot be read: {error}"))?;
        let (switches, hooks) = self.settings()?;
        let mut why = explain_with(&policy, &switches, contract, &self.principal()?, &input);
        why.notes = known.notes(&contract.name);
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

    /// The switches, and how many hooks there are beside them.
    fn settings(&self) -> Result<(PolicyToolSet, usize), Failure> {
        let Some(path) = &self.settings else {
            return Ok((PolicyToolSet::everything(), 0));
        };
        let settings = Settings::load(path)
            .map_err(|error| format!("settings `{}`: {error}", path.display()))?;
        Ok((settings.tools, settings.hooks.len()))
    }

    /// What to say of a tool whose contract comes later than the policy.
    fn waiting(&self, policy: &RolePolicy) -> Option<String> {
        let rules = policy.waiting_for(&self.tool)?;
        let (shown, path) = (escape(&self.tool), policy.path());
        let known = match self.tool.starts_with("mcp__") {
            true => "once somebody adopts it, and otherwise only while `toolgate proxy` runs",
            false => "once a session brings it, since `late_tools` lists it",
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

    /// The caller: the last of those named is the one whom nobody started.
    fn principal(&self) -> Result<Principal, Failure> {
        let mut labels: Vec<&String> = std::iter::once(&self.principal)
            .chain(&self.acting_for)
            .collect();
        // A pattern would be a caller of that very name, of whom the policy says other things.
        if let Some(pattern) = labels.iter().find(|label| label.contains('*')) {
            return Err(format!(
                "`{}` is a pattern and nobody in particular: name one who calls, such as `{}`",
                escape(pattern),
                escape(&pattern.replace('*', "example"))
            )
            .into());
        }
        let first = labels.pop().unwrap_or(&self.principal);
        let mut principal: Principal = match first.strip_prefix("subagent:") {
            Some(_) => {
                return Err(
                    "say with `--acting-for` whom the sub-agent acts for, such as `user`".into(),
                );
            }
            None => first.parse().map_err(|error: PrincipalError| match error {
                PrincipalError::UnknownKind(label) => format!(
                    "`{}` names no principal: write `user`, `role:ID`, `host:ID`, `plugin:ID`, or `subagent:ID` with `--acting-for`",
                    escape(&label)
                ),
                error => error.to_string(),
            })?,
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
