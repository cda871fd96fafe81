//! Says where the lock and the catalog disagree, and the command that settles it.

use std::{ops::Range, sync::Arc};

use toolcontract_manifest::{Diagnostic, Document, Level};

use super::{Baseline, changed::Committed};
use crate::model::{
    Model, lock,
    revision::{Change, Revision, compare, needed_version},
};

/// The rule of a contract that changed and whose version did not.
pub(super) const UNVERSIONED: &str = "changed-without-bump";

/// Findings of level error: contracts whose `version` does not say what happened to them.
pub(super) fn findings(
    model: &Model,
    baseline: &Baseline,
    committed: &mut Committed<'_>,
    program: &str,
) -> Vec<Diagnostic> {
    compare(&model.lock, &baseline.compared)
        .into_iter()
        .map(|revision| finding(model, baseline, committed, revision, program))
        .collect()
}

fn finding(
    model: &Model,
    baseline: &Baseline,
    committed: &mut Committed<'_>,
    Revision { tool, change }: Revision,
    program: &str,
) -> Diagnostic {
    let next = model
        .lock
        .tools
        .get(&tool)
        .and_then(|now| needed_version(&tool, now, &baseline.compared))
        .unwrap_or(1);
    let raise =
        format!("run `{program} bump {tool}` (it sets `version = {next}`), then `{program} gen`");
    match change {
        Change::Unversioned {
            version,
            advertised,
            contract,
        } => {
            let keys = keys_changed(model, baseline, committed, &tool);
            let keys = keys.map_or_else(String::new, |keys| format!(" ({keys})"));
            let what = what_changed(advertised, contract);
            let message = format!("`{tool}` changed{keys} but is still version {version}: {what}");
            at_version(model, &tool, UNVERSIONED, message, raise)
        }
        Change::Lowered { from, to } => {
            let message =
                format!("version {to} of `{tool}` is lower than the lock's, which is {from}");
            at_version(model, &tool, "version-lowered", message, raise)
        }
        Change::Removed { version } => Diagnostic {
            rule: "removed-without-retiring",
            level: Level::Error,
            document: None,
            path: lock::PATH.to_owned(),
            span: 0..0,
            message: format!("`{tool}` (version {version}) has no manifest any more"),
            help: Some(format!(
                "bring the manifest back, or run `{program} bump --retire {tool}`: a retired name cannot return"
            )),
        },
    }
}

/// The keys that differ from the manifest that the lock stands for, where git has it. Between the two
/// sides of a merge there is no such manifest.
fn keys_changed(
    model: &Model,
    baseline: &Baseline,
    committed: &mut Committed<'_>,
    tool: &str,
) -> Option<String> {
    let [lock] = baseline.compared.as_slice() else {
        return None;
    };
    let found = model.tools.iter().find(|t| t.manifest.name == tool)?;
    committed.changed(found, lock.tools.get(tool)?)
}

fn what_changed(
    advertised: Option<(String, String)>,
    contract: Option<(String, String)>,
) -> String {
    let changed = |what: &str, pair: Option<(String, String)>| {
        let (before, now) = pair?;
        Some(format!(
            "{what} ({} before, {} now)",
            short(&before),
            short(&now)
        ))
    };
    match (
        changed("the bytes that models are shown", advertised),
        changed("the facts of its contract", contract),
    ) {
        (Some(bytes), Some(facts)) => format!("{bytes} and {facts}"),
        (one, other) => one.or(other).unwrap_or_default(),
    }
}

/// The first digits of a digest: enough to tell two apart.
fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

fn at_version(
    model: &Model,
    tool: &str,
    rule: &'static str,
    message: String,
    help: String,
) -> Diagnostic {
    let found = model.tools.iter().find(|t| t.manifest.name == tool);
    let document = found.map(|t| Arc::clone(&t.document));
    let span = document.as_deref().map(version_span).unwrap_or_default();
    Diagnostic {
        rule,
        level: Level::Error,
        path: document
            .as_ref()
            .map_or_else(String::new, |d| d.path.clone()),
        document,
        span,
        message,
        help: Some(help),
    }
}

/// Where `version` is stated, or where it would be.
fn version_span(document: &Document) -> Range<usize> {
    let stated = document.root.to_json().get("version").is_some();
    document.span(if stated { "/version" } else { "/name" })
}
