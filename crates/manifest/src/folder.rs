//! Reads a whole `manifests/` folder: every file on its own, then what they say of each other.
//!
//! Whatever order a directory has, files are told in the order of their paths, though they are read
//! side by side; findings come in the order in which they are shown.

use std::{collections::BTreeMap, path::Path};

use rayon::prelude::*;
use serde_json::Value;
use toolcontract_protocol::{EventManifest, Manifest};

use crate::{
    diagnostic::{Diagnostic, has_error, sort},
    disk, fault, kind,
    project::Project,
    read::{Read, check_name, read},
    reference::{self, References},
    shape,
    source::{self, Kind, Source, stem},
};

pub use crate::{disk::LoadError, read::Loaded};

/// Everything below `manifests/`, each list sorted by path.
#[derive(Debug)]
pub struct Folder {
    /// `toolcontract.toml`.
    pub project: Loaded<Project>,
    /// `tools/`.
    pub tools: Vec<Loaded<Manifest>>,
    /// `events/`.
    pub events: Vec<Loaded<EventManifest>>,
    /// `types/`: shared schemas by path relative to `manifests/` (`types/page.toml`).
    pub types: BTreeMap<String, Loaded<Value>>,
}

/// Reads `root/manifests`.
///
/// Gives the folder when no finding is an error, and all findings in any case.
///
/// # Errors
/// When the disk fails.
pub fn load(root: &Path) -> Result<(Option<Folder>, Vec<Diagnostic>), LoadError> {
    let (sources, findings) = disk::sources(root)?;
    Ok(assemble(&sources, findings, Some(root)))
}

/// Reads the files of a `manifests/` folder from memory, in any order.
///
/// Gives the folder when no finding is an error, and all findings in any case.
#[must_use]
pub fn load_sources(sources: Vec<Source>) -> (Option<Folder>, Vec<Diagnostic>) {
    let mut sources = sources;
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assemble(&sources, Vec::new(), None)
}

/// What was read, fit or not.
#[derive(Default)]
struct Files {
    project: Option<Read<Project>>,
    tools: Vec<Read<Manifest>>,
    events: Vec<Read<EventManifest>>,
    types: BTreeMap<String, Read<Value>>,
}

fn assemble(
    sources: &[Source],
    mut findings: Vec<Diagnostic>,
    looked_in: Option<&Path>,
) -> (Option<Folder>, Vec<Diagnostic>) {
    let mut files = Files::read(sources, &mut findings);
    files.check_references(&mut findings);
    let folder = files.into_folder(&mut findings, looked_in);
    sort(&mut findings);
    let clean = !has_error(&findings);
    (folder.filter(|_| clean), findings)
}

impl Files {
    fn read(sources: &[Source], findings: &mut Vec<Diagnostic>) -> Self {
        let mut listed = Vec::new();
        let mut stated: BTreeMap<(Kind, &str), &str> = BTreeMap::new();
        for source in sources {
            let found = match source::kind(&source.path) {
                Ok(Some(found)) => found,
                Ok(None) => continue,
                Err(finding) => {
                    findings.push(finding);
                    continue;
                }
            };
            let name = stem(&source.path);
            match stated.get(&(found, name)) {
                Some(other) => {
                    let what = format!("{} {}", noun(found), fault::quote(name));
                    findings.push(fault::stated_twice(&source.path, &what, other));
                }
                None => {
                    stated.insert((found, name), &source.path);
                }
            }
            listed.push((found, source));
        }
        let one = |(kind, source): (Kind, &Source)| Self::one(kind, source);
        let each: Vec<Self> = listed.into_par_iter().map(one).collect();
        let mut files = Self::default();
        for mut one in each {
            files.project = one.project.or(files.project);
            files.tools.append(&mut one.tools);
            files.events.append(&mut one.events);
            files.types.append(&mut one.types);
        }
        files
    }

    /// A folder that holds one file.
    fn one(kind: Kind, source: &Source) -> Self {
        let mut files = Self::default();
        let nothing = &|_: &Value| Vec::new();
        match kind {
            Kind::Project => {
                files.project = Some(read(source, &shape::PROJECT, &mut |_, _| {}, nothing));
            }
            Kind::Tool => files.tools.push(read(
                source,
                &shape::TOOL,
                &mut |document, findings| {
                    kind::check(document, findings);
                    check_name(document, findings);
                },
                // An imported schema is kept as it was served; what it names is judged where it is
                // bundled.
                &|json| match json.get("origin") {
                    Some(_) => Vec::new(),
                    None => ["/input_schema", "/output_schema"]
                        .iter()
                        .flat_map(|at| reference::of_schema(&source.path, json, at))
                        .collect(),
                },
            )),
            Kind::Event => {
                files
                    .events
                    .push(read(source, &shape::EVENT, &mut check_name, &|json| {
                        reference::of_schema(&source.path, json, "/payload_schema")
                    }))
            }
            Kind::Type => {
                let key = source.path.strip_prefix("manifests/");
                let key = key.unwrap_or(&source.path);
                let references = &|json: &Value| reference::of_file(key, json);
                let read = read(source, &shape::TYPE, &mut |_, _| {}, references);
                files.types.insert(key.to_owned(), read);
            }
        }
        files
    }

    fn check_references(&mut self, findings: &mut Vec<Diagnostic>) {
        let mut references = References::default();
        for (path, read) in &mut self.types {
            references.add_file(path);
            references.add(&read.document, std::mem::take(&mut read.references));
        }
        for read in &mut self.tools {
            references.add(&read.document, std::mem::take(&mut read.references));
        }
        for read in &mut self.events {
            references.add(&read.document, std::mem::take(&mut read.references));
        }
        references.check(findings);
    }

    fn into_folder(
        mut self,
        findings: &mut Vec<Diagnostic>,
        looked_in: Option<&Path>,
    ) -> Option<Folder> {
        match &mut self.project {
            Some(project) => findings.append(&mut project.findings),
            None => findings.push(fault::missing_project_file(source::PROJECT, looked_in)),
        }
        fn take<T>(mut read: Read<T>, findings: &mut Vec<Diagnostic>) -> Option<Loaded<T>> {
            findings.append(&mut read.findings);
            read.loaded()
        }
        let tools = self.tools.into_iter();
        let tools = tools.filter_map(|r| take(r, findings)).collect();
        let events = self.events.into_iter();
        let events = events.filter_map(|r| take(r, findings)).collect();
        let types = self.types.into_iter();
        let types = types
            .filter_map(|(path, r)| Some((path, take(r, findings)?)))
            .collect();
        Some(Folder {
            project: self.project?.loaded()?,
            tools,
            events,
            types,
        })
    }
}

fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Project => "the project",
        Kind::Tool => "the tool",
        Kind::Event => "the event",
        Kind::Type => "the type",
    }
}
