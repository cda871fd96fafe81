//! The governance facts of a tool as a table, each with what it means.

use super::markdown::{code, inline};
use crate::model::{Model, Tool};

/// What `risk` and `requires_approval` do, in the words that every surface repeats. A test pins
/// this text to what the runtime does.
pub(super) const RISK_AND_APPROVAL: &str = "`risk` is policy input: roles and gates compare it with a ceiling. \
    It never asks a person. `requires_approval` is the only contract field that does.";

/// The rows: fact, value, meaning.
pub(super) fn rows(model: &Model, tool: &Tool) -> Vec<Vec<String>> {
    let c = &tool.contract;
    let m = &tool.manifest;
    let mut rows = vec![row(
        "Version",
        &c.version.to_string(),
        "Revision of this contract.",
    )];
    if let Some(group) = &m.group {
        let about = model
            .project
            .groups
            .get(group)
            .map(String::as_str)
            .unwrap_or("Policy group.");
        rows.push(row("Group", group, about));
    }
    let about = model
        .project
        .availability
        .get(&m.availability)
        .map(String::as_str)
        .unwrap_or("In every session.");
    rows.push(row("Availability", &m.availability, about));
    rows.push(row(
        "Risk",
        c.risk.as_str(),
        "How bad one honest call can be; a ceiling for policies.",
    ));
    rows.push(flag(
        "Requires approval",
        c.requires_approval,
        "A person must say yes to each call.",
        "No person is asked by this contract; a gate may still ask.",
    ));
    rows.push(flag(
        "Read only",
        c.read_only,
        "A call changes nothing.",
        "A call may change state.",
    ));
    rows.push(flag(
        "Speculation safe",
        c.speculation_safe,
        "May run twice before its step commits.",
        "Runs only once its step is certain.",
    ));
    rows.push(flag(
        "Idempotent",
        c.idempotent,
        "The same call twice has the effect of one.",
        "A second call has a further effect.",
    ));
    if !c.read_only {
        rows.push(flag(
            "Additive",
            c.additive,
            "What it changes, it only adds.",
            "It may overwrite or delete.",
        ));
    }
    rows.push(flag(
        "Open world",
        c.open_world,
        "Reaches beyond the workspace.",
        "Stays in the workspace and the session.",
    ));
    rows
}

fn row(fact: &str, value: &str, meaning: &str) -> Vec<String> {
    vec![fact.to_owned(), code(value), inline(meaning)]
}

fn flag(fact: &str, value: bool, yes: &str, no: &str) -> Vec<String> {
    row(
        fact,
        if value { "true" } else { "false" },
        if value { yes } else { no },
    )
}
