//! Servers in a file: which there are, how each is started or reached, how long it may take.
//!
//! Refuses keys that it does not know, names that could make two tools one, and servers of which it
//! is not said where they are. Values of variables stand in no such file unless somebody writes
//! them there: `pass_env` names what the server may see of this process, `bearer_env` and
//! `header_env` what is sent to one elsewhere.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;
use toolcontract_protocol::contradiction::duplicates;

#[cfg(feature = "mcp-http")]
use super::{Address, AddressError};
use super::{CALL, Configured, Program, START, Upstream, is_name};
use crate::{process::Environment, text::one_line};

/// The longest that a call, or a start, may take, in seconds.
const MAX_TIME: u64 = 3_600;

/// Why a file of servers cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// It is no TOML, or not of this form.
    #[error("{0}")]
    Unreadable(String),
    /// There is nothing in it.
    #[error("there is no server; write `[servers.NAME]` with a `command` or a `url`")]
    Empty,
    /// A name that is none.
    #[error("`{}` cannot name a server: 1 to 64 of `A-Z a-z 0-9 _ - .`, a letter or digit at both ends, no `__`", one_line(.0, 80))]
    Name(String),
    /// Two names that are one when case is folded.
    #[error("the names `{0}` and `{1}` are one to a person; rename one")]
    SameName(String, String),
    /// Neither where it is, nor how it is started, or both.
    #[error("server `{0}`: it has either a `command` or a `url`")]
    NoPlace(String),
    /// A server without a program.
    #[error("server `{0}`: `command` names no program")]
    NoProgram(String),
    /// A key that is about the other kind of server.
    #[error("server `{server}`: `{key}` is for servers with a `{place}`")]
    Misplaced {
        /// The server.
        server: String,
        /// The key.
        key: &'static str,
        /// What it goes with.
        place: &'static str,
    },
    /// An address that cannot be used.
    #[cfg(feature = "mcp-http")]
    #[error("server `{server}`: {error}")]
    Address {
        /// The server.
        server: String,
        /// What is wrong.
        error: AddressError,
    },
    /// This program reaches no server over HTTP.
    #[cfg(not(feature = "mcp-http"))]
    #[error("server `{0}`: this program reaches no server by a `url`")]
    NoHttp(String),
    /// A time that is none.
    #[error("server `{server}`: `{key}` is 1 to {MAX_TIME}")]
    Time {
        /// The server.
        server: String,
        /// The key.
        key: &'static str,
    },
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
    #[serde(default)]
    command: Option<Vec<String>>,
    /// The folder in which it runs.
    #[serde(default)]
    folder: Option<PathBuf>,
    /// Variables that are set for it.
    #[serde(default)]
    env: Option<BTreeMap<String, String>>,
    /// Variables of this process that it may see.
    #[serde(default)]
    pass_env: Option<Vec<String>>,
    /// Where it is instead.
    #[serde(default)]
    url: Option<String>,
    /// The variable that holds its bearer token.
    #[serde(default)]
    bearer_env: Option<String>,
    /// Headers of each request.
    #[serde(default)]
    headers: Option<BTreeMap<String, String>>,
    /// Headers of each request, and the variables that hold their values.
    #[serde(default)]
    header_env: Option<BTreeMap<String, String>>,
    #[serde(default)]
    start_seconds: Option<u64>,
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
    let time = |key, seconds, usual| match seconds {
        None => Ok(usual),
        Some(seconds @ 1..=MAX_TIME) => Ok(Duration::from_secs(seconds)),
        Some(_) => Err(ConfigError::Time {
            server: name.clone(),
            key,
        }),
    };
    let start_time = time("start_seconds", server.start_seconds, START)?;
    let call_time = time("call_seconds", server.call_seconds, CALL)?;
    let of_programs = [
        ("folder", server.folder.is_some()),
        ("env", server.env.is_some()),
        ("pass_env", server.pass_env.is_some()),
    ];
    let of_addresses = [
        ("bearer_env", server.bearer_env.is_some()),
        ("headers", server.headers.is_some()),
        ("header_env", server.header_env.is_some()),
    ];
    let misplaced = |keys: [(&'static str, bool); 3], place| {
        let found = keys.into_iter().find(|(_, is_there)| *is_there);
        found.map_or(Ok(()), |(key, _)| {
            Err(ConfigError::Misplaced {
                server: name.clone(),
                key,
                place,
            })
        })
    };
    let upstream = match (&server.command, &server.url) {
        (Some(_), None) => {
            misplaced(of_addresses, "url")?;
            Upstream::Program(program(&name, server, base)?)
        }
        (None, Some(_)) => {
            misplaced(of_programs, "command")?;
            address(&name, server)?
        }
        _ => return Err(ConfigError::NoPlace(name)),
    };
    Ok(Configured {
        name,
        upstream,
        start_time,
        call_time,
    })
}

fn program(name: &str, server: Server, base: &Path) -> Result<Program, ConfigError> {
    let command = server.command.unwrap_or_default();
    if command.first().is_none_or(String::is_empty) {
        return Err(ConfigError::NoProgram(name.to_owned()));
    }
    let visible = server.pass_env.unwrap_or_default();
    let inherited = Environment::inherited(visible.iter().map(String::as_str));
    let set = server.env.unwrap_or_default().into_iter();
    let environment = set.fold(inherited, |all, (key, value)| all.with(key, value));
    Ok(Program {
        argv: command.into_iter().map(OsString::from).collect(),
        folder: Some(base.join(server.folder.unwrap_or_default())),
        environment,
    })
}

#[cfg(feature = "mcp-http")]
fn address(name: &str, server: Server) -> Result<Upstream, ConfigError> {
    let read = || -> Result<Upstream, AddressError> {
        let mut address = Address::new(&server.url.unwrap_or_default())?;
        if let Some(variable) = server.bearer_env {
            address = address.with_bearer(variable);
        }
        for (header, value) in server.headers.unwrap_or_default() {
            address = address.with_header(&header, &value)?;
        }
        for (header, variable) in server.header_env.unwrap_or_default() {
            address = address.with_secret_header(&header, variable)?;
        }
        Ok(Upstream::Address(address))
    };
    read().map_err(|error| ConfigError::Address {
        server: name.to_owned(),
        error,
    })
}

#[cfg(not(feature = "mcp-http"))]
fn address(name: &str, _: Server) -> Result<Upstream, ConfigError> {
    Err(ConfigError::NoHttp(name.to_owned()))
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
            start_seconds = 7
        "#;
        let servers = read(text).unwrap();
        let names: Vec<&str> = servers.iter().map(|server| server.name.as_str()).collect();
        assert_eq!(names, ["b", "files"]);
        let files = &servers[1];
        let Upstream::Program(program) = &files.upstream else {
            panic!("{files:?}");
        };
        assert_eq!(program.folder.as_deref(), Some(Path::new("/base/work")));
        assert_eq!(program.environment.get("KEY"), Some("value".as_ref()));
        assert_eq!(
            (files.start_time, files.call_time),
            (START, Duration::from_secs(5))
        );
        assert_eq!(
            (servers[0].start_time, servers[0].call_time),
            (Duration::from_secs(7), CALL)
        );
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (text, told) in [
            ("", "there is no server"),
            ("[servers.a]\ncomand = ['a']", "unknown field `comand`"),
            ("[servers.a]", "either a `command` or a `url`"),
            (
                "[servers.a]\ncommand = ['a']\nurl = 'https://a/'",
                "either a `command` or a `url`",
            ),
            (
                "[servers.a]\ncommand = ['a']\nbearer_env = 'A'",
                "`bearer_env` is for servers with a `url`",
            ),
            (
                "[servers.a]\nurl = 'https://a/'\npass_env = ['A']",
                "`pass_env` is for servers with a `command`",
            ),
            (
                "[servers.a]\ncommand = ['a']\nstart_seconds = 9999",
                "`start_seconds` is 1 to 3600",
            ),
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
    #[cfg(feature = "mcp-http")]
    #[test]
    fn servers_elsewhere_are_read() {
        let text = r#"
            [servers.issues]
            url = "https://issues.example/mcp"
            bearer_env = "ISSUE_TOKEN"
            headers = { X-Team = "tools" }
            header_env = { X-Key = "ISSUE_KEY" }
        "#;
        let servers = read(text).unwrap();
        let identity = servers[0].upstream.identity();
        assert_eq!(
            identity,
            serde_json::json!({ "url": "https://issues.example/mcp" })
        );
        for (text, told) in [
            (
                "url = 'http://issues.example/'",
                "`http` is for this machine only",
            ),
            (
                "url = 'https://a/'\nheaders = { Authorization = 'Bearer x' }",
                "name the variable that it is in",
            ),
            (
                "url = 'https://a/'\nheader_env = { Host = 'X' }",
                "`Host` is no header that can be set",
            ),
        ] {
            let error = read(&format!("[servers.a]\n{text}")).unwrap_err();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
