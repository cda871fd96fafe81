//! Texts of an attack that somebody loads: manifests of scripts and of projects, contracts,
//! policies. Each fault is told with its place.

use std::fs;

use toolcontract_manifest::{Diagnostic, Level, Source};
use toolcontract_protocol::{Provenance, ToolOutput};
use toolcontract_runtime::{authz::NoAuthz, policy::role::RolePolicy, registry::Registry};

use super::{
    attack::{Contracts, Discover, Lint, PolicyFile, Register},
    stage::{Seen, Stage, Told},
};
use crate::{
    lint::found,
    runtime::fakes::{Does, Fake},
};

impl Stage<'_> {
    pub(super) fn discover(&self, expected: &Discover) -> Told {
        let discovery = self.yard.discover();
        let scripts = discovery.scripts.iter();
        let sound: Vec<&str> = scripts.map(|s| s.contract.name.as_str()).collect();
        if sound != expected.sound {
            return Err(format!("sound are {sound:?}"));
        }
        let place = |f: &Diagnostic| one_line(f).replacen(".stella/tools/", "", 1);
        let of = |level| -> Vec<String> {
            let findings = discovery.findings.iter();
            findings.filter(|f| f.level == level).map(place).collect()
        };
        let (errors, warnings) = (of(Level::Error), of(Level::Warning));
        if errors != expected.errors || warnings != expected.warnings {
            return Err(format!("errors {errors:#?}, warnings {warnings:#?}"));
        }
        let is_clean = errors.is_empty() && warnings.is_empty();
        Ok(Seen::refused_if(!is_clean))
    }

    pub(super) fn lint(&self, expected: &Lint) -> Told {
        let mut sources = Vec::new();
        collect(&self.folder.join(&expected.project), "", &mut sources);
        let errors = |sources: Vec<Source>| -> Vec<String> {
            let findings = found(sources, Default::default());
            let errors = findings.iter().filter(|f| f.level == Level::Error);
            errors.map(one_line).collect()
        };
        let found = errors(sources.clone());
        if found != expected.errors {
            return Err(format!("errors {found:#?}"));
        }
        sources.reverse();
        match errors(sources) == found {
            true => Ok(Seen::refused_if(!found.is_empty())),
            false => Err("the order of files decides".to_owned()),
        }
    }

    pub(super) fn register(&self, register: &Register) -> Told {
        let contracts: Contracts = serde_json::from_str(&self.text(&register.contracts)).unwrap();
        let fake = || Fake::new(Does::Return(ToolOutput::text("")), &self.log);
        let faults = |contracts: Contracts| -> Vec<String> {
            let builder = contracts
                .into_iter()
                .fold(Registry::builder(NoAuthz), |builder, contract| {
                    builder.dyn_tool(Provenance::Builtin, contract, fake())
                });
            let built = builder.build().err();
            let faults = built.into_iter().flat_map(|error| error.faults);
            faults.map(|fault| fault.to_string()).collect()
        };
        let found = faults(contracts);
        let fits = found.iter().zip(&register.faults);
        let fit = fits.filter(|(found, part)| found.contains(part.as_str()));
        if found.len() != register.faults.len() || fit.count() != found.len() {
            return Err(format!("faults {found:#?}"));
        }
        Ok(Seen::refused_if(!found.is_empty()))
    }

    pub(super) fn load_policy(&mut self, policy: &PolicyFile) -> Told {
        let source = Source {
            path: policy.file.clone(),
            bytes: self.text(&policy.file).into_bytes(),
        };
        let contracts = self.contracts();
        let (loaded, findings) = RolePolicy::parse(&source, &contracts);
        let faults: Vec<String> = findings
            .iter()
            .map(|f| one_line(f).replacen(&format!("{}:", policy.file), "", 1))
            .collect();
        if faults != policy.faults {
            return Err(format!("faults {faults:#?}"));
        }
        let unbound = loaded.iter().flat_map(|policy| policy.unbound());
        let unbound: Vec<&str> = unbound.map(|u| u.tool.as_str()).collect();
        if unbound != policy.unbound {
            return Err(format!("unbound are {unbound:?}"));
        }
        let is_bound = unbound.is_empty();
        let is_in_force = loaded.is_some();
        self.policy = loaded.or(self.policy.take());
        match is_in_force == faults.is_empty() {
            true if is_bound => Ok(Seen::refused_if(!is_in_force)),
            true => Ok(Seen::Done),
            false => Err("a policy with a fault is in force".to_owned()),
        }
    }
}

/// `FILE[:LINE] RULE`.
fn one_line(finding: &Diagnostic) -> String {
    let line = finding.place().map(|(start, _)| format!(":{}", start.line));
    format!(
        "{}{} {}",
        finding.path,
        line.unwrap_or_default(),
        finding.rule
    )
}

/// The files below `folder`, by their paths from there.
fn collect(folder: &std::path::Path, below: &str, sources: &mut Vec<Source>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let path = format!("{below}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{path}/"), sources);
        } else {
            sources.push(Source {
                path,
                bytes: fs::read(entry.path()).unwrap(),
            });
        }
    }
}
