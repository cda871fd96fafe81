//! Generated TypeScript packages: how they find what they need, and how they are checked and built.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{Failure, measure::repository};

/// The command that type-checks the package in `folder`.
///
/// # Errors
/// When what it needs cannot be installed.
pub fn type_check(folder: &Path) -> Result<Command, Failure> {
    let mut command = compiler(folder)?;
    command.arg("--noEmit");
    Ok(command)
}

/// Compiles the package in `folder` into its `dist`.
///
/// # Errors
/// When it does not compile.
pub fn build(folder: &Path) -> Result<(), Failure> {
    if compiler(folder)?.status()?.success() {
        Ok(())
    } else {
        Err(format!("`{}` does not compile", folder.display()).into())
    }
}

fn compiler(folder: &Path) -> Result<Command, Failure> {
    let modules = modules()?;
    let link = folder.join("node_modules");
    if !link.exists() {
        std::os::unix::fs::symlink(&modules, link)?;
    }
    let mut command = Command::new("node");
    command
        .arg(modules.join("typescript/bin/tsc"))
        .arg("-p")
        .arg(folder);
    Ok(command)
}

/// What the tests have installed.
///
/// # Errors
/// When it cannot be installed.
pub fn modules() -> Result<PathBuf, Failure> {
    let js = repository().join("tests/js");
    if !js.join("node_modules").exists() {
        let installed = Command::new("npm")
            .args(["ci", "--silent", "--no-audit", "--no-fund"])
            .current_dir(&js)
            .status()?;
        if !installed.success() {
            return Err("`npm ci` in tests/js failed".into());
        }
    }
    Ok(js.join("node_modules").canonicalize()?)
}
