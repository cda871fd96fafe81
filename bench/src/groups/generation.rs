//! 500 contracts: all surfaces into an empty folder, then a check with nothing to do, beside
//! generators that make one artefact each of the same schemas.

use std::{env, path::Path, process::Command};

use super::Group;
use crate::{
    Failure,
    baseline::peers,
    measure::{self, Cost},
    row::Row,
    synthetic,
};

pub const GROUP: Group = Group {
    name: "generation",
    about: "500 contracts, all surfaces: generation into an empty folder, then a check",
    run,
};

fn run() -> Result<Vec<Row>, Failure> {
    let binary = measure::toolcontract()?;
    let scratch = measure::scratch()?;
    let schemas = scratch.path().join("schemas");
    synthetic::write_schemas(&schemas)?;

    let typify = Row::wall("typify: Rust alone", typify(&schemas, scratch.path())?);
    let project = |n: usize| scratch.path().join(format!("project-{n}"));
    let mut made = 0;
    // A new folder each time: a file system is slow to give out again what was just deleted.
    let whole = measure::best(5, || {
        made += 1;
        synthetic::write_project(&project(made))?;
        Ok(measure::command(&binary, "gen --init-lock", &project(made)))
    })?;
    let last = project(made);
    let check = measure::best(5, || Ok(measure::command(&binary, "gen --check", &last)))?;
    let floor = floor(&last)?;

    // The aim is 1.0 s and 0.5 s; these are the figures that may not be passed.
    let mut rows = vec![
        Row::wall("generation of every surface", whole)
            .beside(&typify)
            .at_most(1.5),
        Row::cpu("its processor time", whole),
        Row::peak("its peak memory", whole).at_most(150.0),
        Row::wall("check, nothing to do", check)
            .beside(&typify)
            .at_most(0.8),
        Row::cpu("its processor time", check),
        Row::peak("its peak memory", check).at_most(150.0),
        Row::wall("floor: read all, compare all", floor).beside(&typify),
    ];
    for (peer, cost) in peers::run(&schemas)? {
        rows.push(Row::wall(peer, cost).beside(&typify));
    }
    rows.push(typify);
    Ok(rows)
}

fn typify(schemas: &Path, scratch: &Path) -> Result<Cost, Failure> {
    let own = env::current_exe()?;
    let mut made = 0;
    measure::best(3, || {
        made += 1;
        let mut command = Command::new(&own);
        command
            .arg("--typify")
            .arg(schemas)
            .arg(scratch.join(format!("typify-{made}")));
        Ok(command)
    })
}

fn floor(project: &Path) -> Result<Cost, Failure> {
    let own = env::current_exe()?;
    measure::best(3, || {
        let mut command = Command::new(&own);
        command
            .arg("--floor")
            .arg(project.join("manifests"))
            .arg(project.join("generated"));
        Ok(command)
    })
}
