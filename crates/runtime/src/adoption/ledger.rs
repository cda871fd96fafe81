//! The ledger of adopted tools: one SQLite file, for every workspace of a user. Refuses to lie in
//! a workspace that it speaks of, and to be anything but a regular file.

use std::{
    fs::{self, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Row, params};

use super::{Grade, Pin};
use crate::regular;

/// The form of the tables. A file of another form is not read.
const FORM: i64 = 1;

/// How long another program may keep the file busy.
const PATIENCE: Duration = Duration::from_secs(5);

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS adopted (
        workspace TEXT NOT NULL,
        name TEXT NOT NULL,
        digest TEXT NOT NULL,
        pin TEXT NOT NULL,
        grade TEXT NOT NULL,
        adopted_by TEXT NOT NULL,
        adopted_at TEXT NOT NULL,
        enabled_by TEXT,
        enabled_at TEXT,
        calls INTEGER NOT NULL DEFAULT 0,
        errors INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (workspace, name)
    ) STRICT;
";

/// The adopted tools of one workspace.
#[derive(Debug, Clone)]
pub struct Ledger {
    path: PathBuf,
    workspace: String,
}

/// One adopted tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Adopted {
    /// The name.
    pub name: String,
    /// What was looked at.
    pub pin: Pin,
    /// Digest of the pin.
    pub digest: String,
    /// What a person said of it.
    pub grade: Grade,
    /// Who adopted it.
    pub adopted_by: String,
    /// When, in UTC with milliseconds.
    pub adopted_at: String,
    /// Who enabled it, and when; none while nobody has.
    pub enabled: Option<Enabled>,
    /// Calls since.
    pub calls: u64,
    /// How many of them failed.
    pub errors: u64,
}

/// That a person enabled a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enabled {
    /// Who.
    pub by: String,
    /// When, in UTC with milliseconds.
    pub at: String,
}

/// A ledger that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// It lies where the tools that it speaks of could write.
    #[error("the ledger `{}` lies in the workspace; name a file outside", .0.display())]
    Inside(PathBuf),
    /// The file cannot be made or found.
    #[error("the ledger `{}` cannot be opened", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// The file is no ledger, is damaged, or is busy.
    #[error("the ledger cannot be read or written")]
    Database(#[from] rusqlite::Error),
    /// Another version of this program made it.
    #[error("the ledger has form {0}, and this program reads form {FORM}")]
    Form(i64),
    /// An entry is not what this program writes.
    #[error("the ledger's entry of `{name}` cannot be read")]
    Entry {
        /// The tool.
        name: String,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// The tool is not adopted, or not in the form that was shown.
    #[error("`{0}` is not adopted as it was shown; adopt it again")]
    NotAsShown(String),
}

impl Ledger {
    /// The part about `workspace` of the ledger at `path`. Nothing is read or made yet.
    ///
    /// # Errors
    /// When the ledger would lie in the workspace, or the workspace is not there.
    pub fn new(path: &Path, workspace: &Path) -> Result<Self, LedgerError> {
        let error = |source| LedgerError::Io {
            path: path.to_owned(),
            source,
        };
        let workspace = workspace.canonicalize().map_err(error)?;
        let path = std::path::absolute(path).map_err(error)?;
        // Of what is not there yet, the folder that is.
        let real = path.ancestors().find_map(|part| part.canonicalize().ok());
        if path.starts_with(&workspace) || real.is_some_and(|real| real.starts_with(&workspace)) {
            return Err(LedgerError::Inside(path));
        }
        Ok(Self {
            path,
            workspace: workspace.to_string_lossy().into_owned(),
        })
    }

    /// Writes down that `by` adopted the tool `name` with `grade` at the time `at`. Whoever enabled
    /// it before enabled something else.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn adopt(
        &self,
        name: &str,
        pin: &Pin,
        grade: &Grade,
        by: &str,
        at: &str,
    ) -> Result<String, LedgerError> {
        let entry = |source| LedgerError::Entry {
            name: name.to_owned(),
            source,
        };
        let digest = pin.digest().unwrap_or_default();
        let pin = serde_json::to_string(pin).map_err(entry)?;
        let grade = serde_json::to_string(grade).map_err(entry)?;
        self.write()?.execute(
            "INSERT OR REPLACE INTO adopted
                (workspace, name, digest, pin, grade, adopted_by, adopted_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![self.workspace, name, digest, pin, grade, by, at],
        )?;
        Ok(digest)
    }

    /// Writes down that `by` enabled the tool `name`, which was shown with the pin `digest`.
    ///
    /// # Errors
    /// When it is not adopted with that pin, or the ledger cannot be written.
    pub fn enable(&self, name: &str, digest: &str, by: &str, at: &str) -> Result<(), LedgerError> {
        let changed = self.write()?.execute(
            "UPDATE adopted SET enabled_by = ?4, enabled_at = ?5
             WHERE workspace = ?1 AND name = ?2 AND digest = ?3",
            params![self.workspace, name, digest, by, at],
        )?;
        match changed {
            0 => Err(LedgerError::NotAsShown(name.to_owned())),
            _ => Ok(()),
        }
    }

    /// Takes the tool `name` out. True when it was there.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn withdraw(&self, name: &str) -> Result<bool, LedgerError> {
        let removed = self.write()?.execute(
            "DELETE FROM adopted WHERE workspace = ?1 AND name = ?2",
            params![self.workspace, name],
        )?;
        Ok(removed > 0)
    }

    /// The tool `name`, when it is adopted. A ledger that is not there has no entry.
    ///
    /// # Errors
    /// When the ledger is there and cannot be read.
    pub fn find(&self, name: &str) -> Result<Option<Adopted>, LedgerError> {
        let Some(database) = self.read()? else {
            return Ok(None);
        };
        let row = database
            .query_row(
                "SELECT * FROM adopted WHERE workspace = ?1 AND name = ?2",
                params![self.workspace, name],
                |row| Ok(adopted(row)),
            )
            .optional()?;
        row.transpose()
    }

    /// Every adopted tool of the workspace, in the order of names.
    ///
    /// # Errors
    /// When the ledger is there and cannot be read.
    pub fn all(&self) -> Result<Vec<Adopted>, LedgerError> {
        let Some(database) = self.read()? else {
            return Ok(Vec::new());
        };
        let query = "SELECT * FROM adopted WHERE workspace = ?1 ORDER BY name";
        let mut statement = database.prepare(query)?;
        let rows = statement.query_map(params![self.workspace], |row| Ok(adopted(row)))?;
        rows.map(|row| row?).collect()
    }

    /// The workspace that this part is about.
    #[must_use]
    pub fn workspace(&self) -> &str {
        &self.workspace
    }

    /// How many tools whose names begin with `prefix` are adopted in other workspaces of the file
    /// and not in this one.
    ///
    /// # Errors
    /// When the ledger is there and cannot be read.
    pub fn elsewhere(&self, prefix: &str) -> Result<u64, LedgerError> {
        let Some(database) = self.read()? else {
            return Ok(0);
        };
        let count: i64 = database.query_row(
            "SELECT COUNT(DISTINCT name) FROM adopted
             WHERE workspace <> ?1 AND substr(name, 1, length(?2)) = ?2
                AND name NOT IN (SELECT name FROM adopted WHERE workspace = ?1)",
            params![self.workspace, prefix],
            |row| row.get(0),
        )?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// Whether the tool `name` is enabled with the pin `digest`, as of now.
    #[must_use]
    pub fn has(&self, name: &str, digest: &str) -> bool {
        let found = || -> Result<bool, LedgerError> {
            let Some(database) = self.read()? else {
                return Ok(false);
            };
            Ok(database.query_row(
                "SELECT EXISTS (SELECT 1 FROM adopted WHERE workspace = ?1 AND name = ?2
                    AND digest = ?3 AND enabled_at IS NOT NULL)",
                params![self.workspace, name, digest],
                |row| row.get(0),
            )?)
        };
        found().unwrap_or(false)
    }

    /// Counts a call of the tool `name`.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn count(&self, name: &str, failed: bool) -> Result<(), LedgerError> {
        if self.read()?.is_none() {
            return Ok(());
        }
        self.write()?.execute(
            "UPDATE adopted SET calls = calls + 1, errors = errors + ?3
             WHERE workspace = ?1 AND name = ?2",
            params![self.workspace, name, i64::from(failed)],
        )?;
        Ok(())
    }

    /// The file as it is now. None when there is none.
    fn read(&self) -> Result<Option<Connection>, LedgerError> {
        if !regular::is_at(&self.path).map_err(|source| self.fault(source))? {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let database = Connection::open_with_flags(&self.path, flags)?;
        database.busy_timeout(PATIENCE)?;
        match form(&database)? {
            // Made and not written yet.
            0 => Ok(None),
            FORM => Ok(Some(database)),
            other => Err(LedgerError::Form(other)),
        }
    }

    fn write(&self) -> Result<Connection, LedgerError> {
        self.make().map_err(|source| self.fault(source))?;
        // What `make` did not make, such as the end of a link, is not made here either.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut database = Connection::open_with_flags(&self.path, flags)?;
        database.busy_timeout(PATIENCE)?;
        match form(&database)? {
            0 => {
                let transaction = database.transaction()?;
                transaction.execute_batch(TABLES)?;
                transaction.pragma_update(None, "user_version", FORM)?;
                transaction.commit()?;
            }
            FORM => {}
            other => return Err(LedgerError::Form(other)),
        }
        Ok(database)
    }

    fn fault(&self, source: io::Error) -> LedgerError {
        LedgerError::Io {
            path: self.path.clone(),
            source,
        }
    }

    /// Makes the file where there is none, for its owner alone. One that is there is not opened:
    /// closing it again would end the locks that this process holds on it.
    fn make(&self) -> io::Result<()> {
        if regular::is_at(&self.path)? {
            return Ok(());
        }
        if let Some(folder) = self.path.parent() {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)?;
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        match options.open(&self.path) {
            // Another program was quicker.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            made => made.map(|_| ()),
        }
    }
}

fn form(database: &Connection) -> Result<i64, LedgerError> {
    Ok(database.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

fn adopted(row: &Row<'_>) -> Result<Adopted, LedgerError> {
    let name: String = row.get("name")?;
    let entry = |source| LedgerError::Entry {
        name: name.clone(),
        source,
    };
    let (pin, grade): (String, String) = (row.get("pin")?, row.get("grade")?);
    let (by, at): (Option<String>, Option<String>) =
        (row.get("enabled_by")?, row.get("enabled_at")?);
    let count = |count: i64| u64::try_from(count).unwrap_or_default();
    Ok(Adopted {
        pin: serde_json::from_str(&pin).map_err(entry)?,
        grade: serde_json::from_str(&grade).map_err(entry)?,
        digest: row.get("digest")?,
        adopted_by: row.get("adopted_by")?,
        adopted_at: row.get("adopted_at")?,
        enabled: by.zip(at).map(|(by, at)| Enabled { by, at }),
        calls: count(row.get("calls")?),
        errors: count(row.get("errors")?),
        name,
    })
}
