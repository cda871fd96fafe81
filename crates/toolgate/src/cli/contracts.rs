//! Which tools a question is about: those of the catalog with those of the workspace, or those of a
//! folder of manifests; and beside them those that servers list. Refuses a folder with a fault, since half a catalog would
//! answer for a whole one.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use toolcontract_manifest::{Diagnostic, Folder, nearest, text::escape};
use toolcontract_protocol::{Provenance, ToolContract, manifest::Posture};
use toolcontract_runtime::{
    adoption::{Admitted, Adopted, Ledger},
    mcp::client::split,
    process::Environment,
};
use toolcontract_schema::{bundle::bundle, strip};

use super::{Failure, ScriptArgs, offers::Offers};
use crate::tools;

/// Where the contracts are.
#[derive(Debug, Clone, Args)]
pub(super) struct Contracts {
    /// The folder that holds `manifests/`, whose tools alone count then; without it, the tools are
    /// those of the catalog, and the script tools and adopted tools of the workspace
    #[arg(long, value_name = "DIR")]
    manifests: Option<PathBuf>,
    /// The workspace
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    #[command(flatten)]
    scripts: ScriptArgs,
}

/// Contracts, or what is wrong with the manifests.
pub(super) enum Found {
    Contracts(Known),
    Faults(Vec<Diagnostic>),
}

/// The tools that are known.
#[derive(Debug, Default)]
pub(super) struct Known {
    contracts: Vec<Arc<ToolContract>>,
    /// Tools that servers list now, by name, and why one is withheld.
    listed: BTreeMap<String, Option<String>>,
    /// The servers that were asked.
    servers: BTreeSet<String>,
    /// Of a catalog that is not a folder of manifests: which of them this program has, and what
    /// came from the workspace.
    of_workspace: Option<OfWorkspace>,
}

/// What is known of the tools of a workspace.
#[derive(Debug, Default)]
struct OfWorkspace {
    /// How many are of the catalog.
    catalog: usize,
    scripts: Vec<Admitted>,
    /// Names of adopted tools of servers, and whether somebody enabled them.
    served: Vec<(String, bool)>,
}

impl Contracts {
    /// The workspace.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The ledger's part about the workspace. None when no place for it is known.
    pub(super) fn ledger(&self) -> Result<Option<Ledger>, Failure> {
        self.scripts.ledger.open(&self.root)
    }

    /// Tells `err` what is wrong with script tools.
    pub(super) fn find(&self, err: &mut dyn Write) -> Result<Found, Failure> {
        let Some(root) = &self.manifests else {
            return Ok(Found::Contracts(self.known(err)?));
        };
        let (folder, findings) = toolcontract_manifest::load(root)?;
        match folder {
            Some(folder) => Ok(Found::Contracts(Known {
                contracts: contracts(&folder)?,
                of_workspace: None,
                ..Known::default()
            })),
            None => Ok(Found::Faults(findings)),
        }
    }

    fn known(&self, err: &mut dyn Write) -> Result<Known, Failure> {
        let root = self
            .root
            .canonicalize()
            .map_err(|error| format!("`{}` is no workspace: {error}", self.root.display()))?;
        let catalog = stella_contracts::catalog().iter();
        let mut contracts: Vec<_> = catalog
            .map(|contract| Arc::new(ToolContract::clone(contract)))
            .collect();
        let catalog = contracts.len();
        let environment = Environment::inherited([]);
        let admission = self.scripts.admit(&root, &environment, err)?;
        contracts.extend(admission.contracts().cloned().map(Arc::new));
        let mut served = Vec::new();
        for adopted in self.adopted(&root, err)? {
            if let Some(contract) = adopted.served_contract() {
                served.push((contract.name.clone(), adopted.enabled.is_some()));
                contracts.push(Arc::new(contract));
            }
        }
        Ok(Known {
            contracts,
            of_workspace: Some(OfWorkspace {
                catalog,
                scripts: admission.tools().to_vec(),
                served,
            }),
            ..Known::default()
        })
    }

    /// The entries of the ledger. Whoever relies on one that cannot be read is refused elsewhere;
    /// here less is known then.
    fn adopted(&self, root: &Path, err: &mut dyn Write) -> Result<Vec<Adopted>, Failure> {
        let all = || match self.scripts.ledger.open(root)? {
            Some(ledger) => Ok(ledger.all()?),
            None => Ok::<_, Failure>(Vec::new()),
        };
        Ok(match all() {
            Ok(adopted) => adopted,
            Err(error) => {
                let error = error.to_string();
                writeln!(
                    err,
                    "no adopted tool of a server is known: {}",
                    escape(&error)
                )?;
                Vec::new()
            }
        })
    }
}

impl Known {
    /// The same with what servers list now, in place of what is known of them otherwise.
    pub(super) fn with(mut self, offers: &Offers) -> Self {
        let servers = offers.servers();
        let is_other = |name: &str| split(name).is_none_or(|(server, _)| !servers.contains(server));
        self.contracts.retain(|contract| is_other(&contract.name));
        if let Some(of) = &mut self.of_workspace {
            of.served.retain(|(name, _)| is_other(name));
        }
        for contract in offers.contracts() {
            let withheld = offers.withheld(&contract.name).map(str::to_owned);
            self.listed.insert(contract.name.clone(), withheld);
            self.contracts.push(Arc::new(contract.clone()));
        }
        self.servers = servers;
        self
    }

    /// The contracts of the tools that servers list now.
    pub(super) fn listed(&self) -> impl Iterator<Item = &ToolContract> {
        self.all()
            .filter(|contract| self.listed.contains_key(&contract.name))
    }

    /// Whether the server of the tool `name` was asked.
    pub(super) fn has_asked(&self, name: &str) -> bool {
        split(name).is_some_and(|(server, _)| self.servers.contains(server))
    }

    /// Every contract.
    pub(super) fn all(&self) -> impl Iterator<Item = &ToolContract> {
        self.contracts.iter().map(|contract| &**contract)
    }

    /// The contract of `name`, or what to say where there is none.
    pub(super) fn contract(&self, name: &str) -> Result<&ToolContract, String> {
        if let Some(found) = self.all().find(|contract| contract.name == name) {
            return Ok(found);
        }
        let shown = escape(name);
        let names = self.all().map(|contract| contract.name.as_str());
        Err(match nearest(name, names) {
            Some(near) => format!("there is no tool `{shown}`, did you mean `{near}`?"),
            None if self.has_asked(name) => {
                format!("there is no tool `{shown}`: its server lists none of that name")
            }
            None if name.starts_with("mcp__") => format!(
                "there is no tool `{shown}`: tools of servers are known once they are adopted, or when its server is named: {SERVER}"
            ),
            None => format!("there is no tool `{shown}`"),
        })
    }

    /// What is to be known of a tool beside what a policy says of it.
    pub(super) fn notes(&self, name: &str) -> Vec<String> {
        if let Some(withheld) = self.listed.get(name) {
            let withheld = withheld.as_ref();
            let note = withheld
                .map(|why| format!("the tool is withheld, whatever the policy says: {why}"));
            return Vec::from_iter(note);
        }
        let Some(of) = &self.of_workspace else {
            return Vec::new();
        };
        if let Some(script) = of.scripts.iter().find(|script| script.name == name) {
            let standing = script.standing.to_string();
            let standing = standing.lines().next().unwrap_or_default();
            return match script.callable {
                true => Vec::new(),
                false => vec![format!(
                    "the tool is withheld, whatever the policy says: {}",
                    standing.trim_end_matches(':')
                )],
            };
        }
        if let Some((_, enabled)) = of.served.iter().find(|(served, _)| served == name) {
            return vec![match enabled {
                true => "the tool is of a server, and shown as it was adopted; `toolgate proxy` compares when it starts".to_owned(),
                false => "the tool is withheld, whatever the policy says: nobody has enabled it".to_owned(),
            }];
        }
        match is_here(name) {
            true => Vec::new(),
            false => vec![
                "the tool is of the catalog, and this `toolgate` does not have it; a call here ends in `unknown_tool`".to_owned(),
            ],
        }
    }

    /// Where the tools are from, in a sentence; none of a folder of manifests alone.
    pub(super) fn about(&self) -> Option<String> {
        let count = |count: usize, one: &str, more: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {more}")),
        };
        let mut parts = Vec::new();
        if let Some(of) = &self.of_workspace {
            let here = self.all().filter(|contract| is_here(&contract.name));
            let (catalog, here) = (of.catalog, here.count());
            parts.push(format!(
                "{catalog} of the catalog, of which this `toolgate` has {here}"
            ));
            parts.extend(count(of.scripts.len(), "script tool", "script tools"));
            let (one, more) = ("adopted tool of a server", "adopted tools of servers");
            parts.extend(count(of.served.len(), one, more));
        }
        let (one, more) = ("tool that a server lists", "tools that servers list");
        parts.extend(count(self.listed.len(), one, more));
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// How a server is named.
pub(super) const SERVER: &str = "`--servers FILE`, `--url URL` or `-- COMMAND`";

/// Whether the tool comes with this program.
pub(super) fn is_here(name: &str) -> bool {
    tools::names().contains(&name)
}

fn contracts(folder: &Folder) -> Result<Vec<Arc<ToolContract>>, Failure> {
    let types = folder.types.iter();
    let types: BTreeMap<String, _> = types
        .map(|(path, loaded)| (path.clone(), loaded.value.clone()))
        .collect();
    let closed = serde_json::json!({ "type": "object", "additionalProperties": false });
    let mut contracts = Vec::new();
    for loaded in &folder.tools {
        let manifest = &loaded.value;
        let whole = |schema| {
            bundle(schema, &types)
                .map(|bundle| strip(&bundle.schema))
                .map_err(|errors| {
                    let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
                    format!("`{}`: {}", loaded.document.path, all.join("; "))
                })
        };
        let input = whole(manifest.input_schema.as_ref().unwrap_or(&closed))?;
        let output = manifest.output_schema.as_ref().map(whole).transpose()?;
        let provenance = match manifest.posture() {
            Posture::Authored => Provenance::Builtin,
            Posture::Declared => Provenance::Declared,
        };
        contracts.push(Arc::new(manifest.contract(input, output, provenance)));
    }
    Ok(contracts)
}
