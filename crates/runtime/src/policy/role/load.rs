//! From a file to a policy that is in force, or to everything that is wrong with it. There is no
//! partial policy: with one fault there is none.

use std::{
    collections::{BTreeSet, HashMap},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use toolcontract_manifest::{Diagnostic, Document, Source, has_error, parse, read_as, sort};
use toolcontract_protocol::ToolContract;
use toolcontract_schema::digest::digest;

use super::{
    check,
    compile::{self, Compiled},
    fault::Faults,
    file::PolicyFile,
    late::{self, Late},
    partial,
    rule::{Role, Rule},
    shape,
};
use crate::{policy::name::NamePattern, regular};

/// A role policy in force. Cheap to clone; clones are one policy.
#[derive(Debug, Clone)]
pub struct RolePolicy {
    pub(crate) policy: Arc<Policy>,
}

/// What a policy is made of.
#[derive(Debug)]
pub(crate) struct Policy {
    pub(crate) document: Arc<Document>,
    pub(crate) roles: Vec<Role>,
    pub(crate) rules: Vec<Rule>,
    pub(super) known: HashMap<String, Known>,
    pub(super) late: Late,
    pub(super) unbound: Vec<Unbound>,
    pub(crate) revision: String,
}

/// A contract that the policy was checked against, without what no rule reads.
#[derive(Debug)]
pub(super) struct Known {
    contract: ToolContract,
    /// Which rules are about it.
    selected: Vec<bool>,
}

/// A name of a rule that no tool has yet.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unbound {
    /// The rule.
    pub rule: String,
    /// The name or pattern.
    pub tool: String,
    /// Line of the rule in the file, from 1.
    pub line: usize,
}

/// Why there is no policy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The file could not be read.
    #[error("the policy `{}` cannot be read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Something is wrong with what it says.
    #[error("{}", say(findings))]
    Findings {
        /// Everything that is wrong, with places.
        findings: Vec<Diagnostic>,
    },
}

/// The findings on lines, for a program that has no printer of its own.
fn say(findings: &[Diagnostic]) -> String {
    let lines: Vec<String> = findings
        .iter()
        .map(|finding| {
            let place = finding.place().map_or_else(String::new, |(start, _)| {
                format!(":{}:{}", start.line, start.column)
            });
            let help = finding.help.as_ref();
            let help = help.map_or_else(String::new, |help| format!("; {help}"));
            let (path, rule, message) = (&finding.path, finding.rule, &finding.message);
            format!("{path}{place}: {rule}: {message}{help}")
        })
        .collect();
    format!("the policy is not in force\n{}", lines.join("\n"))
}

impl RolePolicy {
    /// Reads the policy at `path` and checks it against the contracts of the tools that there are.
    ///
    /// # Errors
    /// When the file cannot be read, and everything that is wrong with it.
    pub fn load<'c>(
        path: impl AsRef<Path>,
        contracts: impl IntoIterator<Item = &'c ToolContract>,
    ) -> Result<Self, PolicyError> {
        Self::load_beside(path, contracts, &BTreeSet::new())
    }

    /// The same, where `contracts` holds every tool of the MCP servers `servers`: a rule on another
    /// tool of theirs is a fault, and waits for nothing.
    ///
    /// # Errors
    /// Those of [`Self::load`].
    pub fn load_beside<'c>(
        path: impl AsRef<Path>,
        contracts: impl IntoIterator<Item = &'c ToolContract>,
        servers: &BTreeSet<String>,
    ) -> Result<Self, PolicyError> {
        let path = path.as_ref();
        // Of one that is too large just enough is read to see that it is.
        let most = parse::MAX_BYTES as u64 + 1;
        let bytes = regular::read(path, most).map_err(|source| PolicyError::Read {
            path: path.to_owned(),
            source,
        })?;
        let source = Source {
            path: path.to_string_lossy().replace('\\', "/"),
            bytes,
        };
        match Self::parse_beside(&source, contracts, servers) {
            (Some(policy), _) => Ok(policy),
            (None, findings) => Err(PolicyError::Findings { findings }),
        }
    }

    /// Reads a policy from memory. Gives the policy when nothing is wrong with it, and all findings.
    /// The end of the path says TOML or JSON.
    #[must_use]
    pub fn parse<'c>(
        source: &Source,
        contracts: impl IntoIterator<Item = &'c ToolContract>,
    ) -> (Option<Self>, Vec<Diagnostic>) {
        Self::parse_beside(source, contracts, &BTreeSet::new())
    }

    fn parse_beside<'c>(
        source: &Source,
        contracts: impl IntoIterator<Item = &'c ToolContract>,
        servers: &BTreeSet<String>,
    ) -> (Option<Self>, Vec<Diagnostic>) {
        let contracts: Vec<&ToolContract> = contracts.into_iter().collect();
        let (loaded, mut findings) = read_as::<PolicyFile>(source);
        let Some(loaded) = loaded else {
            let mut more = partial::more(&contracts, servers, &findings);
            shape::advise(&mut findings);
            findings.append(&mut more);
            sort(&mut findings);
            return (None, findings);
        };
        let mut faults = Faults::of(&loaded.document);
        let Compiled { late, roles, rules } = compile::compile(&loaded.value, servers, &mut faults);
        let checked = check::Checked {
            contracts: &contracts,
            file: &loaded.value,
            late: &late,
            roles: &roles,
            rules: &rules,
        };
        checked.against(&mut faults);
        let revision = digest(&loaded.document.root.to_json()).unwrap_or_default();
        let policy = Policy {
            document: Arc::clone(&loaded.document),
            known: known(&contracts, &rules),
            unbound: late::unbound(&contracts, &late, &rules),
            late,
            roles,
            rules,
            revision,
        };
        // An example says nothing about a policy that is not whole.
        if faults.findings.is_empty() {
            check::examples(&contracts, &loaded.value, &policy, &mut faults);
        }
        findings.append(&mut faults.findings);
        sort(&mut findings);
        let policy = (!has_error(&findings)).then(|| Self {
            policy: Arc::new(policy),
        });
        (policy, findings)
    }

    /// What a file of the right shape says, whatever is wrong with it.
    #[cfg(test)]
    pub(super) fn unchecked(source: &Source, contracts: &[&ToolContract]) -> Option<Arc<Policy>> {
        let (loaded, _) = read_as::<PolicyFile>(source);
        let loaded = loaded?;
        let mut faults = Faults::of(&loaded.document);
        let Compiled { late, roles, rules } =
            compile::compile(&loaded.value, &BTreeSet::new(), &mut faults);
        Some(Arc::new(Policy {
            document: Arc::clone(&loaded.document),
            known: known(contracts, &rules),
            unbound: Vec::new(),
            late,
            roles,
            rules,
            revision: String::new(),
        }))
    }

    /// Names of rules that no tool has yet: those of servers that are not there, and those that
    /// `late_tools` lists. A rule on such a name holds as soon as the tool appears.
    #[must_use]
    pub fn unbound(&self) -> &[Unbound] {
        &self.policy.unbound
    }

    /// The rules that wait for the tool, where its contract comes later than the policy; none
    /// where it is no such tool.
    #[must_use]
    pub fn waiting_for(&self, tool: &str) -> Option<Vec<&Unbound>> {
        let name = NamePattern::parse(tool).ok()?;
        if self.policy.known.contains_key(tool) || !self.policy.late.has(&name) {
            return None;
        }
        let waits = |unbound: &&Unbound| {
            NamePattern::parse(&unbound.tool).is_ok_and(|pattern| pattern.matches(tool))
        };
        Some(self.policy.unbound.iter().filter(waits).collect())
    }

    /// How many rules there are.
    #[must_use]
    pub fn rules(&self) -> usize {
        self.policy.rules.len()
    }

    /// The path that the policy was read from, as findings name it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.policy.document.path
    }
}

fn known(contracts: &[&ToolContract], rules: &[Rule]) -> HashMap<String, Known> {
    let of = |contract: &&ToolContract| {
        let selected = rules
            .iter()
            .map(|rule| rule.selection.covers(contract, rule.effect))
            .collect();
        let contract = ToolContract {
            description: String::new(),
            input_schema: serde_json::Value::Null,
            output_schema: None,
            ..(*contract).clone()
        };
        (contract.name.clone(), Known { contract, selected })
    };
    contracts.iter().map(of).collect()
}

impl Policy {
    /// Which rules are about the tool; none when it is not what the policy was checked against.
    pub(super) fn selected(&self, contract: &ToolContract) -> Option<&[bool]> {
        let known = self.known.get(&contract.name)?;
        let then = &known.contract;
        let is_same = then.version == contract.version
            && then.provenance == contract.provenance
            && then.group == contract.group
            && then.read_only == contract.read_only
            && then.idempotent == contract.idempotent
            && then.additive == contract.additive
            && then.open_world == contract.open_world
            && then.events == contract.events;
        is_same.then_some(&known.selected)
    }
}
