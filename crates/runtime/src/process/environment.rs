//! What a command finds in its environment: names that were listed, and nothing else of ours.

use std::{
    collections::BTreeMap,
    env,
    ffi::{OsStr, OsString},
    path::Path,
};

/// Names that programs need to work at all, and that hold no secret.
const ORDINARY: [&str; 18] = [
    "CARGO_HOME",
    "HOME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
    "LOGNAME",
    "PATH",
    "RUSTUP_HOME",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
];

/// The environment of a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// The ordinary variables of this process (path, home, language, terminal, user) and those
    /// that `also` names. Entries of `PATH` that are not absolute are left out: they would find
    /// programs in whatever folder the command runs in.
    #[must_use]
    pub fn inherited<'n>(also: impl IntoIterator<Item = &'n str>) -> Self {
        let names = ORDINARY.into_iter().chain(also);
        let variables = names.filter_map(|name| Some((name.into(), env::var_os(name)?)));
        let mut environment = Self {
            variables: variables.collect(),
        };
        if let Some(path) = environment.variables.get_mut(OsStr::new("PATH")) {
            *path = absolute_only(path);
        }
        environment
    }

    /// The same with `name` set to `value`.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// The value of `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables
            .get(OsStr::new(name))
            .map(OsString::as_os_str)
    }

    /// Every variable, in the order of names.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables
            .iter()
            .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}

fn absolute_only(path: &OsStr) -> OsString {
    let absolute = env::split_paths(path).filter(|entry| Path::is_absolute(entry));
    // Nothing that was split holds a separator.
    env::join_paths(absolute).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_loses_its_relative_entries() {
        assert_eq!(absolute_only(OsStr::new("/a::.:b:/c")), "/a:/c");
        assert_eq!(absolute_only(OsStr::new("")), "");
    }

    #[test]
    fn only_listed_names_are_there() {
        let environment = Environment::inherited(["CARGO_PKG_NAME"]);
        // Cargo sets both for a test.
        assert!(environment.get("CARGO_PKG_NAME").is_some());
        assert!(env::var_os("CARGO_PKG_VERSION").is_some());
        assert!(environment.get("CARGO_PKG_VERSION").is_none());
    }
}
