//! Finds the project.

use std::path::{Path, PathBuf};

use super::{CliError, Program};

/// What makes a folder a project.
pub(super) const PROJECT: &str = "manifests/toolcontract.toml";

/// A project.
#[derive(Debug, Clone)]
pub(super) struct Root {
    /// Its folder, absolute, no links in it.
    pub(super) path: PathBuf,
    /// What a person types to run a command here.
    pub(super) program: Program,
}

impl Root {
    /// The project in `given`, or the nearest from the current folder upwards.
    pub(super) fn find(given: Option<&Path>, program: Program) -> Result<Self, CliError> {
        let found = match given {
            Some(folder) if folder.join(PROJECT).is_file() => Some(folder.to_owned()),
            Some(folder) => {
                return Err(CliError::Root(format!(
                    "there is no `{PROJECT}` in `{}`; `{} init` makes one",
                    folder.display(),
                    program.as_str()
                )));
            }
            None => std::env::current_dir().ok().and_then(|here| {
                here.ancestors()
                    .find(|folder| folder.join(PROJECT).is_file())
                    .map(Path::to_owned)
            }),
        };
        let Some(found) = found else {
            let here = std::env::current_dir().unwrap_or_default();
            return Err(CliError::Root(format!(
                "there is no `{PROJECT}` in `{}` or above; `{} init` makes one",
                here.display(),
                program.as_str()
            )));
        };
        let path = found
            .canonicalize()
            .map_err(|e| CliError::Root(format!("cannot look at `{}`: {e}", found.display())))?;
        Ok(Self { path, program })
    }
}
