//! `cargo xtask gen` in a fresh clone, from nothing built.

use std::process::Command;

use crate::{
    Failure,
    measure::{self, repository, scratch},
};

/// Clones the committed state, builds and generates.
pub fn clone() -> Result<(), Failure> {
    let folder = scratch("fresh")?;
    let clone = folder.join("clone");
    let cloned = Command::new("git")
        .args(["clone", "--quiet"])
        .arg(repository())
        .arg(&clone)
        .status()?;
    if !cloned.success() {
        return Err("`git clone` failed".into());
    }
    let cost = measure::once(
        Command::new("cargo")
            .args(["xtask", "gen"])
            .current_dir(&clone),
        0,
    )?;
    measure::print(&[("cargo xtask gen, nothing built".to_owned(), cost)]);
    let tree = Command::new("cargo")
        .args([
            "tree",
            "--package",
            "xtask",
            "--edges",
            "normal,build",
            "--prefix",
            "none",
            "--no-dedupe",
            "--locked",
        ])
        .current_dir(&clone)
        .output()?;
    let text = String::from_utf8_lossy(&tree.stdout);
    let mut crates: Vec<&str> = text
        .lines()
        .map(|line| line.trim_end_matches(" (*)"))
        .collect();
    crates.sort_unstable();
    crates.dedup();
    println!("{} crates", crates.len());
    Ok(())
}
