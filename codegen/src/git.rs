//! What the `git` program knows: a file at a revision, and which files of a folder differ from
//! the last commit. Asks only; changes nothing.

use std::{
    collections::BTreeSet,
    io,
    path::Path,
    process::{Command, Output, Stdio},
};

/// Why git gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum GitError {
    /// The program did not run.
    #[error("cannot run `git`")]
    Run(#[source] io::Error),
    /// The project is in no repository.
    #[error("this project is not in a git repository, so it has no revision `{revision}`")]
    NoRepository {
        /// What was asked for.
        revision: String,
    },
    /// The repository does not have the revision.
    #[error(
        "git knows no revision `{revision}`; in a shallow clone fetch it first (`git fetch --depth=1 origin {revision}`, or check out with full history)"
    )]
    NoRevision {
        /// What was asked for.
        revision: String,
    },
    /// Something else.
    #[error("git cannot show `{path}` at `{revision}`: {message}")]
    Show {
        /// The file.
        path: String,
        /// What was asked for.
        revision: String,
        /// What git said.
        message: String,
    },
}

/// The bytes of `path` (relative to `root`, forward slashes) at `revision`; none when the
/// revision does not have the file.
///
/// # Errors
/// When there is no git, no repository or no such revision.
pub(crate) fn show(root: &Path, revision: &str, path: &str) -> Result<Option<Vec<u8>>, GitError> {
    let asked = |args: &[&str]| run(root, args).map_err(GitError::Run);
    if !asked(&["rev-parse", "--git-dir"])?.status.success() {
        return Err(GitError::NoRepository {
            revision: revision.to_owned(),
        });
    }
    let commit = format!("{revision}^{{commit}}");
    let verified = asked(&[
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &commit,
    ])?;
    if !verified.status.success() {
        return Err(GitError::NoRevision {
            revision: revision.to_owned(),
        });
    }
    let commit = String::from_utf8_lossy(&verified.stdout).trim().to_owned();
    let listed = asked(&["ls-tree", "-z", "--name-only", &commit, "--", path])?;
    if listed.status.success() && listed.stdout.is_empty() {
        return Ok(None);
    }
    let shown = asked(&["show", &format!("{commit}:./{path}")])?;
    if shown.status.success() {
        Ok(Some(shown.stdout))
    } else {
        Err(GitError::Show {
            path: path.to_owned(),
            revision: revision.to_owned(),
            message: String::from_utf8_lossy(&shown.stderr).trim().to_owned(),
        })
    }
}

/// The files of a folder in the eyes of git; paths relative to the folder.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    /// Files that git follows.
    pub(crate) tracked: BTreeSet<String>,
    /// Those of them that differ from the last commit.
    pub(crate) changed: BTreeSet<String>,
}

/// What git knows of the files in `folder`; none when it knows nothing.
#[must_use]
pub(crate) fn standing(folder: &Path) -> Option<Standing> {
    let tracked = run(folder, &["ls-files", "-z"]).ok()?;
    let changed = run(
        folder,
        &["diff", "--name-only", "-z", "--relative", "HEAD", "--", "."],
    )
    .ok()?;
    (tracked.status.success() && changed.status.success()).then(|| Standing {
        tracked: names(&tracked.stdout),
        changed: names(&changed.stdout),
    })
}

fn names(stdout: &[u8]) -> BTreeSet<String> {
    stdout
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect()
}

fn run(folder: &Path, args: &[&str]) -> io::Result<Output> {
    let mut git = Command::new("git");
    // A hook of another repository sets these; they would point git there.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        git.env_remove(variable);
    }
    git.args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
}
