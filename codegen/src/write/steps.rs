//! A plan as single steps in the order in which they are safe.

use std::collections::BTreeSet;

use super::{
    listing::LISTING,
    place,
    plan::{Entry, Plan, State},
    state,
    tree::shown,
};

/// The order of steps: what a later step needs comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// The list names new files before they are there.
    Announce,
    /// A file of ours stands where a folder must be, or the other way round.
    Clear,
    /// Files get their new bytes.
    Replace,
    /// What is no longer made goes, when its successors are in place.
    Delete,
    /// The list names what is left.
    List,
    /// The lock says what was generated when it was.
    Loose,
}

/// One file to put or to remove.
pub(super) struct Step<'a> {
    pub(super) phase: Phase,
    /// Relative to the project root.
    pub(super) path: &'a str,
    /// Relative to the project root: where its new bytes are staged, and above which nothing is removed.
    pub(super) folder: &'a str,
    /// The new bytes; none to remove the file.
    pub(super) bytes: Option<&'a [u8]>,
}

/// A list to write before the files that it names.
pub(super) struct Announcement<'a> {
    path: String,
    folder: &'a str,
    text: &'a str,
}

impl Plan {
    /// The lists of folders that get new files.
    pub(super) fn announcements(&self) -> Vec<Announcement<'_>> {
        self.folders
            .iter()
            .filter_map(|folder| {
                Some(Announcement {
                    path: shown(&folder.out, LISTING),
                    folder: &folder.out,
                    text: folder.list_between.as_deref()?,
                })
            })
            .collect()
    }

    /// Every step, in order.
    pub(super) fn steps<'a>(&'a self, announced: &'a [Announcement<'a>]) -> Vec<Step<'a>> {
        let places = Places::of(&self.entries);
        let announce = announced.iter().map(|a| Step {
            phase: Phase::Announce,
            path: &a.path,
            folder: a.folder,
            bytes: Some(a.text.as_bytes()),
        });
        let change = self.entries.iter().filter_map(|e| self.step(e, &places));
        let mut steps: Vec<Step<'_>> = announce.chain(change).collect();
        steps.sort_by_key(|step| step.phase);
        steps
    }

    fn step<'a>(&'a self, entry: &'a Entry, places: &Places) -> Option<Step<'a>> {
        let folder = match &entry.surface {
            Some(_) => self.folder_of(&entry.path)?,
            None => state::FOLDER,
        };
        let is_list = entry.path == shown(folder, LISTING);
        let phase = match entry.state {
            State::Foreign => return None,
            State::Missing | State::Stale(_) if entry.surface.is_none() => Phase::Loose,
            _ if is_list => Phase::List,
            State::Missing | State::Stale(_) => Phase::Replace,
            State::Orphan if places.are_blocked_by(&entry.path) => Phase::Clear,
            State::Orphan => Phase::Delete,
        };
        Some(Step {
            phase,
            path: &entry.path,
            folder,
            bytes: (entry.state != State::Orphan).then_some(entry.new.as_ref()),
        })
    }

    fn folder_of(&self, path: &str) -> Option<&str> {
        let is_inside = |out: &str| {
            path.strip_prefix(out)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        self.folders
            .iter()
            .map(|f| f.out.as_str())
            .find(|out| is_inside(out))
    }
}

/// The places of missing files, in lower case: where case does not count, a file whose name only
/// changed case must go before its successor comes.
struct Places {
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
}

impl Places {
    fn of(entries: &[Entry]) -> Self {
        let missing = entries.iter().filter(|e| e.state == State::Missing);
        let files: BTreeSet<String> = missing.map(|e| e.path.to_lowercase()).collect();
        let folders = files
            .iter()
            .flat_map(|path| place::parents(path))
            .map(str::to_owned)
            .collect();
        Self { files, folders }
    }

    /// Whether the orphan at `path` stands in one of the places, above or below one.
    fn are_blocked_by(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        self.files.contains(&path)
            || self.folders.contains(&path)
            || place::parents(&path).any(|folder| self.files.contains(folder))
    }
}
