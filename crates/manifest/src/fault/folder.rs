//! Faults of the folder: what lies in it, and under which name.

use std::{path::Path, sync::Arc};

use super::quote;
use crate::{diagnostic::Diagnostic, document::Document};

/// `missing-project-file`.
pub const MISSING_PROJECT_FILE: &str = "missing-project-file";
/// `unexpected-file`.
pub const UNEXPECTED_FILE: &str = "unexpected-file";
/// `unexpected-folder`.
pub const UNEXPECTED_FOLDER: &str = "unexpected-folder";
/// `symbolic-link`.
pub const SYMBOLIC_LINK: &str = "symbolic-link";
/// `path-outside-manifests`.
pub const PATH_OUTSIDE_MANIFESTS: &str = "path-outside-manifests";
/// `name-differs-from-file`.
pub const NAME_DIFFERS_FROM_FILE: &str = "name-differs-from-file";
/// `stated-twice`.
pub const STATED_TWICE: &str = "stated-twice";

/// There is no `toolcontract.toml` in the folder that was looked in, where there was one.
#[must_use]
pub fn missing_project_file(path: &str, looked_in: Option<&Path>) -> Diagnostic {
    let place = match looked_in {
        Some(folder) => format!(" in {}", quote(&folder.to_string_lossy())),
        None => String::new(),
    };
    Diagnostic::about_file(
        MISSING_PROJECT_FILE,
        path,
        format!("there is no `{path}`{place}, so there is no catalog"),
    )
    .help("name the folder that holds `manifests/`, or start a project with `toolcontract init`")
}

/// A file that nothing reads. `expected` says what may lie there.
#[must_use]
pub fn unexpected_file(path: &str, expected: &str) -> Diagnostic {
    Diagnostic::about_file(UNEXPECTED_FILE, path, "nothing reads this file").help(format!(
        "{expected}; move it elsewhere, or let its name start with a dot"
    ))
}

/// A folder that nothing reads. `expected` says what may lie there.
#[must_use]
pub fn unexpected_folder(path: &str, expected: &str) -> Diagnostic {
    Diagnostic::about_file(UNEXPECTED_FOLDER, path, "nothing reads this folder").help(expected)
}

/// A symbolic link, wherever it leads.
#[must_use]
pub fn symbolic_link(path: &str) -> Diagnostic {
    Diagnostic::about_file(
        SYMBOLIC_LINK,
        path,
        "symbolic links are not followed, so that manifests are what the repository holds",
    )
    .help("put the file itself here")
}

/// A path that lies elsewhere.
#[must_use]
pub fn path_outside_manifests(path: &str) -> Diagnostic {
    Diagnostic::about_file(PATH_OUTSIDE_MANIFESTS, path, "the path leaves `manifests/`")
        .help("only files below `manifests/` are read")
}

/// The name that a file states is not the name of the file.
#[must_use]
pub fn name_differs_from_file(document: &Arc<Document>, name: &str, stem: &str) -> Diagnostic {
    let extension = document.path.rsplit('.').next().unwrap_or_default();
    Diagnostic::error(
        NAME_DIFFERS_FROM_FILE,
        document,
        document.span("/name"),
        format!("the name is {}, the file is {}", quote(name), quote(stem)),
    )
    .help(format!(
        "rename the file to {}, or the other way round",
        quote(&format!("{name}.{extension}"))
    ))
}

/// Two files state the same thing; `other` is the path of the first.
#[must_use]
pub fn stated_twice(path: &str, what: &str, other: &str) -> Diagnostic {
    Diagnostic::about_file(
        STATED_TWICE,
        path,
        format!("{what} is stated in {} as well", quote(other)),
    )
    .help("remove one of the two files")
}
