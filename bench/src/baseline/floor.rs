//! What no generator can beat: reading every manifest, and reading every output and comparing it
//! with bytes in memory.

use std::{fs, hint::black_box, path::Path};

use crate::Failure;

/// Reads both folders whole, and compares each file of the second with a copy of it.
///
/// # Errors
/// When the disk fails.
pub fn read_and_compare(manifests: &Path, generated: &Path) -> Result<(), Failure> {
    each_file(manifests, &mut |bytes| {
        black_box(bytes);
    })?;
    each_file(generated, &mut |bytes| {
        let wanted = black_box(bytes.clone());
        black_box(wanted == bytes);
    })
}

fn each_file(folder: &Path, visit: &mut dyn FnMut(Vec<u8>)) -> Result<(), Failure> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            each_file(&entry.path(), visit)?;
        } else {
            visit(fs::read(entry.path())?);
        }
    }
    Ok(())
}
