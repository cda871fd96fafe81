//! Makes the disk what a plan says: stages every new file, then replaces, then deletes.
//!
//! Cut off at any point, it loses nothing: a file has its old or its new bytes, and the list in
//! each folder names everything that is ours. The next run finishes.

use std::path::{Path, PathBuf};

use toolcontract_schema::digest::hex;

use super::{
    disk::{Disk, Kind, Staged},
    error::WriteError,
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
            made: Vec::new(),
            changed: Vec::new(),
        };
        let staged = run.stage(&steps)?;
        run.commit(&steps, staged)?;
        self.remember(&steps, disk)
            .map_err(|error| error.after(&run.changed))
    }

    /// Notes in the working copy's record what was written.
    fn remember(&self, steps: &[Step<'_>], disk: &dyn Disk) -> Result<(), WriteError> {
        let mut record = Record::load(&self.root);
        let mut noted = false;
        for step in steps {
            match (step.phase, step.bytes) {
                (Phase::Replace, Some(bytes)) => record.set(step.path, hex(bytes)),
                (Phase::Clear | Phase::Delete, _) => record.forget(step.path),
                _ => continue,
            }
            noted = true;
        }
        if noted {
            record.save(&self.root, disk)
        } else {
            Ok(())
        }
    }
}

/// One application of a plan.
struct Run<'a> {
    root: &'a Path,
    disk: &'a dyn Disk,
    /// Folders that staging made, outermost first.
    made: Vec<PathBuf>,
    /// Files that have their new bytes, or are gone as they should be.
    changed: Vec<String>,
}

impl Run<'_> {
    /// Writes all new bytes under temporary names. When that fails, everything is as it was.
    fn stage(&mut self, steps: &[Step<'_>]) -> Result<Vec<Option<Staged>>, WriteError> {
        let mut staged = Vec::with_capacity(steps.len());
        for step in steps {
            let one = step
                .bytes
                .map(|bytes| self.stage_one(step, bytes))
                .transpose();
            match one {
                Ok(one) => staged.push(one),
                Err(error) => {
                    self.clean_up(staged.into_iter().flatten());
                    return Err(error);
                }
            }
        }
        Ok(staged)
    }

    fn stage_one(&mut self, step: &Step<'_>, bytes: &[u8]) -> Result<Staged, WriteError> {
        if step.folder == state::FOLDER {
            state::folder(self.root, self.disk)?;
        }
        self.make_folders(step.folder)?;
        self.disk
            .stage(&self.root.join(step.folder), bytes)
            .map_err(|e| WriteError::io("write", step.path, e))
    }

    fn commit(
        &mut self,
        steps: &[Step<'_>],
        staged: Vec<Option<Staged>>,
    ) -> Result<(), WriteError> {
        let mut staged = staged.into_iter();
        for (step, one) in steps.iter().zip(staged.by_ref()) {
            let done = match one {
                Some(one) => self.put(step, one),
                None => self.remove(step),
            };
            if let Err(error) = done {
                self.clean_up(staged.flatten());
                return Err(error.after(&self.changed));
            }
        }
        Ok(())
    }

    fn put(&mut self, step: &Step<'_>, staged: Staged) -> Result<(), WriteError> {
        if let Some((folder, _)) = step.path.rsplit_once('/') {
            self.make_folders(folder)?;
        }
        self.disk
            .replace(staged, &self.root.join(step.path))
            .map_err(|e| WriteError::io("replace", step.path, e))?;
        self.changed.push(step.path.to_owned());
        Ok(())
    }

    /// Removes a file, then the folders above it that are empty now, up to the surface's own.
    fn remove(&mut self, step: &Step<'_>) -> Result<(), WriteError> {
        self.disk
            .remove_file(&self.root.join(step.path))
            .map_err(|e| WriteError::io("remove", step.path, e))?;
        self.changed.push(step.path.to_owned());
        let mut path = step.path;
        while let Some((folder, _)) = path.rsplit_once('/') {
            if folder.len() < step.folder.len() {
                break;
            }
            let is_empty = self
                .disk
                .remove_folder(&self.root.join(folder))
                .map_err(|e| WriteError::io("remove", folder, e))?;
            if !is_empty {
                break;
            }
            path = folder;
        }
        Ok(())
    }

    /// Makes `path` (relative to the project root) and what is missing above it.
    fn make_folders(&mut self, path: &str) -> Result<(), WriteError> {
        let mut missing = Vec::new();
        let mut at = path;
        loop {
            let folder = self.root.join(at);
            let kind = self
                .disk
                .kind(&folder)
                .map_err(|e| WriteError::io("look at", at, e))?;
            if kind == Some(Kind::Folder) {
                break;
            }
            missing.push((at, folder));
            match at.rsplit_once('/') {
                Some((above, _)) => at = above,
                None => break,
            }
        }
        for (name, folder) in missing.into_iter().rev() {
            self.disk
                .make_folder(&folder)
                .map_err(|e| WriteError::io("make", name, e))?;
            self.made.push(folder);
        }
        Ok(())
    }

    /// Removes what was staged and the folders that were made and are empty. Best effort: the next
    /// run clears what is left.
    fn clean_up(&self, staged: impl Iterator<Item = Staged>) {
        for one in staged {
            let _ = self.disk.discard(one);
        }
        for folder in self.made.iter().rev() {
            let _ = self.disk.remove_folder(folder);
        }
    }
}
