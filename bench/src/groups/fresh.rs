//! `cargo xtask gen` in a fresh clone, from nothing built.

use std::{collections::BTreeSet, path::Path};

use super::Group;
use crate::{
    Failure,
    measure::{self, repository},
    row::{Row, Unit},
};

pub const GROUP: Group = Group {
    name: "fresh",
    about: "`cargo xtask gen` in a fresh clone of what is committed, from nothing built",
    run,
};

fn run() -> Result<Vec<Row>, Failure> {
    let scratch = measure::scratch()?;
    let clone = scratch.path().join("clone");
    let cloned = measure::command(Path::new("git"), "clone --quiet", scratch.path())
        .arg(repository())
        .arg(&clone)
        .status()?;
    if !cloned.success() {
        return Err("`git clone` failed".into());
    }
    let cargo = |arguments| {
        let mut cargo = measure::command(Path::new("cargo"), arguments, &clone);
        // Also where this bench itself was told to build elsewhere.
        cargo.env_remove("CARGO_TARGET_DIR");
        cargo
    };
    // What is downloaded is not built.
    measure::once(&mut cargo("fetch --locked --quiet"))?;
    let cost = measure::once(&mut cargo("xtask gen"))?;
    let tree =
        cargo("tree --package xtask --edges normal,build --prefix none --no-dedupe --locked")
            .output()?;
    let tree = String::from_utf8_lossy(&tree.stdout);
    let crates: BTreeSet<&str> = tree.lines().map(|l| l.trim_end_matches(" (*)")).collect();
    Ok(vec![
        Row::wall("cargo xtask gen, nothing built", cost).at_most(180.0),
        Row::cpu("its processor time", cost),
        Row::new("crates that it builds", crates.len() as f64, Unit::Count),
    ])
}
