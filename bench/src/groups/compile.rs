//! `cargo check` of the generated Rust of 500 contracts beside typify's output for the same
//! schemas: dependencies built, nothing incremental.

use std::{fs, path::Path, process::Command};

use super::Group;
use crate::{
    Failure, baseline,
    measure::{self, Cost},
    row::Row,
    synthetic,
};

pub const GROUP: Group = Group {
    name: "compile",
    about: "`cargo check` of the Rust of 500 contracts, beside typify's for the same schemas",
    run,
};

fn run() -> Result<Vec<Row>, Failure> {
    let binary = measure::toolcontract()?;
    let scratch = measure::scratch()?;

    let schemas = scratch.path().join("schemas");
    synthetic::write_schemas(&schemas)?;
    let typify = scratch.path().join("typify");
    baseline::typify::generate(&schemas, &typify.join("src"))?;
    fs::write(typify.join("Cargo.toml"), TYPIFY_CRATE)?;

    let project = scratch.path().join("project");
    synthetic::write_project(&project)?;
    measure::once(&mut measure::command(
        &binary,
        "gen --init-lock --only rust",
        &project,
    ))?;

    let target = measure::repository().join("target/bench-check");
    let typify = check(&typify, &target.join("typify"))?;
    let ours = check(&project.join("generated/rust"), &target.join("ours"))?;
    let (beside, beside_peak) = (Row::wall("typify", typify), Row::peak("typify", typify));
    Ok(vec![
        Row::wall("cargo check, ours, with validation", ours)
            .beside(&beside)
            .at_most_of_baseline(0.75),
        Row::peak("its peak memory", ours).beside(&beside_peak),
        Row::wall("cargo check, typify's", typify),
        Row::peak("its peak memory", typify),
    ])
}

/// Checks once so that dependencies are built, then again after touching the crate.
fn check(krate: &Path, target: &Path) -> Result<Cost, Failure> {
    let manifest = krate.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?;
    fs::write(&manifest, format!("{text}\n[workspace]\n"))?;
    let command = || {
        let mut command = measure::command(Path::new("cargo"), "check --quiet", krate);
        command
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_TARGET_DIR", target);
        command
    };
    shows(&mut command())?;
    measure::best(2, || {
        let lib = krate.join("src/lib.rs");
        let text = fs::read(&lib)?;
        fs::write(&lib, text)?;
        Ok(command())
    })
}

/// Runs a command that must succeed, and shows what it says.
fn shows(command: &mut Command) -> Result<(), Failure> {
    if command.status()?.success() {
        Ok(())
    } else {
        Err(format!("{command:?} failed").into())
    }
}

const TYPIFY_CRATE: &str = r#"[package]
name = "typify-baseline"
version = "0.1.0"
edition = "2024"

[dependencies]
chrono = { version = "0.4", default-features = false, features = ["serde"] }
regress = "0.11"
serde = { version = "1", features = ["derive"] }
serde_json = "1"
uuid = { version = "1", features = ["serde"] }
"#;
