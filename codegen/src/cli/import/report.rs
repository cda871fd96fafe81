//! What an import did, for people and as one JSON document.

use std::{collections::BTreeMap, io};

use serde::Serialize;
use toolcontract_manifest::import::{Finding, Imported, Subject, Tool};

use super::place::Fate;
use crate::{
    cli::{
        Io, Screen, Tone,
        screen::{counted, plain},
    },
    emit::text::pretty,
};

/// Everything that came of a command.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    /// Whether the files are there now.
    pub(super) written: bool,
    tools: Vec<ReportedTool>,
    types: Vec<ReportedType>,
    quarantined: Vec<ReportedFault>,
    findings: Vec<ReportedFinding>,
}

#[derive(Debug, Serialize)]
struct ReportedTool {
    name: String,
    wire_name: String,
    path: String,
    state: &'static str,
    risk: String,
    /// Of the definition as served.
    digest: String,
    #[serde(flatten)]
    at: Place,
}

#[derive(Debug, Serialize)]
struct ReportedType {
    name: String,
    path: String,
    state: &'static str,
    file: String,
}

#[derive(Debug, Serialize)]
struct ReportedFault {
    name: Option<String>,
    reason: String,
    #[serde(flatten)]
    at: Place,
}

#[derive(Debug, Serialize)]
struct ReportedFinding {
    id: &'static str,
    message: String,
    /// The name as served; none for the list as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

impl ReportedFinding {
    /// The definition with its place, or the file.
    fn place(&self) -> String {
        let file = plain(&self.file);
        match (&self.name, self.line) {
            (Some(name), Some(line)) => format!("{file}:{line} `{}`", plain(name)),
            _ => file,
        }
    }
}

/// Where a definition stands.
#[derive(Debug, Serialize)]
struct Place {
    file: String,
    number: usize,
    line: usize,
}

impl Place {
    fn of(file: &str, subject: &Subject) -> Self {
        Self {
            file: file.to_owned(),
            number: subject.number,
            line: subject.line,
        }
    }
}

impl Report {
    pub(super) fn new() -> Self {
        Self {
            written: false,
            tools: Vec::new(),
            types: Vec::new(),
            quarantined: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Adds what could not be imported from `file`, and what is odd about the rest.
    pub(super) fn told(&mut self, file: &str, imported: &Imported) {
        self.quarantined
            .extend(imported.quarantined.iter().map(|q| ReportedFault {
                name: q.subject.name.clone(),
                reason: q.reason.to_string(),
                at: Place::of(file, &q.subject),
            }));
        self.findings.extend(
            imported
                .findings
                .iter()
                .map(|finding| reported(file, finding)),
        );
    }

    pub(super) fn tool(&mut self, file: &str, tool: &Tool, path: &str, fate: Fate) {
        let manifest = &tool.manifest;
        self.tools.push(ReportedTool {
            name: manifest.name.clone(),
            wire_name: manifest.wire_name.clone().unwrap_or_default(),
            path: path.to_owned(),
            state: word(fate),
            risk: manifest.risk.map(|r| r.to_string()).unwrap_or_default(),
            digest: tool.digest.clone(),
            at: Place::of(file, &tool.subject),
        });
    }

    pub(super) fn shared(&mut self, file: &str, name: &str, path: &str, fate: Fate) {
        self.types.push(ReportedType {
            name: name.to_owned(),
            path: path.to_owned(),
            state: word(fate),
            file: file.to_owned(),
        });
    }

    /// Whether anything was left out or is odd.
    pub(super) fn has_warnings(&self) -> bool {
        !self.quarantined.is_empty() || !self.findings.is_empty()
    }

    /// Whether nothing was imported.
    pub(super) fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.types.is_empty()
    }

    pub(super) fn json(&self, io: &mut Io<'_>) -> io::Result<()> {
        io.out.write_all(pretty(self).as_bytes())
    }

    /// Files first, then what was left out, then what is odd; the caller says how it ended.
    pub(super) fn human(&self, screen: &mut Screen<'_>) -> io::Result<()> {
        for tool in &self.tools {
            let renamed = if tool.name.ends_with(&tool.wire_name) {
                String::new()
            } else {
                format!(" (served as `{}`)", plain(&tool.wire_name))
            };
            let path = plain(&tool.path);
            self.file(tool.state, format!("{path}{renamed}"), screen)?;
        }
        for shared in &self.types {
            self.file(shared.state, plain(&shared.path), screen)?;
        }
        for fault in &self.quarantined {
            let Place { file, number, line } = &fault.at;
            let name = fault.name.as_deref().map(|n| format!(" `{}`", plain(n)));
            let about = format!(
                "{}:{line}: number {number}{}: {}",
                plain(file),
                name.unwrap_or_default(),
                plain(&fault.reason)
            );
            screen.line(Tone::Bad, "Quarantined", about)?;
        }
        self.human_findings(screen)
    }

    fn file(&self, state: &str, about: String, screen: &mut Screen<'_>) -> io::Result<()> {
        let (tone, verb) = match (state, self.written) {
            ("new", true) => (Tone::Good, "Created"),
            ("new", false) => (Tone::Good, "Would create"),
            ("replaced", true) => (Tone::Note, "Replaced"),
            ("replaced", false) => (Tone::Note, "Would change"),
            _ => (Tone::Good, "Unchanged"),
        };
        screen.line(tone, verb, about)
    }

    /// What several definitions have in common is told once.
    fn human_findings(&self, screen: &mut Screen<'_>) -> io::Result<()> {
        let mut groups: Vec<(&str, Vec<&ReportedFinding>)> = Vec::new();
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in &self.findings {
            let message = finding.message.as_str();
            let at = *known.entry(message).or_insert(groups.len());
            match groups.get_mut(at) {
                Some((_, group)) => group.push(finding),
                None => groups.push((message, vec![finding])),
            }
        }
        for (message, group) in groups {
            let shown: Vec<String> = group.iter().take(SHOWN).map(|f| f.place()).collect();
            let more = match group.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let (places, message) = (shown.join(", "), plain(message));
            screen.line(
                Tone::Note,
                "Noted",
                format_args!("{places}{more}: {message}"),
            )?;
        }
        Ok(())
    }

    /// How many were imported, and how many were left out.
    pub(super) fn sum(&self) -> String {
        let mut parts = Vec::new();
        for state in ["new", "replaced", "unchanged"] {
            let states = self.tools.iter().map(|t| t.state);
            let all = states.chain(self.types.iter().map(|t| t.state));
            match all.filter(|s| *s == state).count() {
                0 => {}
                count => parts.push(format!("{count} {state}")),
            }
        }
        match self.quarantined.len() {
            0 => {}
            count => parts.push(format!("{count} quarantined")),
        }
        let all = self.tools.len() + self.types.len() + self.quarantined.len();
        let all = counted(all, "definition");
        if parts.is_empty() {
            return all;
        }
        format!("{all}: {}", parts.join(", "))
    }
}

/// How many places a line shows.
const SHOWN: usize = 3;

fn reported(file: &str, finding: &Finding) -> ReportedFinding {
    let subject = finding.subject.as_ref();
    ReportedFinding {
        id: finding.what.id(),
        message: finding.what.to_string(),
        name: subject.and_then(|s| s.name.clone()),
        file: file.to_owned(),
        number: subject.map(|s| s.number),
        line: subject.map(|s| s.line),
    }
}

fn word(fate: Fate) -> &'static str {
    match fate {
        Fate::Create => "new",
        Fate::Replace => "replaced",
        Fate::Keep => "unchanged",
    }
}
