//! A settings file as commands read it. A switch that is about nothing is told and stops nothing,
//! since the tool may come later; whatever else is wrong with the file stops the command.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use toolcontract_manifest::text::escape;
use toolcontract_protocol::ToolContract;
use toolcontract_runtime::policy::Settings;

use super::Failure;

/// What a settings file says about calls, and where it is.
#[derive(Debug, Clone)]
pub(super) struct SettingsFile {
    path: PathBuf,
    pub(super) settings: Settings,
}

impl SettingsFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read, or a part that governs calls is wrong.
    pub(super) fn load(path: &Path) -> Result<Self, Failure> {
        let settings = Settings::load(path)
            .map_err(|error| format!("settings `{}`: {error}", path.display()))?;
        Ok(Self {
            path: path.to_owned(),
            settings,
        })
    }

    /// Says which switches are about nothing of `contracts`: one with a slip in its name leaves
    /// the tool on. `what` says what that comes to.
    pub(super) fn tell<'c>(
        &self,
        contracts: impl IntoIterator<Item = &'c ToolContract>,
        what: &str,
        err: &mut dyn Write,
    ) -> io::Result<()> {
        let path = self.path.display().to_string();
        for switch in self.settings.unknown_switches(contracts) {
            let line = switch
                .line
                .map_or_else(String::new, |line| format!(":{line}"));
            let meant = switch.meant.map_or_else(String::new, |meant| {
                format!("; did you mean `{}`?", escape(&meant))
            });
            let (path, key) = (escape(&path), escape(&switch.key));
            writeln!(err, "{path}{line}: the switch `{key}` {what}{meant}")?;
        }
        Ok(())
    }
}

/// What a switch comes to that is about nothing.
pub(super) const SWITCHES_NOTHING: &str =
    "is the name of no tool and no group, and switches nothing";
