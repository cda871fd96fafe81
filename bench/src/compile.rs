//! `cargo check` of the generated Rust of 500 contracts beside typify's output for the same
//! schemas, dependencies built, nothing incremental.

use std::{fs, path::Path, process::Command};

use crate::{
    Failure,
    measure::{self, Cost},
    synthetic,
};

/// Measures both.
pub fn generated_rust() -> Result<(), Failure> {
    let binary = measure::toolcontract()?;
    let root = measure::scratch("compile")?;

    let schemas = root.join("schemas");
    synthetic::write_schemas(&schemas)?;
    let typify = root.join("typify");
    crate::typify_baseline::generate(&schemas, &typify.join("src"))?;
    fs::write(typify.join("Cargo.toml"), TYPIFY_CRATE)?;

    let project = root.join("project");
    synthetic::write_project(&project)?;
    let made = Command::new(&binary)
        .args(["gen", "--init-lock", "--only", "rust"])
        .current_dir(&project)
        .status()?;
    if !made.success() {
        return Err("`toolcontract gen` failed".into());
    }
    let ours = project.join("generated/rust");

    let target = measure::repository().join("target/bench-check");
    let typify = check(&typify, &target.join("typify"))?;
    let ours = check(&ours, &target.join("ours"))?;
    measure::print(&[
        ("cargo check, typify's Rust".to_owned(), typify),
        ("cargo check, ours (with validation)".to_owned(), ours),
    ]);
    Ok(())
}

/// Checks once so that dependencies are built, then again after touching the crate.
fn check(krate: &Path, target: &Path) -> Result<Cost, Failure> {
    fs::OpenOptions::new()
        .append(true)
        .open(krate.join("Cargo.toml"))
        .and_then(|mut f| std::io::Write::write_all(&mut f, b"\n[workspace]\n"))?;
    let command = || {
        let mut command = Command::new("cargo");
        command
            .args(["check", "--quiet"])
            .current_dir(krate)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_TARGET_DIR", target);
        command
    };
    measure::once(&mut command(), 0)?;
    measure::best(2, 0, || {
        let lib = krate.join("src/lib.rs");
        let text = fs::read(&lib)?;
        fs::write(&lib, text)?;
        Ok(command())
    })
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
