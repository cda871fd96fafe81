//! What a catalog is compared with: the lock of the working copy, or of a git revision.

use std::{collections::BTreeSet, io, path::Path};

use crate::{
    git,
    model::{
        Lock,
        lock::{LockError, LockedTool, PATH, parse_sides},
    },
};

/// The locks that a catalog is compared with.
#[derive(Debug, Clone, Default)]
pub struct Baseline {
    /// The working copy's: one, or the two sides of a merge that is not resolved; none when there is no lock.
    pub here: Vec<Lock>,
    /// Those to compare with: `here`, or the one of a git revision.
    pub compared: Vec<Lock>,
}

/// Why there is nothing to compare with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// There is no lock.
    #[error(
        "there is no `{PATH}`; if this catalog never had one, say `gen --init-lock`, else take it from version control again"
    )]
    Missing,
    /// The disk does not give the lock.
    #[error("cannot read `{PATH}`")]
    Read(#[source] io::Error),
    /// The working copy's lock cannot be read as one.
    #[error(transparent)]
    Here(#[from] LockError),
    /// The lock of the revision cannot be read as one.
    #[error("cannot compare with the lock of `{revision}`")]
    There {
        /// The git revision.
        revision: String,
        /// What is wrong with it.
        #[source]
        source: LockError,
    },
    /// Git does not have it.
    #[error("cannot compare with `{revision}`")]
    Git {
        /// The git revision.
        revision: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Baseline {
    /// Reads the locks of the project in `root`.
    ///
    /// # Errors
    /// When there is no lock and `may_be_missing` is false, or one cannot be read.
    pub fn read(
        root: &Path,
        revision: Option<&str>,
        may_be_missing: bool,
    ) -> Result<Self, BaselineError> {
        let here = match std::fs::read(root.join(PATH)) {
            Ok(bytes) => parse_sides(&String::from_utf8_lossy(&bytes))?,
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(BaselineError::Read(e)),
            Err(_) if may_be_missing => Vec::new(),
            Err(_) => return Err(BaselineError::Missing),
        };
        let compared = match revision {
            None => here.clone(),
            Some(revision) => at(root, revision)?,
        };
        Ok(Self { here, compared })
    }

    /// Every name that was ever retired.
    #[must_use]
    pub fn retired(&self) -> BTreeSet<String> {
        let locks = self.here.iter().chain(&self.compared);
        locks
            .flat_map(|lock| lock.retired.iter().cloned())
            .collect()
    }

    /// The token estimate of a tool whose advertised bytes have this digest.
    #[must_use]
    pub fn tokens(&self, name: &str, advertised: &str) -> Option<u32> {
        let mut locks = self.here.iter().chain(&self.compared);
        locks.find_map(|lock| {
            let locked: &LockedTool = lock.tools.get(name)?;
            (locked.advertised == advertised).then_some(locked.tokens)
        })
    }
}

/// The lock of a git revision; none when the revision has no such file: every contract is new.
fn at(root: &Path, revision: &str) -> Result<Vec<Lock>, BaselineError> {
    let bytes = git::show(root, revision, PATH).map_err(|source| BaselineError::Git {
        revision: revision.to_owned(),
        source: Box::new(source),
    })?;
    let Some(bytes) = bytes else {
        return Ok(Vec::new());
    };
    let lock =
        Lock::parse(&String::from_utf8_lossy(&bytes)).map_err(|source| BaselineError::There {
            revision: revision.to_owned(),
            source,
        })?;
    Ok(vec![lock])
}
