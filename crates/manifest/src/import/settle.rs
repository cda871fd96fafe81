//! What tools of one list say of each other: a name that several have, and names that would be
//! one manifest. Whatever the order of the list, the same ones are refused.

use std::collections::BTreeMap;

use super::{Fault, Finding, Oddity, Subject, Tool};

/// One entry of a list, read or refused.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) subject: Subject,
    pub(super) outcome: Result<Tool, Fault>,
}

/// Refuses names that are not one tool's. Copies of a definition count once, and are told.
pub(super) fn settle(entries: &mut Vec<Entry>, findings: &mut Vec<Finding>) {
    let groups = by(entries, |entry| entry.subject.name.clone());
    let mut copies = Vec::new();
    for group in groups.values().filter(|group| group.len() > 1) {
        let digests: Vec<Option<&str>> = group
            .iter()
            .filter_map(|&at| entries.get(at))
            .map(|entry| Some(entry.outcome.as_ref().ok()?.digest.as_str()))
            .collect();
        let first = digests.first().copied().flatten();
        if first.is_some() && digests.iter().all(|digest| *digest == first) {
            copies.extend(group.iter().skip(1).copied());
            tell_copies(entries, group, findings);
        } else {
            let places: Vec<(usize, usize)> = group
                .iter()
                .filter_map(|&at| entries.get(at))
                .map(|entry| (entry.subject.number, entry.subject.line))
                .collect();
            refuse(entries, group, &|_| Fault::ServedTwice(places.clone()));
        }
    }
    let mut at = 0;
    entries.retain(|_| {
        at += 1;
        !copies.contains(&(at - 1))
    });
    let groups = by(entries, |entry| {
        Some(entry.outcome.as_ref().ok()?.manifest.name.clone())
    });
    for (name, group) in groups.iter().filter(|(_, group)| group.len() > 1) {
        let names: Vec<String> = group
            .iter()
            .filter_map(|&at| entries.get(at)?.subject.name.clone())
            .collect();
        refuse(entries, group, &|subject| Fault::SameManifest {
            name: name.clone(),
            other: names
                .iter()
                .find(|other| Some(*other) != subject.name.as_ref())
                .cloned()
                .unwrap_or_default(),
        });
    }
}

/// The entries that share what `key` gives, by index.
fn by(entries: &[Entry], key: impl Fn(&Entry) -> Option<String>) -> BTreeMap<String, Vec<usize>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate() {
        if let Some(key) = key(entry) {
            groups.entry(key).or_default().push(at);
        }
    }
    groups
}

/// Refuses those of a group that are not refused yet.
fn refuse(entries: &mut [Entry], group: &[usize], why: &dyn Fn(&Subject) -> Fault) {
    for &at in group {
        if let Some(entry) = entries.get_mut(at)
            && entry.outcome.is_ok()
        {
            entry.outcome = Err(why(&entry.subject));
        }
    }
}

fn tell_copies(entries: &[Entry], group: &[usize], findings: &mut Vec<Finding>) {
    let mut subjects = group
        .iter()
        .filter_map(|&at| entries.get(at))
        .map(|e| &e.subject);
    let Some(first) = subjects.next() else {
        return;
    };
    findings.extend(subjects.map(|copy| Finding {
        subject: Some(first.clone()),
        what: Oddity::ServedAgain {
            number: copy.number,
            line: copy.line,
        },
    }));
}
