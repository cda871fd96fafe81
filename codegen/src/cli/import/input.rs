//! The texts to import: files as they are named on the command line, and standard input.

use std::{
    fs::File,
    io::{self, Read},
    path::{Component, Path},
};

use toolcontract_manifest::import::MAX_BYTES;

/// One text.
#[derive(Debug)]
pub(super) struct Input {
    /// The file as messages and manifests name it: as it was given, or its name alone where it
    /// was given from the root.
    pub(super) file: String,
    /// Its bytes, at most one more than an import reads.
    pub(super) bytes: io::Result<Vec<u8>>,
}

/// Reads what `path` names; `-` is `stdin`.
pub(super) fn read(path: &Path, stdin: &mut dyn Read) -> Input {
    if path == Path::new("-") {
        return Input {
            file: "stdin".to_owned(),
            bytes: bounded(stdin),
        };
    }
    Input {
        file: label(path),
        bytes: File::open(path).and_then(|mut file| bounded(&mut file)),
    }
}

fn bounded(from: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX);
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A path without what depends on the machine.
fn label(path: &Path) -> String {
    let name = || path.file_name().map(|n| n.to_string_lossy().into_owned());
    if path.is_absolute() {
        return name().unwrap_or_default();
    }
    let steps: Vec<_> = path
        .components()
        .filter(|step| !matches!(step, Component::CurDir))
        .map(|step| step.as_os_str().to_string_lossy())
        .collect();
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_depends_on_no_machine() {
        for (path, expected) in [
            ("tools.json", "tools.json"),
            ("./lists/tools.json", "lists/tools.json"),
            ("../tools.json", "../tools.json"),
            ("/home/me/tools.json", "tools.json"),
        ] {
            assert_eq!(label(Path::new(path)), expected);
        }
    }

    #[test]
    fn standard_input_is_read_where_it_is_asked_for() {
        let mut stdin: &[u8] = b"[]";
        let read = read(Path::new("-"), &mut stdin);
        assert_eq!(
            (read.file.as_str(), read.bytes.unwrap()),
            ("stdin", b"[]".to_vec())
        );
    }
}
