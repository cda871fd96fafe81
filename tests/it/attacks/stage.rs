//! Where an attack plays: a workspace with the program's own tools in it, a ledger and a journal
//! outside of it, and servers, as far as steps bring them. Everything is as in the program, but
//! for the fakes that a step asks for.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use tokio::runtime::Runtime;
use toolcontract_protocol::{Dialect, Principal, ToolContract};
use toolcontract_runtime::{
    adoption::{self, Ledger, Terms},
    authz::NoAuthz,
    caller::{Caller, Session},
    clock::{Clock, SystemClock},
    journal::FileJournal,
    limits::Limits,
    mcp::client,
    policy::role::RolePolicy,
    process::Environment,
    registry::{Builder, Registry},
};
use toolgate::tools::{self, Workspace};

use super::attack::{Does, Open, Relied, Step};
use crate::{
    mcp_client::Odd,
    runtime::fakes::{self, Fake, Log},
    toolgate::yard::Yard,
};

/// What became of a step that went as expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// Something was refused, withheld, told as wrong or not believed.
    Refused,
    /// Something was let through.
    Passed,
    /// Neither: somebody got ready.
    Done,
}

impl Seen {
    /// Of a step that refuses when there are faults.
    pub(super) fn refused_if(refused: bool) -> Self {
        match refused {
            true => Self::Refused,
            false => Self::Passed,
        }
    }
}

/// Said where a step went otherwise.
pub(super) type Told = Result<Seen, String>;

pub(super) struct Stage<'a> {
    /// The attack's.
    pub(super) folder: &'a Path,
    pub(super) registry: Option<Registry>,
    pub(super) servers: BTreeMap<String, Odd>,
    pub(super) tokio: Runtime,
    pub(super) yard: Yard,
    /// The contracts of what servers offer, for policies.
    pub(super) offered: BTreeMap<String, Vec<ToolContract>>,
    pub(super) policy: Option<RolePolicy>,
    pub(super) fakes: Vec<(String, Does)>,
    /// What fakes did.
    pub(super) log: Log,
    pub(super) ledger_is_foreign: bool,
    pub(super) session: Arc<Session>,
    /// None while somebody gets at the file.
    pub(super) journal: Option<Arc<FileJournal>>,
    pub(super) calls: u64,
}

impl<'a> Stage<'a> {
    pub(super) fn new(folder: &'a Path) -> Self {
        let yard = Yard::new();
        let given = folder.join("workspace");
        if given.is_dir() {
            super::workspace::copy(&given, &yard.root());
        }
        let tokio = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let mut stage = Self {
            folder,
            yard,
            tokio,
            servers: BTreeMap::new(),
            offered: BTreeMap::new(),
            policy: None,
            fakes: Vec::new(),
            log: Log::default(),
            ledger_is_foreign: false,
            registry: None,
            session: Session::new("stage"),
            journal: None,
            calls: 0,
        };
        stage.open_journal();
        stage
    }

    pub(super) fn step(&mut self, step: &Step) -> Told {
        match step {
            Step::Serve(step) => self.serve(step),
            Step::Change(step) => self.change(step),
            Step::Scan(step) => self.scan(step),
            Step::Shown(step) => self.shown(step),
            Step::Named(step) => super::served::named(step),
            Step::Servers(step) => self.servers_file(step),
            Step::Make(entry) => self.make(entry),
            Step::Edit(step) => self.edit(step),
            Step::Remove(path) => self.remove(path),
            Step::Holds(step) => self.holds(step),
            Step::Discover(step) => self.discover(step),
            Step::Lint(step) => self.lint(step),
            Step::Fake(fake) => {
                self.fakes.push((fake.name.clone(), fake.does));
                Ok(Seen::Done)
            }
            Step::Register(step) => self.register(step),
            Step::Policy(step) => self.load_policy(step),
            Step::Adopt(step) => self.adopt(step),
            Step::Ledger(becomes) => self.ledger_becomes(*becomes),
            Step::Open(step) => self.open(step),
            Step::Relied(step) => self.relied(step),
            Step::Call(step) => self.call(step),
            Step::Journal(step) => self.tamper(step),
        }
    }

    /// What holds after any steps: every call is in the journal, and the journal is whole.
    pub(super) fn end(&mut self) -> Result<(), String> {
        match self.calls {
            0 => Ok(()),
            calls => self.is_whole(2 * calls),
        }
    }

    pub(super) fn open_journal(&mut self) {
        let path = self.journal_path();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
        self.journal = Some(Arc::new(FileJournal::open(&path, &clock).unwrap()));
    }

    pub(super) fn journal_path(&self) -> std::path::PathBuf {
        self.yard.path("../state/journal.jsonl")
    }

    pub(super) fn ledger(&self) -> Ledger {
        if !self.ledger_is_foreign {
            return self.yard.ledger();
        }
        let elsewhere = self.yard.path("../elsewhere");
        std::fs::create_dir_all(&elsewhere).unwrap();
        Ledger::new(&self.yard.ledger_path(), &elsewhere).unwrap()
    }

    /// The contracts that a policy is held against.
    pub(super) fn contracts(&self) -> Vec<ToolContract> {
        let catalog = stella_contracts::catalog().iter();
        let mut all: Vec<ToolContract> = catalog.map(|contract| (**contract).clone()).collect();
        let scripts = self.yard.discover().scripts;
        all.extend(scripts.into_iter().map(|script| script.contract));
        all.extend(self.offered.values().flatten().cloned());
        all
    }

    fn open(&mut self, open: &Open) -> Told {
        let builder = match &self.policy {
            Some(policy) => Registry::builder(policy.clone()),
            None => Registry::builder(NoAuthz),
        };
        let environment = Environment::inherited(open.pass_env.iter().map(String::as_str));
        let workspace = Workspace::open(&self.yard.root()).unwrap();
        let builder = tools::add(builder, workspace, environment.clone()).limits(Limits {
            grace: std::time::Duration::from_millis(20),
            ..Limits::default()
        });
        let builder = match &self.journal {
            Some(journal) => builder.journal(Arc::clone(journal) as _),
            None => builder,
        };
        let mut withheld = BTreeMap::new();
        let builder = self.with_fakes(builder);
        let builder = self.with_scripts(builder, open, environment, &mut withheld);
        let builder = self.with_servers(builder, &mut withheld)?;
        let registry = builder.build().map_err(|error| error.to_string())?;
        aliases_are_apart(&registry)?;
        self.registry = Some(registry);
        let expected = &open.withheld;
        let same = withheld.len() == expected.len()
            && expected.iter().all(|(name, part)| {
                let reason = withheld.get(name);
                reason.is_some_and(|reason| reason.contains(part.as_str()))
            });
        if !same {
            return Err(format!("withheld are {withheld:#?}"));
        }
        Ok(match withheld.is_empty() {
            true => Seen::Done,
            false => Seen::Refused,
        })
    }

    fn with_fakes(&self, builder: Builder) -> Builder {
        self.fakes.iter().fold(builder, |builder, (name, does)| {
            let facts = serde_json::json!({ "name": name });
            let fake = Fake::new(does.fake(), &self.log);
            let provenance = toolcontract_protocol::Provenance::Builtin;
            builder.dyn_tool(provenance, fakes::contract(facts), fake)
        })
    }

    fn with_scripts(
        &self,
        builder: Builder,
        open: &Open,
        environment: Environment,
        withheld: &mut BTreeMap<String, String>,
    ) -> Builder {
        let root = self.yard.root();
        let terms = Terms {
            root: &root,
            environment,
            ledger: Some(self.ledger()),
            unadopted: open.unadopted,
        };
        let admission = adoption::admit(self.yard.discover().scripts, &terms);
        let kept = admission.tools().iter().filter(|tool| !tool.callable);
        withheld.extend(kept.map(|tool| (tool.name.clone(), tool.standing.to_string())));
        admission.add_to(builder)
    }

    fn with_servers(
        &self,
        builder: Builder,
        withheld: &mut BTreeMap<String, String>,
    ) -> Result<Builder, String> {
        if self.servers.is_empty() {
            return Ok(builder);
        }
        let mut tools = Vec::new();
        for odd in self.servers.values() {
            let offered = self.tokio.block_on(odd.connection.offered());
            tools.extend(offered.map_err(|error| error.to_string())?.tools);
        }
        let (builder, held) = client::admit(builder, tools, &self.ledger(), false);
        withheld.extend(held.into_iter().map(|h| (h.name, h.standing.to_string())));
        Ok(builder)
    }

    fn relied(&self, expected: &Relied) -> Told {
        let contract = self.registry().contract(&expected.tool);
        let contract = contract.ok_or_else(|| format!("there is no `{}`", expected.tool))?;
        let found = (contract.trusted_read_only(), contract.effective_risk());
        if found != (expected.read_only, expected.risk) {
            return Err(format!("it is relied on as {found:?}"));
        }
        Ok(Seen::refused_if(!expected.read_only))
    }

    pub(super) fn registry(&self) -> &Registry {
        self.registry.as_ref().expect("a step `open` before")
    }

    pub(super) fn caller(&self, by: &str) -> Caller {
        let principal: Principal = by.parse().expect("a principal");
        Caller::in_process(principal, &self.session, format!("c{}", self.calls))
    }
}

impl Does {
    fn fake(self) -> fakes::Does {
        match self {
            Self::Succeed => fakes::Does::Return(toolcontract_protocol::ToolOutput::text("done")),
            Self::Panic => fakes::Does::Panic,
            Self::Hang => fakes::Does::Hang,
            Self::ReturnLate => fakes::Does::Stop,
        }
    }
}

/// No provider has one name for two tools, and each leads back.
fn aliases_are_apart(registry: &Registry) -> Result<(), String> {
    let caller = Caller::in_process(Principal::User, &Session::new("aliases"), "a");
    for dialect in Dialect::ALL {
        let advertised = registry.advertise(dialect, &caller);
        for offer in &advertised.tools {
            let back = advertised.by_alias(&offer.alias).map(|found| &found.name);
            if back != Some(&offer.name) {
                return Err(format!("`{}` is called `{}` too", offer.name, offer.alias));
            }
        }
    }
    Ok(())
}
