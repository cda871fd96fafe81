//! Screens about files: what a check found, what a run changed.

use std::{collections::BTreeMap, io};

use anstyle::AnsiColor;
use similar::{ChangeTag, TextDiff};

use super::{
    Screen, Tone,
    screen::{counted, plain},
};
use crate::write::{Cause, Entry, Plan, State};

/// More files than this with one verb in one surface are counted instead of named.
const NAMED: usize = 20;

/// What a check found: every file by name, then the sum. `heal` says what settles it.
///
/// # Errors
/// When the stream refuses.
pub fn of_check(
    plan: &Plan,
    with_diff: bool,
    heal: &str,
    screen: &mut Screen<'_>,
) -> io::Result<()> {
    for entry in &plan.entries {
        let (tone, verb) = match entry.state {
            State::Missing => (Tone::Bad, "Missing"),
            State::Stale(_) => (Tone::Bad, "Stale"),
            State::Orphan => (Tone::Bad, "Orphan"),
            State::Foreign => (Tone::Note, "Foreign"),
        };
        let why = why(entry.state);
        screen.line(tone, verb, format_args!("{}{why}", plain(&entry.path)))?;
        if with_diff && matches!(entry.state, State::Stale(_)) {
            diff(entry, screen)?;
        }
    }
    if plan.is_clean() {
        let files = counted(plan.wanted, "file");
        return screen.line(
            Tone::Good,
            "Fresh",
            format_args!("{files}{}", foreign(plan)),
        );
    }
    let parts = tally(&[
        (plan.count(|s| s == State::Missing), "missing"),
        (plan.count(|s| matches!(s, State::Stale(_))), "stale"),
        (plan.count(|s| s == State::Orphan), "left over"),
    ]);
    let of = counted(plan.wanted, "file");
    let about = format!("{parts} (of {of}){}; {heal}", foreign(plan));
    screen.line(Tone::Bad, "Failed", about)
}

/// What a run changed: files by name where they are few or out of the ordinary, then the sum.
///
/// # Errors
/// When the stream refuses.
pub fn of_write(plan: &Plan, with_diff: bool, screen: &mut Screen<'_>) -> io::Result<()> {
    let mut groups: BTreeMap<(Option<&str>, &str), Vec<&Entry>> = BTreeMap::new();
    for entry in &plan.entries {
        let group = (entry.surface.as_deref(), verb(entry.state).1);
        groups.entry(group).or_default().push(entry);
    }
    for ((surface, _), entries) in groups {
        let Some(first) = entries.first() else {
            continue;
        };
        let (tone, verb) = verb(first.state);
        let is_routine = matches!(
            first.state,
            State::Missing | State::Orphan | State::Stale(Cause::Source)
        );
        if is_routine && !with_diff && entries.len() > NAMED {
            let files = counted(entries.len(), "file");
            let surface = surface.unwrap_or("the project");
            screen.line(tone, verb, format_args!("{files} of {surface}"))?;
            continue;
        }
        for entry in entries {
            let why = why(entry.state);
            screen.line(tone, verb, format_args!("{}{why}", plain(&entry.path)))?;
            if with_diff && matches!(entry.state, State::Stale(_)) {
                diff(entry, screen)?;
            }
        }
    }
    let written = plan.count(|s| matches!(s, State::Missing | State::Stale(_)));
    let removed = plan.count(|s| s == State::Orphan);
    let parts = match tally(&[(written, "written"), (removed, "removed")]) {
        none if none.is_empty() => "nothing to do".to_owned(),
        some => some,
    };
    let files = counted(plan.wanted, "file");
    screen.line(Tone::Good, "Finished", format_args!("{files}: {parts}"))
}

fn verb(state: State) -> (Tone, &'static str) {
    match state {
        State::Missing => (Tone::Good, "Created"),
        State::Stale(Cause::Source) => (Tone::Good, "Updated"),
        State::Stale(Cause::Hand) => (Tone::Note, "Replaced"),
        State::Stale(Cause::Conflict) => (Tone::Note, "Healed"),
        State::Orphan => (Tone::Good, "Removed"),
        State::Foreign => (Tone::Note, "Foreign"),
    }
}

fn why(state: State) -> &'static str {
    match state {
        State::Missing | State::Orphan | State::Stale(Cause::Source) => "",
        State::Stale(Cause::Hand) => " (edited by hand; edit the manifest instead)",
        State::Stale(Cause::Conflict) => " (holds merge conflicts)",
        State::Foreign => " (not made by the generator; left alone)",
    }
}

fn tally(counts: &[(usize, &str)]) -> String {
    let some = counts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = some
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    parts.join(", ")
}

fn foreign(plan: &Plan) -> String {
    match plan.count(|s| s == State::Foreign) {
        0 => String::new(),
        count => format!(", {count} foreign"),
    }
}

/// A unified diff from what is on the disk to what is wanted.
fn diff(entry: &Entry, screen: &mut Screen<'_>) -> io::Result<()> {
    let (Ok(old), Ok(new)) = (str::from_utf8(&entry.old), str::from_utf8(&entry.new)) else {
        return screen.text(None, "  (not text)");
    };
    let path = plain(&entry.path);
    screen.text(
        None,
        format_args!("--- {path}\n+++ {path} (from the manifests)"),
    )?;
    let diff = TextDiff::from_lines(old, new);
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        screen.text(Some(AnsiColor::Cyan), hunk.header())?;
        for change in hunk.iter_changes() {
            let (sign, colour) = match change.tag() {
                ChangeTag::Delete => ('-', Some(AnsiColor::Red)),
                ChangeTag::Insert => ('+', Some(AnsiColor::Green)),
                ChangeTag::Equal => (' ', None),
            };
            let line = plain(change.value().trim_end_matches(['\n', '\r']));
            screen.text(colour, format_args!("{sign}{line}"))?;
        }
    }
    Ok(())
}
