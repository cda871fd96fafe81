//! Puts script tools into a registry, each as it stands: adopted ones with their grade, the others
//! withheld, or as what they claim to be where the operator lets them.

use std::path::Path;

use toolcontract_protocol::ToolContract;

use super::{Ledger, Pin, Pinned, Standing, Withheld, standing};
use crate::{
    process::Environment,
    registry::Builder,
    script::{Script, ScriptTool},
};

/// On which terms script tools are let in.
#[derive(Debug)]
pub struct Terms<'a> {
    /// The workspace in which they run.
    pub root: &'a Path,
    /// What their commands find in the environment.
    pub environment: Environment,
    /// The ledger; without one nothing is adopted.
    pub ledger: Option<Ledger>,
    /// Whether tools that nobody has adopted may be called: at risk `high` or worse, and relied on
    /// for nothing. Tools that differ from what was adopted may not in any case.
    pub unadopted: bool,
}

/// What became of one script tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Admitted {
    /// The tool.
    pub name: String,
    /// How it stands.
    pub standing: Standing,
    /// Whether calls are let through to policy.
    pub callable: bool,
}

/// Script tools on their way into a registry.
#[derive(Debug, Default)]
pub struct Admission {
    told: Vec<Admitted>,
    tools: Vec<Standby>,
    known: Vec<ToolContract>,
}

/// A tool with the contract that it is registered under.
#[derive(Debug)]
enum Standby {
    Pinned(Box<ToolContract>, Box<Pinned<ScriptTool>>),
    Claimed(Box<ToolContract>, Box<ScriptTool>),
}

/// Lets `scripts` in on `terms`, each as it stands. A tool whose files cannot be used is told and
/// left out.
#[must_use]
pub fn admit(scripts: Vec<Script>, terms: &Terms<'_>) -> Admission {
    let mut admission = Admission::default();
    for script in scripts {
        admission.take(script, terms);
    }
    admission
}

impl Admission {
    /// What became of each, in the order in which they came.
    #[must_use]
    pub fn tools(&self) -> &[Admitted] {
        &self.told
    }

    /// The contracts that a policy is held against. Those of tools that are withheld are there
    /// too, as a person graded them where one did: whoever changes a script takes that tool away,
    /// and not the policy that names it.
    pub fn contracts(&self) -> impl Iterator<Item = &ToolContract> {
        self.known.iter()
    }

    /// Registers them in `builder`; a call of one that is withheld is denied by the operator.
    #[must_use]
    pub fn add_to(self, builder: Builder) -> Builder {
        let withheld = self.told.iter().filter(|tool| !tool.callable);
        let withheld: Vec<(String, String)> = withheld
            .map(|tool| (tool.name.clone(), tool.standing.to_string()))
            .collect();
        let builder = Withheld::new(withheld).add_to(builder);
        self.tools
            .into_iter()
            .fold(builder, |builder, tool| match tool {
                Standby::Pinned(contract, tool) => {
                    builder.dyn_tool(contract.provenance.clone(), *contract, *tool)
                }
                Standby::Claimed(contract, tool) => {
                    builder.dyn_tool(contract.provenance.clone(), *contract, *tool)
                }
            })
    }

    fn take(&mut self, script: Script, terms: &Terms<'_>) {
        let name = script.contract.name.clone();
        self.known.push(graded(&script.contract, terms));
        let (environment, claimed) = (terms.environment.clone(), script.contract.clone());
        let tool = match ScriptTool::new(script.clone(), claimed, terms.root, environment) {
            Ok(tool) => tool,
            Err(error) => {
                let standing = Standing::Unusable(error.to_string());
                return self.tell(name, standing, false);
            }
        };
        let stands = match &terms.ledger {
            Some(ledger) => standing(ledger, &script.contract, &Pin::of_script(&script, &tool)),
            None => Standing::Unadopted,
        };
        match (&stands, &terms.ledger) {
            (Standing::Adopted(contract, digest), Some(ledger)) => {
                let tool = tool.under(contract.as_ref().clone());
                let tool = Pinned::new(tool, &name, digest, ledger.clone());
                self.tools
                    .push(Standby::Pinned(contract.clone(), tool.into()));
                self.tell(name, stands, true);
            }
            (other, _) => {
                let callable =
                    terms.unadopted && *other == Standing::Unadopted && !is_by_machine(&script);
                self.tools
                    .push(Standby::Claimed(script.contract.into(), tool.into()));
                self.tell(name, stands, callable);
            }
        }
    }

    fn tell(&mut self, name: String, standing: Standing, callable: bool) {
        self.told.push(Admitted {
            name,
            standing,
            callable,
        });
    }
}

/// The contract with the grade that a person once gave it.
fn graded(contract: &ToolContract, terms: &Terms<'_>) -> ToolContract {
    let entry = terms
        .ledger
        .as_ref()
        .map(|ledger| ledger.find(&contract.name));
    match entry {
        Some(Ok(Some(entry))) => entry.grade.apply(contract, &entry.digest),
        _ => contract.clone(),
    }
}

/// What a machine wrote, no operator lets in as a whole: a person looks at each.
fn is_by_machine(script: &Script) -> bool {
    script.manifest.foundry.is_some()
}
