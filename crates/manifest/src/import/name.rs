//! The name of a manifest, from the name as served.
//!
//! A pure function of server and name, so it depends on no other tool and no order. A name that
//! may stand as it is stands; every other becomes words and eight digits of its digest. A served
//! name that already looks like that gets digits too, so no two names meet but by their digests,
//! and those that do are told (`settle`).

use heck::ToSnakeCase as _;
use toolcontract_schema::digest::hex;

use crate::names::{self, LONGEST};

/// Digits of the digest.
const DIGITS: usize = 8;

/// The name of the manifest of the tool that `server` serves as `wire_name`: fit, not reserved,
/// and different for different names.
///
/// With a server its name comes first: `github` and `search_code` are `github_search_code`.
///
/// ```
/// use toolcontract_manifest::import::canonical;
///
/// assert_eq!(canonical(None, "read_file"), "read_file");
/// assert_eq!(canonical(Some("fs"), "read_file"), "fs_read_file");
/// assert_eq!(canonical(None, "readFile"), "read_file_11f9ed36");
/// ```
#[must_use]
pub fn canonical(server: Option<&str>, wire_name: &str) -> String {
    match exact(server, wire_name) {
        Some(name) => name,
        None => spelled(server, wire_name),
    }
}

/// Whether `server` may be the name of a server: 1 to 64 of `A-Z a-z 0-9 _ - .`, starting and
/// ending with a letter or a digit.
#[must_use]
pub fn is_server(server: &str) -> bool {
    let edge = |c: char| c.is_ascii_alphanumeric();
    (1..=64).contains(&server.len())
        && server.starts_with(edge)
        && server.ends_with(edge)
        && server
            .chars()
            .all(|c| edge(c) || matches!(c, '_' | '-' | '.'))
}

/// The name as it stands, where nothing is lost: a server without `_` ends at the first one.
fn exact(server: Option<&str>, wire_name: &str) -> Option<String> {
    let name = match server {
        None => wire_name.to_owned(),
        Some(server) if !server.contains('_') => format!("{server}_{wire_name}"),
        Some(_) => return None,
    };
    let fits = names::tool(&name).is_ok() && names::reserved(&name).is_none();
    (fits && !looks_spelled(&name)).then_some(name)
}

/// Words of both names, cut where they are long, and the digits.
fn spelled(server: Option<&str>, wire_name: &str) -> String {
    let whole = match server {
        None => wire_name.to_owned(),
        // No name holds a NUL, so no pair has the bytes of another.
        Some(server) => format!("{server}\0{wire_name}"),
    };
    let digest = hex(whole.as_bytes());
    let ascii: String = whole
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let mut words = ascii.to_snake_case();
    if !words.starts_with(|c: char| c.is_ascii_lowercase()) {
        words = format!("tool_{words}");
    }
    words.truncate(LONGEST - DIGITS - 1);
    let words = words.trim_end_matches('_');
    format!("{words}_{}", digest.get(..DIGITS).unwrap_or(&digest))
}

/// Whether a name ends in `_` and as many hexadecimal digits as a spelled one.
fn looks_spelled(name: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, 'a'..='f');
    name.rsplit_once('_')
        .is_some_and(|(_, tail)| tail.len() == DIGITS && tail.chars().all(is_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stands() {
        for name in ["read_file", "a_", "get_2024"] {
            assert_eq!(canonical(None, name), name);
        }
        assert_eq!(canonical(Some("git"), "delete"), "git_delete");
    }

    #[test]
    fn the_rest_is_spelled_with_digits() {
        for (name, words) in [
            ("respondToEvent", "respond_to_event"),
            ("calendar.respondToEvent", "calendar_respond_to_event"),
            ("mcp__trusted__delete", "mcp_trusted_delete"),
            ("Summarize Detection", "summarize_detection"),
            ("__proto__", "proto"),
            ("delete", "delete"),
            ("x", "x"),
            ("3d-print", "tool_3d_print"),
            ("...", "tool"),
            ("commit_20240101", "commit_20240101"),
        ] {
            let full = canonical(None, name);
            assert!(looks_spelled(&full), "{full}");
            assert_eq!(full.rsplit_once('_').unwrap().0, words);
            assert_eq!(names::tool(&full), Ok(()), "{full}");
        }
    }

    #[test]
    fn a_server_cannot_borrow_from_a_name() {
        let all = [
            canonical(Some("acme_"), "status"),
            canonical(Some("acme"), "_status"),
            canonical(Some("a__b"), "c"),
            canonical(Some("a"), "b__c"),
            canonical(Some("a_b"), "c"),
            canonical(Some("a"), "b_c"),
        ];
        let unique: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(unique.len(), all.len(), "{all:?}");
    }

    #[test]
    fn servers() {
        assert!(is_server("awslabs.aws-iac-mcp-server") && is_server("a"));
        for bad in ["", "_a", "a-", "a b", "a/b", "\u{e9}", &"a".repeat(65)] {
            assert!(!is_server(bad), "{bad}");
        }
    }
}
