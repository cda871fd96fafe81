//! The parts of a settings file that govern calls: `tools` and `hooks`. Everything else in the
//! file is somebody else's and is left alone.

use std::{io, path::Path};

use toolcontract_schema::bounds::{self, BoundsError};

use super::{PolicyToolSet, SwitchError};
use crate::{
    hook::{HookConfigError, HookSpec, specs},
    regular,
};

/// The largest file, in bytes.
const MOST: u64 = 1 << 20;

/// What a settings file says about calls.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Settings {
    /// Which tools are on.
    pub tools: PolicyToolSet,
    /// Hooks that are commands.
    pub hooks: Vec<HookSpec>,
    /// Hook events in the file that this program does not have.
    pub events_elsewhere: Vec<String>,
}

/// Why settings are not in force.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The file could not be read.
    #[error("the file cannot be read")]
    Read(#[from] io::Error),
    /// The file is no JSON object, or has a key twice.
    #[error("the file is no JSON: {0}")]
    Json(#[from] BoundsError),
    /// The file holds something else than an object.
    #[error("the file is no JSON object")]
    NotAnObject,
    /// A switch is wrong.
    #[error(transparent)]
    Switch(#[from] SwitchError),
    /// A hook is wrong.
    #[error(transparent)]
    Hook(#[from] HookConfigError),
}

impl Settings {
    /// Reads a settings file.
    ///
    /// # Errors
    /// When the file cannot be read or a part that governs calls is wrong.
    pub fn load(path: &Path) -> Result<Self, SettingsError> {
        Self::parse(&regular::read(path, MOST + 1)?)
    }

    /// Reads settings from memory.
    ///
    /// # Errors
    /// When the text is no JSON object or a part that governs calls is wrong.
    pub fn parse(bytes: &[u8]) -> Result<Self, SettingsError> {
        let limits = bounds::Limits {
            bytes: usize::try_from(MOST).unwrap_or(usize::MAX),
            ..bounds::Limits::default()
        };
        let settings = bounds::read(bytes, &limits)?;
        let settings = settings.as_object().ok_or(SettingsError::NotAnObject)?;
        let tools = match settings.get("tools") {
            Some(block) => PolicyToolSet::from_settings(block)?,
            None => PolicyToolSet::everything(),
        };
        let (hooks, events_elsewhere) = match settings.get("hooks") {
            Some(block) => specs(block)?,
            None => (Vec::new(), Vec::new()),
        };
        Ok(Self {
            tools,
            hooks,
            events_elsewhere,
        })
    }
}
