//! A file in memory, and what its path says it is.

use crate::{diagnostic::Diagnostic, fault, parse::Syntax};

/// A file: where it lies and what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Path relative to the project root, forward slashes: `manifests/tools/grep.toml`.
    pub path: String,
    /// The bytes, as they are on the disk.
    pub bytes: Vec<u8>,
}

/// What a file states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Project,
    Tool,
    Event,
    Type,
}

/// The folder that is read, and the only one.
pub(crate) const MANIFESTS: &str = "manifests";

/// The project file.
pub(crate) const PROJECT: &str = "manifests/toolcontract.toml";

/// What else may lie in `manifests/`: the lock, which the writer keeps.
const LOCK: &str = "contracts.lock";

/// The kind of the file at `path`; none for a file that is nobody's business: hidden, a
/// `README.md`, the lock.
///
/// # Errors
/// The finding, for a path that nothing reads.
pub(crate) fn kind(path: &str) -> Result<Option<Kind>, Diagnostic> {
    let parts: Vec<&str> = path.split('/').collect();
    let odd = |part: &&str| matches!(*part, "" | "." | "..") || part.contains('\\');
    if parts.first() != Some(&MANIFESTS) || parts.iter().any(odd) {
        return Err(fault::path_outside_manifests(path));
    }
    if is_ignored(&parts) {
        return Ok(None);
    }
    match parts.as_slice() {
        [_, "toolcontract.toml"] => Ok(Some(Kind::Project)),
        [_, LOCK] => Ok(None),
        [_, folder, _] if folder_kind(folder).is_some() => match Syntax::of_path(path) {
            Some(_) => Ok(folder_kind(folder)),
            None => Err(fault::unexpected_file(
                path,
                &format!("`{MANIFESTS}/{folder}/` holds `.toml` and `.json` files"),
            )),
        },
        [_, _] => Err(fault::unexpected_file(
            path,
            "`manifests/` holds `toolcontract.toml`, `contracts.lock` and the folders `tools`, `events` and `types`",
        )),
        [root, folder, ..] if folder_kind(folder).is_none() => {
            Err(unexpected_folder(&format!("{root}/{folder}")))
        }
        [root, folder, inner, ..] => Err(unexpected_folder(&format!("{root}/{folder}/{inner}"))),
        [] | [_] => Err(fault::path_outside_manifests(path)),
    }
}

/// The finding for a folder that nothing reads; none for one that is read or hidden.
pub(crate) fn folder_fault(path: &str) -> Option<Diagnostic> {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        [_] => None,
        [_, folder] if folder_kind(folder).is_some() => None,
        parts if is_ignored(parts) => None,
        _ => Some(unexpected_folder(path)),
    }
}

/// Whether a file or folder of this name is left alone.
pub(crate) fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

fn is_ignored(parts: &[&str]) -> bool {
    parts.iter().any(|part| is_hidden(part)) || parts.last() == Some(&"README.md")
}

fn folder_kind(name: &str) -> Option<Kind> {
    match name {
        "tools" => Some(Kind::Tool),
        "events" => Some(Kind::Event),
        "types" => Some(Kind::Type),
        _ => None,
    }
}

fn unexpected_folder(path: &str) -> Diagnostic {
    fault::unexpected_folder(
        path,
        "`manifests/` holds the folders `tools`, `events` and `types`, and those hold files only",
    )
}

/// The name of the file at `path` without its folder and its last extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Result<Option<Kind>, &str>) {
        assert_eq!(kind(path).map_err(|f| f.rule), expected, "{path}");
    }

    #[test]
    fn a_path_says_what_a_file_states() {
        check("manifests/toolcontract.toml", Ok(Some(Kind::Project)));
        check("manifests/tools/grep.toml", Ok(Some(Kind::Tool)));
        check("manifests/events/file.created.json", Ok(Some(Kind::Event)));
        check("manifests/types/page.toml", Ok(Some(Kind::Type)));
    }

    #[test]
    fn what_belongs_to_others_is_left_alone() {
        for path in [
            "manifests/contracts.lock",
            "manifests/README.md",
            "manifests/tools/README.md",
            "manifests/tools/.grep.toml.swp",
            "manifests/.cache/x/y.toml",
        ] {
            check(path, Ok(None));
        }
    }

    #[test]
    fn everything_else_is_a_fault() {
        check("manifests/policy.toml", Err("unexpected-file"));
        check("manifests/tools/grep.yaml", Err("unexpected-file"));
        check("manifests/tools/grep", Err("unexpected-file"));
        check("manifests/tool/grep.toml", Err("unexpected-folder"));
        check("manifests/tools/search/grep.toml", Err("unexpected-folder"));
        for path in [
            "manifests",
            "",
            "src/x.toml",
            "manifests/../x.toml",
            "/manifests/tools/x.toml",
            "manifests/tools/a\\b.toml",
        ] {
            check(path, Err("path-outside-manifests"));
        }
    }

    #[test]
    fn a_stem_keeps_inner_dots() {
        assert_eq!(
            stem("manifests/events/tool.call.progress.toml"),
            "tool.call.progress"
        );
        assert_eq!(stem("manifests/tools/grep.toml"), "grep");
    }
}
