//! A new file: whole or not there. One that is there already is not replaced.

use std::{io::Write as _, path::Path};

use super::Failure;

/// Writes `text` to the new file `path`.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let fault = |error: std::io::Error| format!("`{}` cannot be made: {error}", path.display());
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut file = builder()
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .map_err(fault)?;
    file.write_all(text.as_bytes()).map_err(fault)?;
    file.persist_noclobber(path)
        .map_err(|error| fault(error.error))?;
    Ok(())
}

/// As readable as any other file that the user makes.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_there_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("policy.toml");
        write(&path, "one").unwrap();
        assert!(write(&path, "two").is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(&folder.path().join("no/policy.toml"), "one").is_err());
    }
}
