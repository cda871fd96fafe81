//! Servers in a file: which there are, how each is started, how long its calls may take.
//!
//! Refuses keys that it does not know, names that could make two tools one, and commands without a
//! program. Values of variables stand in no such file unless somebody writes them there: `pass_env`
//! names what the server may see of this process.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;
use toolcontract_protocol::contradiction::duplicates;

use super::{CALL, Program, is_name};
use crate::{process::Environment, text::one_line};

/// The longest that a call may take, in seconds.
const MAX_CALL: u64 = 3_600;

/// One server.
#[derive(Debug, Clone)]
pub struct Configured {
    /// The name.
    pub name: String,
    /// How it is started.
    pub program: Program,
    /// How long one of its calls may take.
    pub call_time: Duration,
}

/// Why a file of servers cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// It is no TOML, or not of this form.
    #[error("{0}")]
    Unreadable(String),
    /// There is nothing in it.
    #[error("there is no server; write `[servers.NAME]` with a `command`")]
    Empty,
    /// A name that is none.
    #[error("`{}` cannot name a server: 1 to 64 of `A-Z a-z 0-9 _ - .`, a letter or digit at both ends, no `__`", one_line(.0, 80))]
    Name(String),
    /// Two names that are one when case is folded.
    #[error("the names `{0}` and `{1}` are one to a person; rename one")]
    SameName(String, String),
    /// A server without a program.
    #[error("server `{0}`: `command` names no program")]
    NoProgram(String),
    /// A time that is none.
    #[error("server `{0}`: `call_seconds` is 1 to {MAX_CALL}")]
    Time(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    servers: BTreeMap<String, Server>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Server {
    /// The program and its arguments.
    command: Vec<String>,
    /// The folder in which it runs.
    #[serde(default)]
    folder: Option<PathBuf>,
    /// Variables that are set for it.
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// Variables of this process that it may see.
    #[serde(default)]
    pass_env: Vec<String>,
    #[serde(default)]
    call_seconds: Option<u64>,
}

/// The servers in the text of a file, in the order of names. Folders are relative to `base`.
///
/// # Errors
/// The first thing that is wrong.
pub fn configured(text: &str, base: &Path) -> Result<Vec<Configured>, ConfigError> {
    let file: File = toml_edit::de::from_str(text)
        .map_err(|error| ConfigError::Unreadable(error.to_string().trim_end().to_owned()))?;
    if file.servers.is_empty() {
        return Err(ConfigError::Empty);
    }
    if let Some(same) = duplicates(file.servers.keys().map(String::as_str))
        .into_iter()
        .next()
    {
        return Err(ConfigError::SameName(same.first, same.second));
    }
    let servers = file.servers.into_iter();
    servers
        .map(|(name, server)| one(name, server, base))
        .collect()
}

fn one(name: String, server: Server, base: &Path) -> Result<Configured, ConfigError> {
    if !is_name(&name) {
        return Err(ConfigError::Name(name));
    }
    if server.command.first().is_none_or(String::is_empty) {
        return Err(ConfigError::NoProgram(name));
    }
    let call_time = match server.call_seconds {
        None => CALL,
        Some(seconds @ 1..=MAX_CALL) => Duration::from_secs(seconds),
        Some(_) => return Err(ConfigError::Time(name)),
    };
    let inherited = Environment::inherited(server.pass_env.iter().map(String::as_str));
    let environment = server
        .env
        .into_iter()
        .fold(inherited, |all, (key, value)| all.with(key, value));
    let folder = server.folder.unwrap_or_default();
    Ok(Configured {
        name,
        program: Program {
            argv: server.command.into_iter().map(OsString::from).collect(),
            folder: Some(base.join(folder)),
            environment,
        },
        call_time,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Configured>, String> {
        configured(text, Path::new("/base")).map_err(|error| error.to_string())
    }

    #[test]
    fn servers_are_read() {
        let text = r#"
            [servers.files]
            command = ["npx", "server", "."]
            folder = "work"
            env = { KEY = "value" }
            call_seconds = 5

            [servers.b]
            command = ["b"]
        "#;
        let servers = read(text).unwrap();
        let names: Vec<&str> = servers.iter().map(|server| server.name.as_str()).collect();
        assert_eq!(names, ["b", "files"]);
        let files = &servers[1];
        assert_eq!(
            files.program.folder.as_deref(),
            Some(Path::new("/base/work"))
        );
        assert_eq!(files.program.environment.get("KEY"), Some("value".as_ref()));
        assert_eq!(files.call_time, Duration::from_secs(5));
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (text, told) in [
            ("", "there is no server"),
            ("[servers.a]\ncomand = ['a']", "unknown field `comand`"),
            ("[servers.a]", "missing field `command`"),
            ("[servers.a]\ncommand = []", "`command` names no program"),
            ("[servers.a__b]\ncommand = ['a']", "cannot name a server"),
            (
                "[servers.a]\ncommand = ['a']\n[servers.A]\ncommand = ['b']",
                "are one to a person",
            ),
            (
                "[servers.a]\ncommand = ['a']\ncall_seconds = 0",
                "`call_seconds` is 1 to 3600",
            ),
            ("[servers.a", "TOML parse error"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
