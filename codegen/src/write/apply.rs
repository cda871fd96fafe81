//! Makes the disk what a plan says: stages every new file, then replaces, then deletes.
//!
//! [`write`] stages what a surface adds as soon as the surface is made, so that its bytes need not
//! wait in memory for the other surfaces.
//!
//! Cut off at any point, it loses nothing: a file has its old or its new bytes, and the list in
//! each folder names everything that is ours. The next run finishes. Files that do not depend on
//! each other are written side by side.

use std::{collections::BTreeMap, path::Path};

use rayon::prelude::*;
use toolcontract_schema::digest::hex;

use super::{
    disk::{Disk, Staged},
    error::WriteError,
    folders::Folders,
    listing::LISTING,
    plan::{Entry, Plan, State, Wanted, survey},
    side_by_side::side_by_side,
    state::{self, Record},
    steps::{Phase, Step},
};

/// Makes the disk what is wanted, and says what differed. `root` is the absolute path of the
/// project. Foreign files stay.
///
/// # Errors
/// As [`plan`](super::plan()) and [`Plan::apply`]. Until the last surface is made nothing has changed.
pub fn write(root: &Path, wanted: &Wanted, disk: &dyn Disk) -> Result<Plan, WriteError> {
    let mut run = Run::new(root, disk);
    match survey(root, wanted, disk, &mut |_, found| run.stage_early(found)) {
        Ok(plan) => {
            run.finish(&plan)?;
            Ok(plan)
        }
        Err(error) => {
            run.clean_up([]);
            Err(error)
        }
    }
}

impl Plan {
    /// Makes the disk what the plan says. Foreign files stay.
    ///
    /// # Errors
    /// When the disk refuses. While files are staged nothing has changed; later the error names
    /// what was changed, and running again finishes the work.
    pub fn apply(&self, disk: &dyn Disk) -> Result<(), WriteError> {
        Run::new(&self.root, disk).finish(self)
    }
}

/// New bytes of a file that wait on the disk, with their digest.
struct Early {
    staged: Staged,
    digest: String,
}

/// One application of a plan.
struct Run<'a> {
    root: &'a Path,
    disk: &'a dyn Disk,
    folders: Folders<'a>,
    /// What waits already, by the path that it is for.
    early: BTreeMap<String, Early>,
    /// Files that have their new bytes, or are gone as they should be.
    changed: Vec<String>,
}

/// A step, and its new bytes where they wait; none to remove the file.
type Ready<'s> = (&'s Step<'s>, Option<Staged>);

impl<'a> Run<'a> {
    fn new(root: &'a Path, disk: &'a dyn Disk) -> Self {
        Self {
            root,
            disk,
            folders: Folders::new(root, disk),
            early: BTreeMap::new(),
            changed: Vec::new(),
        }
    }

    /// Makes the disk what `plan` says.
    fn finish(mut self, plan: &Plan) -> Result<(), WriteError> {
        let announced = plan.announcements();
        let steps = plan.steps(&announced);
        if steps.is_empty() {
            return Ok(());
        }
        let digests = self.digests(&steps);
        let staged = self.stage(&steps)?;
        self.commit(staged)?;
        remember(self.root, digests, self.disk).map_err(|error| error.after(&self.changed))
    }

    /// Stages the files that one surface adds, and forgets their bytes. What is replaced or removed
    /// waits for the plan: it may change what folders there are.
    fn stage_early(&mut self, found: &mut [Entry]) -> Result<(), WriteError> {
        if found.iter().any(|entry| entry.state == State::Orphan) {
            return Ok(());
        }
        let is_new = |entry: &&mut Entry| entry.state == State::Missing && !is_list(&entry.path);
        let mut new: Vec<(&mut Entry, String)> = Vec::new();
        for entry in found.iter_mut().filter(is_new) {
            let folder = entry.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let folder = folder.to_owned();
            self.folders.make(&folder)?;
            new.push((entry, folder));
        }
        let (root, disk) = (self.root, self.disk);
        let write = |(entry, folder): (&mut Entry, String)| {
            let bytes = std::mem::take(&mut entry.new);
            match disk.stage(&root.join(folder), &bytes) {
                Ok(staged) => {
                    let digest = hex(&bytes);
                    Ok((entry.path.clone(), Early { staged, digest }))
                }
                Err(e) => Err(WriteError::io("write", &entry.path, e)),
            }
        };
        let (done, _, error) = side_by_side(new, write);
        self.early.extend(done);
        error.map_or(Ok(()), Err)
    }

    /// The files of which the working copy keeps a record, with the digests of what they will hold;
    /// none for those that go.
    fn digests(&self, steps: &[Step<'_>]) -> Vec<(String, Option<String>)> {
        let is_noted = |step: &&Step<'_>| match step.phase {
            Phase::Replace | Phase::Clear | Phase::Delete => true,
            Phase::Announce | Phase::List | Phase::Loose => false,
        };
        let digest = |step: &Step<'_>| match (step.bytes, self.early.get(step.path)) {
            (None, _) => None,
            (Some(_), Some(early)) => Some(early.digest.clone()),
            (Some(bytes), None) => Some(hex(bytes)),
        };
        let noted: Vec<&Step<'_>> = steps.iter().filter(is_noted).collect();
        noted
            .into_par_iter()
            .map(|step| (step.path.to_owned(), digest(step)))
            .collect()
    }

    /// Writes all new bytes under temporary names. When that fails, everything is as it was.
    fn stage<'s>(&mut self, steps: &'s [Step<'s>]) -> Result<Vec<Ready<'s>>, WriteError> {
        // A folder that something is cleared from may go, or change the case of its name.
        let are_settled = steps.iter().all(|step| step.phase != Phase::Clear);
        let (mut ready, mut open) = (Vec::new(), Vec::new());
        for (at, step) in steps.iter().enumerate() {
            match self.waiting(step) {
                Some(early) => ready.push((at, (step, Some(early.staged)))),
                None => match self.folder_to_stage_in(step, are_settled) {
                    Ok(folder) => open.push((at, step, folder)),
                    Err(error) => {
                        self.clean_up(ready.into_iter().map(|(_, ready)| ready));
                        return Err(error);
                    }
                },
            }
        }
        let write = |(at, step, folder): (usize, &'s Step<'s>, &'s str)| {
            let staged = step
                .bytes
                .map(|bytes| self.disk.stage(&self.root.join(folder), bytes));
            match staged.transpose() {
                Ok(staged) => Ok((at, (step, staged))),
                Err(e) => Err(WriteError::io("write", step.path, e)),
            }
        };
        let (staged, _, error) = side_by_side(open, write);
        ready.extend(staged);
        // In the order of the steps again.
        ready.sort_by_key(|(at, _)| *at);
        let ready = ready.into_iter().map(|(_, ready)| ready);
        match error {
            None => Ok(ready.collect()),
            Some(error) => {
                self.clean_up(ready);
                Err(error)
            }
        }
    }

    /// The bytes of a step, where they wait already.
    fn waiting(&mut self, step: &Step<'_>) -> Option<Early> {
        match step.phase {
            Phase::Replace => self.early.remove(step.path),
            Phase::Announce | Phase::Clear | Phase::Delete | Phase::List | Phase::Loose => None,
        }
    }

    /// Where the new bytes of a step wait: in the folder that they go to, made now, since within
    /// one folder a file moves fastest; in the surface's own where folders are not settled yet.
    fn folder_to_stage_in<'s>(
        &mut self,
        step: &'s Step<'s>,
        are_settled: bool,
    ) -> Result<&'s str, WriteError> {
        if step.folder == state::FOLDER {
            state::folder(self.root, self.disk)?;
        }
        let folder = match step.path.rsplit_once('/') {
            Some((folder, _)) if are_settled && step.folder != state::FOLDER => folder,
            _ => step.folder,
        };
        if step.bytes.is_some() {
            self.folders.make(folder)?;
        }
        Ok(folder)
    }

    /// Phase after phase; what a phase replaces, side by side.
    fn commit(&mut self, ready: Vec<Ready<'_>>) -> Result<(), WriteError> {
        let mut rest = ready.into_iter().peekable();
        while let Some((first, _)) = rest.peek() {
            let phase = first.phase;
            let mut now = Vec::new();
            while let Some(one) = rest.next_if(|(step, _)| step.phase == phase) {
                now.push(one);
            }
            let (put, remove): (Vec<_>, Vec<_>) = now.into_iter().partition(|(_, b)| b.is_some());
            let failed = match self.replace_all(put) {
                Ok(()) => match remove.iter().try_for_each(|(step, _)| self.remove(step)) {
                    Ok(()) => continue,
                    Err(error) => (error, Vec::new()),
                },
                Err(failed) => failed,
            };
            let (error, left) = failed;
            self.clean_up(left.into_iter().chain(rest));
            return Err(error.after(&self.changed));
        }
        Ok(())
    }

    /// Puts staged files in their places. On failure also gives those that still wait.
    fn replace_all<'s>(
        &mut self,
        steps: Vec<Ready<'s>>,
    ) -> Result<(), (WriteError, Vec<Ready<'s>>)> {
        for (step, _) in &steps {
            if let Some((folder, _)) = step.path.rsplit_once('/')
                && let Err(error) = self.folders.make(folder)
            {
                return Err((error, steps));
            }
        }
        let put = |(step, staged): Ready<'s>| {
            let replaced = staged.map_or(Ok(()), |staged| {
                self.disk.replace(staged, &self.root.join(step.path))
            });
            match replaced {
                Ok(()) => Ok(step.path),
                Err(e) => Err(WriteError::io("replace", step.path, e)),
            }
        };
        let (done, left, error) = side_by_side(steps, put);
        self.changed.extend(done.into_iter().map(str::to_owned));
        error.map_or(Ok(()), |error| Err((error, left)))
    }

    /// Removes a file, then the folders above it that are empty now, up to the surface's own.
    fn remove(&mut self, step: &Step<'_>) -> Result<(), WriteError> {
        self.disk
            .remove_file(&self.root.join(step.path))
            .map_err(|e| WriteError::io("remove", step.path, e))?;
        self.changed.push(step.path.to_owned());
        let mut path = step.path;
        while let Some((folder, _)) = path.rsplit_once('/') {
            if folder.len() < step.folder.len() || !self.folders.remove_empty(folder)? {
                break;
            }
            path = folder;
        }
        Ok(())
    }

    /// Removes what was staged and the folders that were made and are empty. Best effort: the next
    /// run clears what is left.
    fn clean_up<'s>(&mut self, ready: impl IntoIterator<Item = Ready<'s>>) {
        let early = std::mem::take(&mut self.early).into_values();
        let early = early.map(|early| early.staged);
        for staged in ready
            .into_iter()
            .filter_map(|(_, staged)| staged)
            .chain(early)
        {
            let _ = self.disk.discard(staged);
        }
        self.folders.remove_made();
    }
}

/// Whether `path` is the list of a surface.
fn is_list(path: &str) -> bool {
    path.rsplit('/').next() == Some(LISTING)
}

/// Notes in the working copy's record what was written.
fn remember(
    root: &Path,
    digests: Vec<(String, Option<String>)>,
    disk: &dyn Disk,
) -> Result<(), WriteError> {
    if digests.is_empty() {
        return Ok(());
    }
    let mut record = Record::load(root);
    for (path, digest) in digests {
        match digest {
            Some(digest) => record.set(&path, digest),
            None => record.forget(&path),
        }
    }
    record.save(root, disk)
}
