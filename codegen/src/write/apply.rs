//! Makes the disk what a plan says: stages every new file, then replaces, then deletes.
//!
//! Cut off at any point, it loses nothing: a file has its old or its new bytes, and the list in
//! each folder names everything that is ours. The next run finishes. Files that do not depend on
//! each other are written side by side.

use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use rayon::prelude::*;
use toolcontract_schema::digest::hex;

use super::{
    disk::{Disk, Staged},
    error::WriteError,
    folders::Folders,
    plan::Plan,
    state::{self, Record},
    steps::{Phase, Step},
};

impl Plan {
    /// Makes the disk what the plan says. Foreign files stay.
    ///
    /// # Errors
    /// When the disk refuses. While files are staged nothing has changed; later the error names
    /// what was changed, and running again finishes the work.
    pub fn apply(&self, disk: &dyn Disk) -> Result<(), WriteError> {
        let announced = self.announcements();
        let steps = self.steps(&announced);
        if steps.is_empty() {
            return Ok(());
        }
        let mut run = Run {
            root: &self.root,
            disk,
            folders: Folders::new(&self.root, disk),
            changed: Vec::new(),
        };
        let staged = run.stage(&steps)?;
        run.commit(staged)?;
        self.remember(&steps, disk)
            .map_err(|error| error.after(&run.changed))
    }

    /// Notes in the working copy's record what was written.
    fn remember(&self, steps: &[Step<'_>], disk: &dyn Disk) -> Result<(), WriteError> {
        let is_noted = |step: &&Step<'_>| match step.phase {
            Phase::Replace | Phase::Clear | Phase::Delete => true,
            Phase::Announce | Phase::List | Phase::Loose => false,
        };
        let noted: Vec<&Step<'_>> = steps.iter().filter(is_noted).collect();
        if noted.is_empty() {
            return Ok(());
        }
        let digests: Vec<Option<String>> = noted.par_iter().map(|s| s.bytes.map(hex)).collect();
        let mut record = Record::load(&self.root);
        for (step, digest) in noted.into_iter().zip(digests) {
            match digest {
                Some(digest) => record.set(step.path, digest),
                None => record.forget(step.path),
            }
        }
        record.save(&self.root, disk)
    }
}

/// One application of a plan.
struct Run<'a> {
    root: &'a Path,
    disk: &'a dyn Disk,
    folders: Folders<'a>,
    /// Files that have their new bytes, or are gone as they should be.
    changed: Vec<String>,
}

/// A step, and its new bytes where they wait; none to remove the file.
type Ready<'s> = (&'s Step<'s>, Option<Staged>);

impl Run<'_> {
    /// Writes all new bytes under temporary names. When that fails, everything is as it was.
    fn stage<'s>(&mut self, steps: &'s [Step<'s>]) -> Result<Vec<Ready<'s>>, WriteError> {
        // A folder that something is cleared from may go, or change the case of its name.
        let are_settled = steps.iter().all(|step| step.phase != Phase::Clear);
        let folders = steps
            .iter()
            .map(|step| self.folder_to_stage_in(step, are_settled))
            .collect::<Result<Vec<_>, _>>()
            .inspect_err(|_| self.folders.remove_made())?;
        let write = |(step, folder): (&'s Step<'s>, &'s str)| {
            let staged = step
                .bytes
                .map(|bytes| self.disk.stage(&self.root.join(folder), bytes));
            match staged.transpose() {
                Ok(staged) => Ok((step, staged)),
                Err(e) => Err(WriteError::io("write", step.path, e)),
            }
        };
        let (ready, _, error) = side_by_side(steps.iter().zip(folders).collect(), write);
        match error {
            None => Ok(ready),
            Some(error) => {
                self.clean_up(ready);
                Err(error)
            }
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
        for staged in ready.into_iter().filter_map(|(_, staged)| staged) {
            let _ = self.disk.discard(staged);
        }
        self.folders.remove_made();
    }
}

/// Does all of `work`, or stops soon after the first that fails. Gives what was done, what was
/// not begun, and the failure, each in order.
fn side_by_side<T: Send, R: Send>(
    work: Vec<T>,
    one: impl Fn(T) -> Result<R, WriteError> + Sync,
) -> (Vec<R>, Vec<T>, Option<WriteError>) {
    enum End<T, R> {
        Done(R),
        Left(T),
        Failed(WriteError),
    }
    let has_failed = AtomicBool::new(false);
    let ends: Vec<End<T, R>> = work
        .into_par_iter()
        .map(|item| {
            if has_failed.load(Ordering::Relaxed) {
                return End::Left(item);
            }
            match one(item) {
                Ok(done) => End::Done(done),
                Err(error) => {
                    has_failed.store(true, Ordering::Relaxed);
                    End::Failed(error)
                }
            }
        })
        .collect();
    let (mut done, mut left, mut failed) = (Vec::new(), Vec::new(), None);
    for end in ends {
        match end {
            End::Done(one) => done.push(one),
            End::Left(item) => left.push(item),
            End::Failed(error) => failed = failed.or(Some(error)),
        }
    }
    (done, left, failed)
}
