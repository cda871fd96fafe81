//! The parts of a settings file that govern calls: `tools` and `hooks`. Everything else in the
//! file is somebody else's and is left alone.

use std::{collections::BTreeMap, io, path::Path};

use toolcontract_manifest::parse::{Syntax, parse};
use toolcontract_protocol::ToolContract;
use toolcontract_schema::{
    bounds::{self, BoundsError},
    pointer::join,
};

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
    /// Where each switch stands.
    lines: BTreeMap<String, usize>,
}

/// A switch that is about nothing that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownSwitch {
    /// What it names.
    pub key: String,
    /// Line of the switch in the file, from 1; none where a file nests too deep for places.
    pub line: Option<usize>,
    /// The tool or group that was probably meant.
    pub meant: Option<String>,
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
        let (tools, lines) = match settings.get("tools") {
            Some(block) => (PolicyToolSet::from_settings(block)?, lines(bytes)),
            None => (PolicyToolSet::everything(), BTreeMap::new()),
        };
        let (hooks, events_elsewhere) = match settings.get("hooks") {
            Some(block) => specs(block)?,
            None => (Vec::new(), Vec::new()),
        };
        Ok(Self {
            tools,
            hooks,
            events_elsewhere,
            lines,
        })
    }

    /// The switches that name neither a tool nor a group of `contracts`, as
    /// [`PolicyToolSet::unknown`] has them.
    #[must_use]
    pub fn unknown_switches<'c>(
        &self,
        contracts: impl IntoIterator<Item = &'c ToolContract>,
    ) -> Vec<UnknownSwitch> {
        let contracts: Vec<&ToolContract> = contracts.into_iter().collect();
        let unknown = self.tools.unknown(contracts.iter().copied()).into_iter();
        let told = unknown.map(|key| UnknownSwitch {
            line: self.lines.get(&key).copied(),
            meant: PolicyToolSet::meant(&key, contracts.iter().copied()),
            key,
        });
        told.collect()
    }
}

/// The line of each switch. What this reader does not take stops nothing: the file was read.
fn lines(bytes: &[u8]) -> BTreeMap<String, usize> {
    let document = parse("settings.json", Syntax::Json, bytes).document;
    let switches = document.node("/tools").map(|block| block.members());
    let line = |key: &str| {
        let span = document.key_span(&join("/tools", key));
        document.position(span.start).line
    };
    let switches = switches.unwrap_or_default().iter();
    switches
        .map(|switch| (switch.key.clone(), line(&switch.key)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(String, Option<usize>, Option<String>)> {
        let settings = Settings::parse(text.as_bytes()).expect("settings");
        let mut served =
            ToolContract::declared("mcp__files__read", "Reads.", serde_json::json!({}));
        served.group = Some("file".to_owned());
        let bash = ToolContract::declared("bash", "Runs.", serde_json::json!({}));
        let unknown = settings.unknown_switches([&served, &bash]);
        let parts = unknown.into_iter().map(|u| (u.key, u.line, u.meant));
        parts.collect()
    }

    #[test]
    fn a_switch_about_nothing_is_told_with_its_line_and_what_was_meant() {
        let text = "{\n \"tools\": {\n  \"bash\": \"off\",\n  \"Bash\": \"off\", \"fiel\": \"off\",\n  \"mcp__files__raed\": \"off\",\n  \"zzzzzz\": \"off\"\n } }";
        let slip = |key: &str, line, meant: Option<&str>| {
            (key.to_owned(), Some(line), meant.map(str::to_owned))
        };
        assert_eq!(
            told(text),
            [
                slip("Bash", 4, Some("bash")),
                slip("fiel", 4, Some("file")),
                slip("mcp__files__raed", 5, Some("mcp__files__read")),
                slip("zzzzzz", 6, None),
            ]
        );
    }

    #[test]
    fn switches_of_what_is_there_or_may_come_are_not_told() {
        let text = r#"{"tools":{"bash":"off","file":"off","mcp":"on","custom":"off","*":"on","mcp__later__x":"off","mcp__files__read":"off"}}"#;
        assert_eq!(told(text), []);
    }
}
