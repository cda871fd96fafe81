//! Where files may go: paths inside a surface folder, and folders that a surface may own.

use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

use super::{
    IGNORED_FOLDERS,
    disk::{Disk, Kind, is_temporary},
    error::WriteError,
    listing::LISTING,
    plan::Surface,
    state,
};
use crate::emit::FileSet;

/// Why no file of a surface may have this path; none when it may.
pub(super) fn fault(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("a path is not empty");
    }
    if path.contains(|c: char| c.is_control() || c == '\\' || c == ':') {
        return Some("a path holds no backslash, colon or control character");
    }
    for name in path.split('/') {
        match name {
            "" | "." => return Some("a path is relative and in its shortest form"),
            ".." => return Some("a path stays inside its folder"),
            ".git" => return Some("a git repository's own files are not ours"),
            _ if is_temporary(name) => return Some("the name is one of a temporary file"),
            _ => {}
        }
    }
    if path.starts_with('#') || path == LISTING {
        return Some("the name is taken by the list of generated files");
    }
    None
}

/// Checks where every surface stands, before anything is made.
pub(super) fn check(root: &Path, surfaces: &[Surface], disk: &dyn Disk) -> Result<(), WriteError> {
    let mut owned: Vec<(&Surface, PathBuf)> = Vec::new();
    for surface in surfaces {
        let folder = check_out(root, surface, disk)?;
        for (other, taken) in &owned {
            if folder.starts_with(taken) || taken.starts_with(&folder) {
                return Err(WriteError::Shared {
                    first: other.id.clone(),
                    second: surface.id.clone(),
                    out: surface.out.clone(),
                });
            }
        }
        owned.push((surface, folder));
    }
    Ok(())
}

/// Checks what the surface `id` makes, before its folder is looked at.
pub(super) fn check_files(id: &str, files: &FileSet) -> Result<(), WriteError> {
    if let Some(path) = files.clashes().first() {
        return Err(WriteError::Twice {
            surface: id.to_owned(),
            path: path.clone(),
        });
    }
    // Folded path, of files and of every folder above them, to the spelling and whether it is a file.
    let mut taken: BTreeMap<String, (&str, bool)> = BTreeMap::new();
    for (path, _) in files.iter() {
        let foreign = path
            .split('/')
            .any(|name| IGNORED_FOLDERS.contains(&name))
            .then_some("a folder of that name belongs to another program");
        if let Some(reason) = fault(path).or(foreign) {
            return Err(WriteError::Path {
                surface: id.to_owned(),
                path: path.to_owned(),
                reason,
            });
        }
        for (spelling, is_file) in prefixes(path) {
            let (known, known_is_file) = *taken
                .entry(spelling.to_lowercase())
                .or_insert((spelling, is_file));
            if known != spelling || known_is_file != is_file {
                return Err(WriteError::Collide {
                    surface: id.to_owned(),
                    first: known.to_owned(),
                    second: path.to_owned(),
                });
            }
        }
    }
    Ok(())
}

/// `a/b/c` as `a`, `a/b`, `a/b/c`; the last is the file.
fn prefixes(path: &str) -> impl Iterator<Item = (&str, bool)> {
    path.match_indices('/')
        .filter_map(|(at, _)| path.get(..at))
        .map(|folder| (folder, false))
        .chain(std::iter::once((path, true)))
}

/// The folders above `path`, outermost first.
pub(super) fn parents(path: &str) -> impl Iterator<Item = &str> {
    prefixes(path)
        .filter(|(_, is_file)| !is_file)
        .map(|(folder, _)| folder)
}

/// The surface's folder as an absolute path with no `..` in it and case folded, for comparing only.
fn check_out(root: &Path, surface: &Surface, disk: &dyn Disk) -> Result<PathBuf, WriteError> {
    let refuse = |reason| WriteError::Out {
        surface: surface.id.clone(),
        out: surface.out.clone(),
        reason,
    };
    let names: Vec<&str> = surface.out.split('/').collect();
    let up = names.iter().take_while(|name| **name == "..").count();
    let down = names.get(up..).unwrap_or_default();
    if down.is_empty() {
        return Err(refuse("it must be a folder of its own"));
    }
    if let Some(reason) = fault(&down.join("/")) {
        return Err(refuse(reason));
    }
    let mut path = root.to_owned();
    path.extend(names.iter().take(up));
    let mut shown = vec![".."; up];
    for name in down {
        path.push(name);
        shown.push(name);
        let kind = disk
            .kind(&path)
            .map_err(|e| WriteError::io("look at", &shown.join("/"), e))?;
        match kind {
            Some(Kind::Link) => {
                return Err(WriteError::Link {
                    path: shown.join("/"),
                });
            }
            Some(Kind::File | Kind::Other) => {
                return Err(WriteError::InTheWay {
                    paths: vec![shown.join("/")],
                });
            }
            Some(Kind::Folder) | None => {}
        }
    }
    let (folder, root) = (folded(&path), folded(root));
    if root.starts_with(&folder) {
        return Err(refuse("it would own the whole project"));
    }
    for reserved in ["manifests", state::FOLDER] {
        let reserved = root.join(reserved);
        if folder.starts_with(&reserved) || reserved.starts_with(&folder) {
            return Err(refuse("that folder holds what the generator reads"));
        }
    }
    Ok(folder)
}

/// `path` without `..` and in lower case. `path` is absolute.
fn folded(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                plain.push(component);
            }
        }
    }
    PathBuf::from(plain.to_string_lossy().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::LocalDisk;

    fn surface(id: &str, out: &str, paths: &[&str]) -> Surface {
        let mut files = FileSet::default();
        for path in paths {
            files.add(*path, "");
        }
        Surface {
            id: id.to_owned(),
            out: out.to_owned(),
            files: files.into(),
        }
    }

    fn refusal(surfaces: &[Surface]) -> String {
        let root = Path::new("/nowhere/project");
        let files = |s: &Surface| check_files(&s.id, &s.files.get());
        check(root, surfaces, &LocalDisk)
            .and_then(|()| surfaces.iter().try_for_each(files))
            .map_or_else(|e| e.to_string(), |()| "fine".to_owned())
    }

    #[test]
    fn files_stay_inside_and_apart() {
        let files = |paths: &[&str]| refusal(&[surface("a", "out/a", paths)]);
        assert_eq!(files(&["src/x.rs", "src/y.rs", "z"]), "fine");
        for bad in [
            "../x",
            "a/../../x",
            "/x",
            "a//b",
            "./a",
            "a\\b",
            "c:x",
            "",
            ".git/config",
        ] {
            assert!(files(&[bad]).contains("makes `"), "{bad}");
        }
        assert!(files(&[".generated"]).contains("list of generated files"));
        assert!(files(&["x", "x"]).contains("twice"));
        assert!(files(&["Grep.rs", "grep.rs"]).contains("side by side"));
        assert!(files(&["A/x", "a/y"]).contains("side by side"));
        assert!(files(&["a", "a/b"]).contains("side by side"));
    }

    #[test]
    fn folders_are_owned_by_one() {
        let outs = |a: &str, b: &str| refusal(&[surface("a", a, &[]), surface("b", b, &[])]);
        assert_eq!(outs("g/a", "g/b"), "fine");
        assert_eq!(outs("g/a", "../other/packages/x"), "fine");
        for (a, b) in [
            ("g/a", "g/a"),
            ("g", "g/b"),
            ("g/b/c", "g/b"),
            ("g/A", "g/a"),
        ] {
            assert!(outs(a, b).contains("share"), "{a} {b}");
        }
        assert!(outs("g/a", "../project/g/a").contains("share"));
        for bad in ["", ".", "..", "/abs", "../..", "a/../b", "../project"] {
            assert!(outs("g/a", bad).contains("`out`"), "{bad}");
        }
        for bad in ["manifests", "manifests/x", ".toolcontract", ".git/x"] {
            assert!(outs("g/a", bad).contains("`out`"), "{bad}");
        }
    }
}
