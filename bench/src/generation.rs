//! Generation of all surfaces, then a check with nothing to do.

use std::{env, path::Path, process::Command};

use crate::{Failure, measure, peers, synthetic};

/// 500 contracts, beside typify, the npm peers, and the floor.
pub fn synthetic() -> Result<(), Failure> {
    let binary = measure::toolcontract()?;
    let root = measure::scratch("synthetic")?;
    let schemas = root.join("schemas");
    synthetic::write_schemas(&schemas)?;
    let project = root.join("project");

    let mut rows = Vec::new();
    let own = env::current_exe()?;
    rows.push((
        "typify (Rust only)".to_owned(),
        measure::best(3, 0, || {
            let mut command = Command::new(&own);
            command
                .arg("--typify")
                .arg(&schemas)
                .arg(root.join("typify"));
            Ok(command)
        })?,
    ));
    rows.push((
        "toolcontract gen, seven surfaces".to_owned(),
        measure::best(3, 0, || {
            if project.exists() {
                std::fs::remove_dir_all(&project)?;
            }
            synthetic::write_project(&project)?;
            Ok(gen_in(&binary, &project, &["gen", "--init-lock"]))
        })?,
    ));
    rows.push((
        "toolcontract gen --check, nothing to do".to_owned(),
        measure::best(3, 0, || Ok(gen_in(&binary, &project, &["gen", "--check"])))?,
    ));
    rows.push((
        "floor: read all, compare all".to_owned(),
        measure::best(3, 0, || {
            let mut command = Command::new(&own);
            command
                .arg("--floor")
                .arg(project.join("manifests"))
                .arg(project.join("generated"));
            Ok(command)
        })?,
    ));
    rows.extend(peers::run(&schemas)?);
    measure::print(&rows);
    Ok(())
}

/// The catalog of this repository, with nothing to do.
pub fn catalog() -> Result<(), Failure> {
    let binary = measure::toolcontract()?;
    let root = measure::repository();
    let cost = measure::best(5, 0, || Ok(gen_in(&binary, &root, &["gen", "--check"])))?;
    measure::print(&[("toolcontract gen --check, the catalog".to_owned(), cost)]);
    Ok(())
}

fn gen_in(binary: &Path, root: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(binary);
    command.args(words).current_dir(root);
    command
}
