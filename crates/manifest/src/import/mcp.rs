//! The list of tools of an MCP server to manifests.

use std::collections::BTreeSet;

use super::{
    Finding, ImportError, Imported, MAX_BYTES, Origin, Quarantined, Subject, Tool, envelope,
    settle::{Entry, settle},
    tool,
};

impl Origin<'_> {
    /// `origin` of a manifest: the server where it has a name, else the file.
    pub(super) fn mcp(&self) -> String {
        format!("mcp:{}", self.server.unwrap_or(self.file))
    }
}

/// Imports what `tools/list` answered: its result, the JSON-RPC message around it, a stream of
/// messages (pages in their order; other messages among them are passed over), an object with
/// `tools`, the bare list, or one tool.
///
/// # Errors
/// When the text holds no list that can be read. What is wrong with one tool is in the result.
pub fn mcp(bytes: &[u8], origin: &Origin<'_>) -> Result<Imported, ImportError> {
    let listed = envelope::open(utf8(bytes)?)?;
    let mut findings = Vec::new();
    let mut entries = Vec::with_capacity(listed.tools.len());
    for (index, raw) in listed.tools.into_iter().enumerate() {
        let (name, read) = tool::read(raw, origin);
        let subject = Subject {
            number: index + 1,
            line: raw.line,
            name,
        };
        let outcome = read.map(|read| {
            findings.extend(read.oddities.into_iter().map(|what| Finding {
                subject: Some(subject.clone()),
                what,
            }));
            Tool {
                subject: subject.clone(),
                manifest: read.manifest,
                digest: read.digest,
            }
        });
        entries.push(Entry { subject, outcome });
    }
    settle(&mut entries, &mut findings);
    let mut imported = Imported::default();
    for Entry { subject, outcome } in entries {
        match outcome {
            Ok(tool) => imported.tools.push(tool),
            Err(reason) => imported.quarantined.push(Quarantined { subject, reason }),
        }
    }
    // Of what is quarantined the reason is enough.
    let kept: BTreeSet<usize> = imported.tools.iter().map(|t| t.subject.number).collect();
    findings.retain(|finding| {
        let subject = finding.subject.as_ref();
        subject.is_some_and(|subject| kept.contains(&subject.number))
    });
    findings.sort_by_key(|finding| finding.subject.as_ref().map(|subject| subject.number));
    findings.extend(listed.findings);
    imported.findings = findings;
    Ok(imported)
}

/// The text of a file of others: UTF-8, with or without a byte-order mark.
pub(super) fn utf8(bytes: &[u8]) -> Result<&str, ImportError> {
    if bytes.len() > MAX_BYTES {
        return Err(ImportError::TooLarge { limit: MAX_BYTES });
    }
    let text = str::from_utf8(bytes).map_err(|error| ImportError::NotUtf8 {
        offset: error.valid_up_to(),
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}
