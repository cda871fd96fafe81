//! What every command that serves or makes calls is told: where tools work, who decides, who
//! calls, where it is written down. Refuses to start without one named gate: nothing is allowed
//! by default.

use std::{path::PathBuf, sync::Arc};

use clap::Args;
use toolcontract_protocol::{Principal, RiskLevel};
use toolcontract_runtime::{
    authz::{DenyAll, NoAuthz, RiskCeiling},
    clock::{Clock, SystemClock},
    journal::{FileJournal, Journal},
    process::Environment,
    registry::{Builder, Registry},
};

use super::Failure;
use crate::tools::{self, Workspace};

/// Arguments of every command that serves or makes calls.
#[derive(Debug, Clone, Args)]
pub struct Governance {
    /// The folder that tools work in
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    #[command(flatten)]
    gate: GateChoice,
    /// Write every call to this journal
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Who calls: `user`, `role:ID`, `host:ID` or `plugin:ID`
    #[arg(long, value_name = "LABEL", default_value = "user")]
    pub principal: Principal,
    /// A variable that commands may see beside the ordinary ones; may be given more than once
    #[arg(long, value_name = "NAME")]
    pass_env: Vec<String>,
}

/// Who decides about calls. There is no default.
#[derive(Debug, Clone, Args)]
#[group(required = true, multiple = false)]
struct GateChoice {
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

fn risk(token: &str) -> Result<RiskLevel, String> {
    RiskLevel::from_token(token).ok_or_else(|| {
        let levels = RiskLevel::ALL.map(RiskLevel::as_str).join("`, `");
        format!("write one of `{levels}`")
    })
}

impl Governance {
    /// A builder with the chosen gate, the journal and every tool of this program. Who answers
    /// questions, and who hears events, is the command's to add.
    ///
    /// # Errors
    /// When the workspace or the journal cannot be opened.
    pub fn builder(&self) -> Result<Builder, Failure> {
        let workspace = Workspace::open(&self.root)?;
        let environment = Environment::inherited(self.pass_env.iter().map(String::as_str));
        let begin = self.begin()?;
        Ok(tools::add(begin(), workspace, environment))
    }

    /// What begins registries with the chosen gate and one journal for all of them, without tools.
    ///
    /// # Errors
    /// When the journal cannot be opened.
    pub fn begin(&self) -> Result<impl Fn() -> Builder + Send + Sync + use<>, Failure> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
        let journal = match &self.journal {
            Some(path) => Some(Arc::new(FileJournal::open(path, &clock)?)),
            None => None,
        };
        let gate = self.gate.clone();
        Ok(move || {
            let builder = gate.builder().clock(Arc::clone(&clock));
            match &journal {
                Some(journal) => builder.journal(Arc::clone(journal) as Arc<dyn Journal>),
                None => builder,
            }
        })
    }
}

impl GateChoice {
    fn builder(&self) -> Builder {
        match self {
            Self {
                risk_ceiling: Some(level),
                ..
            } => Registry::builder(RiskCeiling(*level)),
            Self { no_authz: true, .. } => Registry::builder(NoAuthz),
            Self { .. } => Registry::builder(DenyAll),
        }
    }
}
