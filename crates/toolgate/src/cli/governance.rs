//! What every command that serves or makes calls is told: where tools work, who decides, who
//! calls, where it is written down. Refuses to start without one named gate: nothing is allowed
//! by default.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use toolcontract_protocol::{RiskLevel, ToolContract};
use toolcontract_runtime::{
    authz::{DenyAll, NoAuthz, RiskCeiling},
    clock::{Clock, SystemClock},
    hook::{Processes, ShellHook},
    journal::{FileJournal, Journal},
    mcp::client::split,
    policy::role::RolePolicy,
    process::Environment,
    registry::{Builder, Registry},
};

use super::{
    Failure, ScriptArgs,
    principal::CallerArgs,
    settings::{SWITCHES_NOTHING, SettingsFile},
    unmet::{absent, unserved},
};
use crate::tools::{self, Workspace};

/// Arguments of every command that serves or makes calls.
#[derive(Debug, Clone, Args)]
pub struct Rules {
    /// The folder that tools work in
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(super) root: PathBuf,
    #[command(flatten)]
    gate: GateChoice,
    /// Switch tools off, and run hooks, as the blocks `tools` and `hooks` of this file say
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Write every call to this journal
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// A variable that commands may see beside the ordinary ones; may be given more than once
    #[arg(long, value_name = "NAME")]
    pass_env: Vec<String>,
}

/// Arguments of commands that have the tools of this program and of scripts.
#[derive(Debug, Clone, Args)]
pub struct Governance {
    #[command(flatten)]
    pub(super) rules: Rules,
    #[command(flatten)]
    pub(super) caller: CallerArgs,
    #[command(flatten)]
    pub(super) scripts: ScriptArgs,
}

/// Who decides about calls. There is no default.
#[derive(Debug, Clone, Args)]
#[group(required = true, multiple = false)]
struct GateChoice {
    /// Decide by this policy; `toolgate policy init` prints one to start from
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Deny what is riskier: `low`, `medium`, `high` or `destructive`
    #[arg(long, value_name = "LEVEL", value_parser = risk)]
    risk_ceiling: Option<RiskLevel>,
    /// Deny every call
    #[arg(long)]
    deny_all: bool,
    /// Allow every call but those whose contract asks a person
    #[arg(long)]
    no_authz: bool,
}

pub(super) fn risk(token: &str) -> Result<RiskLevel, String> {
    RiskLevel::from_token(token).ok_or_else(|| {
        let levels = RiskLevel::ALL.map(RiskLevel::as_str).join("`, `");
        format!("write one of `{levels}`")
    })
}

impl Governance {
    /// A builder with the chosen gate, the journal, every tool of this program and the script
    /// tools of the workspace. Who answers questions, and who hears events, is the command's to
    /// add. Standard error is told what is wrong with script tools.
    ///
    /// # Errors
    /// When the workspace, the journal, a folder of script tools or the ledger cannot be used.
    pub fn builder(&self) -> Result<Builder, Failure> {
        self.builder_telling(&mut io::stderr())
    }

    /// The same, which tells `err` in place of standard error.
    ///
    /// # Errors
    /// Those of [`Self::builder`].
    pub fn builder_telling(&self, err: &mut dyn Write) -> Result<Builder, Failure> {
        let workspace = Workspace::open(&self.rules.root)?;
        let environment = self.rules.environment();
        let scripts = self.scripts.admit(workspace.root(), &environment, err)?;
        let contracts: Vec<_> = scripts.contracts().collect();
        let builder = self.rules.beginning()?.over(&contracts, err)?;
        let builder = tools::add(builder, workspace, environment);
        Ok(scripts.add_to(builder))
    }
}

impl Rules {
    /// The environment of what is started.
    pub(super) fn environment(&self) -> Environment {
        Environment::inherited(self.pass_env.iter().map(String::as_str))
    }

    /// What begins registries with the chosen gate, the settings and one journal for all of them,
    /// without tools. Standard error is told which switches are about nothing of the catalog.
    ///
    /// # Errors
    /// When the policy, the settings or the journal cannot be read.
    pub fn begin(&self) -> Result<impl Fn() -> Builder + Send + Sync + use<>, Failure> {
        self.begin_telling(&mut io::stderr())
    }

    /// The same, which tells `err` in place of standard error.
    ///
    /// # Errors
    /// Those of [`Self::begin`].
    pub fn begin_telling(
        &self,
        err: &mut dyn Write,
    ) -> Result<impl Fn() -> Builder + Send + Sync + use<>, Failure> {
        let gate = self.gate.load([])?;
        let dress = self.dress()?;
        let what = "is the name of no tool of the catalog and no group, and switches only what a host calls so";
        dress.tell_switches(&[], what, err)?;
        Ok(move || dress.put_on(gate.builder()))
    }

    /// The same, of registries with contracts that are known only then; a policy is held against
    /// them too. Standard error is told of rules on tools that their server does not have: a
    /// denial with a slip in its name denies nothing. So it is of switches.
    pub(super) fn begin_over(
        &self,
    ) -> Result<impl Fn(&[&ToolContract]) -> Result<Builder, Failure> + use<>, Failure> {
        let beginning = self.beginning()?;
        Ok(
            move |contracts: &[&ToolContract]| match contracts.is_empty() {
                // Before there are tools nothing is known of slips.
                true => beginning.over(contracts, &mut io::sink()),
                false => beginning.over(contracts, &mut io::stderr()),
            },
        )
    }

    /// What rules of the policy name of servers that are none of those with tools in `contracts`.
    pub(super) fn of_other_servers(
        &self,
        contracts: &[&ToolContract],
    ) -> Result<Vec<String>, Failure> {
        let Gate::Policy(policy) = self.gate.load(contracts.iter().copied())? else {
            return Ok(Vec::new());
        };
        let of_server = |name: &str| Some(split(name)?.0.to_owned());
        let here: BTreeSet<String> = contracts
            .iter()
            .filter_map(|contract| of_server(&contract.name))
            .collect();
        let unbound = policy.unbound().iter().map(|unbound| &unbound.tool);
        let of_others =
            unbound.filter(|tool| of_server(tool).is_some_and(|server| !here.contains(&server)));
        Ok(of_others.cloned().collect())
    }

    fn beginning(&self) -> Result<Beginning, Failure> {
        Ok(Beginning {
            gate: self.gate.clone(),
            dress: self.dress()?,
        })
    }

    /// The settings, the clock, and one journal for all builders.
    fn dress(&self) -> Result<Dress, Failure> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
        let journal = match &self.journal {
            Some(path) => Some(Arc::new(FileJournal::open(path, &clock)?)),
            None => None,
        };
        let governed = match &self.settings {
            Some(path) => Some(self.governed_by(path)?),
            None => None,
        };
        Ok(Dress {
            clock,
            journal,
            governed,
        })
    }

    /// What the settings file at `path` says about calls.
    fn governed_by(&self, path: &Path) -> Result<Governed, Failure> {
        let file = SettingsFile::load(path)?;
        let runner = Arc::new(Processes {
            environment: self.environment(),
        });
        // What a hook is told it runs in, wherever this process goes.
        let folder = self.root.canonicalize()?;
        let hooks = file.settings.hooks.iter().cloned();
        let hooks = hooks.map(|spec| ShellHook::new(spec, &folder, runner.clone()));
        Ok(Governed {
            hooks: hooks.collect::<Result<_, _>>()?,
            file,
        })
    }
}

/// The chosen gate and what goes around it, before the tools are known.
struct Beginning {
    gate: GateChoice,
    dress: Dress,
}

impl Beginning {
    /// A builder for tools with these contracts beside the catalog. Tells `err` which rules and
    /// switches are about nothing.
    fn over(&self, contracts: &[&ToolContract], err: &mut dyn Write) -> Result<Builder, Failure> {
        let gate = self.gate.load(contracts.iter().copied())?;
        for line in gate.unmet(contracts) {
            writeln!(err, "{line}")?;
        }
        self.dress.tell_switches(contracts, SWITCHES_NOTHING, err)?;
        Ok(self.dress.put_on(gate.builder()))
    }
}

/// What every builder of a command gets beside its gate.
struct Dress {
    clock: Arc<dyn Clock>,
    journal: Option<Arc<FileJournal>>,
    governed: Option<Governed>,
}

impl Dress {
    fn put_on(&self, builder: Builder) -> Builder {
        let mut builder = builder.clock(Arc::clone(&self.clock));
        if let Some(governed) = &self.governed {
            builder = governed.add(builder);
        }
        match &self.journal {
            Some(journal) => builder.journal(Arc::clone(journal) as Arc<dyn Journal>),
            None => builder,
        }
    }

    /// Says which switches of the settings are about nothing: one with a slip in its name leaves
    /// the tool on.
    fn tell_switches(
        &self,
        contracts: &[&ToolContract],
        what: &str,
        err: &mut dyn Write,
    ) -> io::Result<()> {
        let Some(governed) = &self.governed else {
            return Ok(());
        };
        let all = catalog().chain(contracts.iter().copied());
        governed.file.tell(all, what, err)
    }
}

impl GateChoice {
    /// The gate; a policy is held against the catalog and `also`.
    fn load<'c>(&self, also: impl IntoIterator<Item = &'c ToolContract>) -> Result<Gate, Failure> {
        Ok(match self {
            Self {
                policy: Some(path), ..
            } => Gate::Policy(RolePolicy::load(path, catalog().chain(also))?),
            Self {
                risk_ceiling: Some(level),
                ..
            } => Gate::RiskCeiling(*level),
            Self { no_authz: true, .. } => Gate::NoAuthz,
            Self { .. } => Gate::DenyAll,
        })
    }
}

/// Every contract that a policy may name: more than the tools of this program.
fn catalog<'c>() -> impl Iterator<Item = &'c ToolContract> {
    stella_contracts::catalog().iter().copied()
}

/// The chosen gate.
enum Gate {
    Policy(RolePolicy),
    RiskCeiling(RiskLevel),
    NoAuthz,
    DenyAll,
}

impl Gate {
    /// What rules name that these tools do not have, where no other can come.
    fn unmet(&self, contracts: &[&ToolContract]) -> Vec<String> {
        match self {
            Self::Policy(policy) => [unserved(policy, contracts), absent(policy)].concat(),
            Self::RiskCeiling(_) | Self::NoAuthz | Self::DenyAll => Vec::new(),
        }
    }

    fn builder(&self) -> Builder {
        match self {
            Self::Policy(policy) => Registry::builder(policy.clone()),
            Self::RiskCeiling(level) => Registry::builder(RiskCeiling(*level)),
            Self::NoAuthz => Registry::builder(NoAuthz),
            Self::DenyAll => Registry::builder(DenyAll),
        }
    }
}

/// What a settings file adds.
struct Governed {
    hooks: Vec<ShellHook>,
    file: SettingsFile,
}

impl Governed {
    fn add(&self, mut builder: Builder) -> Builder {
        for hook in &self.hooks {
            if hook.rewrites() {
                builder = builder.rewriter(hook.clone());
            }
            builder = builder.shell_hook(hook.clone());
        }
        builder.operator(self.file.settings.tools.clone())
    }
}
