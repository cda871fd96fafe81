//! The catalog of this repository, with nothing to do: what everybody runs all the time.

use super::Group;
use crate::{Failure, measure, row::Row};

pub const GROUP: Group = Group {
    name: "catalog",
    about: "`gen --check` of this repository's 74 tools, nothing to do; no vocabulary is loaded",
    run,
};

fn run() -> Result<Vec<Row>, Failure> {
    let binary = measure::toolcontract()?;
    let root = measure::repository();
    let cost = measure::best(7, || Ok(measure::command(&binary, "gen --check", &root)))?;
    Ok(vec![
        Row::wall("check of the catalog", cost).at_most(0.4),
        // A vocabulary that is loaded would show here.
        Row::peak("its peak memory", cost).at_most(60.0),
    ])
}
