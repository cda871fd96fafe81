//! What no generator can beat: reading every manifest, and reading and comparing every output.

use std::{fs, hint::black_box, path::Path};

use crate::Failure;

/// Reads both folders whole, each file of the second twice, and compares.
///
/// # Errors
/// When the disk fails.
pub fn read_and_compare(manifests: &Path, generated: &Path) -> Result<(), Failure> {
    let mut files = Vec::new();
    collect(manifests, &mut files)?;
    black_box(&files);
    let mut first = Vec::new();
    collect(generated, &mut first)?;
    let same = first.iter().all(|bytes| black_box(bytes) == bytes);
    println!(
        "{} manifests, {} outputs, same: {same}",
        files.len(),
        first.len()
    );
    Ok(())
}

fn collect(folder: &Path, into: &mut Vec<Vec<u8>>) -> Result<(), Failure> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, into)?;
        } else {
            into.push(fs::read(&path)?);
        }
    }
    Ok(())
}
