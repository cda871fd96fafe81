//! The only reader of the disk: the files below `manifests/`, in the order of their paths.
//!
//! Refuses to follow links, to enter other folders and to read more of a file than may be in it.

use std::{fs, io, io::Read as _, path::Path};

use crate::{
    diagnostic::Diagnostic,
    fault,
    parse::MAX_BYTES,
    source::{Kind, MANIFESTS, Source, folder_fault, is_hidden, kind},
};

/// The machine's fault, as opposed to the text's.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The disk did not give the file or the folder.
    #[error("cannot read `{path}`")]
    Read {
        /// Path relative to the project root.
        path: String,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Every file of `root/manifests` that states something, and what should not be there.
pub(crate) fn sources(root: &Path) -> Result<(Vec<Source>, Vec<Diagnostic>), LoadError> {
    let mut reader = Reader {
        root,
        sources: Vec::new(),
        findings: Vec::new(),
    };
    match fs::symlink_metadata(root.join(MANIFESTS)) {
        // Without the folder there is no project file either, and that is what is reported.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(MANIFESTS, error)),
        Ok(found) if found.is_symlink() => reader.findings.push(fault::symbolic_link(MANIFESTS)),
        Ok(_) => reader.folder(MANIFESTS)?,
    }
    reader.sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((reader.sources, reader.findings))
}

struct Reader<'a> {
    root: &'a Path,
    sources: Vec<Source>,
    findings: Vec<Diagnostic>,
}

impl Reader<'_> {
    /// Reads a folder; at most three deep, since deeper ones are a finding and not entered.
    fn folder(&mut self, folder: &str) -> Result<(), LoadError> {
        let entries = fs::read_dir(self.root.join(folder)).map_err(|e| failed(folder, e))?;
        for entry in entries {
            let entry = entry.map_err(|e| failed(folder, e))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_hidden(&name) {
                continue;
            }
            let path = format!("{folder}/{name}");
            // Of the entry itself: a link is not followed to learn what it leads to.
            let found = entry.file_type().map_err(|e| failed(&path, e))?;
            if found.is_symlink() {
                self.findings.push(fault::symbolic_link(&path));
            } else if found.is_dir() {
                match folder_fault(&path) {
                    Some(finding) => self.findings.push(finding),
                    None => self.folder(&path)?,
                }
            } else if found.is_file() {
                self.file(path, &entry.path())?;
            } else {
                let expected = "manifests are plain files";
                self.findings.push(fault::unexpected_file(&path, expected));
            }
        }
        Ok(())
    }

    fn file(&mut self, path: String, at: &Path) -> Result<(), LoadError> {
        match kind(&path) {
            Ok(Some(Kind::Project | Kind::Tool | Kind::Event | Kind::Type)) => {
                let bytes = bytes(at).map_err(|e| failed(&path, e))?;
                self.sources.push(Source { path, bytes });
            }
            Ok(None) => {}
            Err(finding) => self.findings.push(finding),
        }
        Ok(())
    }
}

/// What a file holds, and of one that is too large just enough to see that it is.
fn bytes(at: &Path) -> io::Result<Vec<u8>> {
    let file = fs::File::open(at)?;
    let expected = file.metadata()?.len().min(MAX_BYTES as u64 + 1);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn failed(path: &str, source: io::Error) -> LoadError {
    LoadError::Read {
        path: path.to_owned(),
        source,
    }
}
